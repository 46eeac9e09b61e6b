/* cc_run.c - the steps of compiling and linking; see cc.h.
 *
 * Device code goes through clang with the pass plugin, which leaves LLVM's bitcode in which only
 * the triple is NVPTX's still, and through llc, which makes it the host's. The host's code finds it
 * by a name that stands for its "GPU binary". */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/digest.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/cuda/cc_work.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* --- words --- */

/* A word that the work owns. NULL: no memory. */
const char *cc_word(struct cc_work *w, const char *format, const char *a, const char *b)
{
    if (!mem_grow(&w->own, &w->own_cap, w->n_own + 1, sizeof *w->own)) return NULL;
    struct text *t = &w->own[w->n_own++];
    *t = (struct text){0};
    for (; *format; format++) {
        if (*format == '1')
            text_add(t, "%s", a);
        else if (*format == '2')
            text_add(t, "%s", b);
        else
            text_add_bytes(t, format, 1);
    }
    return t->failed ? NULL : t->s;
}

bool cc_add_all(struct cc_words *list, const char *const *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!word[i] || !cc_add(list, word[i])) return false;
    return true;
}

/* --- programs --- */

static void show_words(const struct cc_words *list)
{
    struct text t = {0};
    for (size_t i = 0; i + 1 < list->n; i++)
        text_add_shown(&t, "%s%s", i ? " " : "", list->word[i]);
    cli_say("%s", text_str(&t));
    text_fini(&t);
}

/* Runs a program and waits for it; its own words have told what is wrong if it fails. */
static bool run_program(struct cc_work *w, struct cc_words *list)
{
    pid_t child;
    int status = -1;
    if (!cc_add(list, NULL)) return error_no_memory(w->e);
    if (w->job->verbose) show_words(list);
    int failed =
        posix_spawnp(&child, list->word[0], NULL, NULL, (char *const *)list->word, environ);
    if (failed)
        return error_run(w->e, "%s: cannot be started: %s", list->word[0], strerror(failed));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    return error_run(w->e, "%s failed", list->word[0]);
}

bool cc_finish(struct cc_work *w, struct cc_words *list, bool complete)
{
    bool ok = complete ? run_program(w, list) : error_no_memory(w->e);
    mem_free(list->word);
    return ok;
}

static bool add_standard(struct cc_work *w, struct cc_words *list)
{
    return CC_ADD(list, cc_word(w, "-std=1", w->job->standard, NULL));
}

static bool add_cuda(struct cc_work *w, struct cc_words *list)
{
    const struct cc_job *j = w->job;
    return CC_ADD(list, "clang++-14", "-x", "cuda", "-nocudainc", "-nocudalib", "-isystem",
                  w->parts.headers, "-include", j->hip ? "hip/hip_runtime.h" : "cuda_runtime.h",
                  cc_word(w, "--cuda-gpu-arch=1", j->gpu, NULL), "-Xclang",
                  "-target-sdk-version=11.5", "-Xclang", "-fcuda-allow-variadic-functions",
                  "-Wno-unknown-cuda-version", "-Wno-c++11-narrowing") &&
           add_standard(w, list) && cc_add_all(list, j->common.word, j->common.n) &&
           (!w->quoted || CC_ADD(list, "-iquote", w->quoted));
}

/* --- steps --- */

/* Where other sources complete it, device code is not optimised yet. */
static bool make_device(struct cc_work *w, const char *source, const char *bitcode)
{
    struct cc_words list = {0};
    bool ok = add_cuda(w, &list) &&
              CC_ADD(&list, "--cuda-device-only", "-Xclang", "-target-feature", "-Xclang", "+ptx75",
                     "-O3", "-gline-tables-only", "-emit-llvm", "-c") &&
              cc_add_all(&list, w->job->device.word, w->job->device.n);
    if (ok && w->job->relocatable)
        ok = CC_ADD(&list, "-Xclang", "-disable-llvm-passes");
    else if (ok)
        ok = CC_ADD(&list, cc_word(w, "-fpass-plugin=1", w->parts.plugin, NULL), "-Xclang",
                    "-mlink-builtin-bitcode", "-Xclang", w->parts.library);
    return cc_finish(w, &list, ok && CC_ADD(&list, source, "-o", bitcode));
}

bool cc_make_native(struct cc_work *w, const char *bitcode, const char *object)
{
    struct cc_words list = {0};
    bool ok = CC_ADD(&list, "llc-14", "-O2", "-mtriple=x86_64-pc-linux-gnu", "-mcpu=native",
                     "-relocation-model=pic", "-filetype=obj", bitcode, "-o", object);
    return cc_finish(w, &list, ok);
}

static bool make_host(struct cc_work *w, const char *source, const char *binary, const char *object)
{
    struct cc_words list = {0};
    bool ok = add_cuda(w, &list) &&
              CC_ADD(&list, "--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang",
                     binary, "-fPIE") &&
              cc_add_all(&list, w->job->host.word, w->job->host.n) &&
              CC_ADD(&list, "-c", source, "-o", object);
    return cc_finish(w, &list, ok);
}

bool cc_join(struct cc_work *w, const char *a, const char *b, const char *object)
{
    struct cc_words list = {0};
    bool ok = CC_ADD(&list, "ld", "-r", a, b, "-o", object);
    return cc_finish(w, &list, ok);
}

/* A name for the module that no other source of a program has. */
static bool write_name(struct cc_work *w, const char *source, const char *object,
                       const char *binary, char name[33])
{
    char place[4096];
    char *real = realpath(source, NULL);
    if (!getcwd(place, sizeof place)) place[0] = '\0';
    struct digest d = digest_join(digest_text(real ? real : source),
                                  digest_join(digest_text(place), digest_text(object)));
    free(real);
    digest_hex(d, name);
    setenv("PLUMB_CUDA_MODULE", name, 1);
    setenv("PLUMB_CUDA_WARP", w->job->hip ? "64" : "32", 1);
    struct outfile *f = outfile_open(binary, w->e);
    if (!f) return false;
    outfile_write(f, name, 33);
    return outfile_commit(f, w->e);
}

static bool compile_cuda(struct cc_work *w, const char *source, const char *object)
{
    const char *device = cc_word(w, "1/device.bc", w->folder, NULL);
    const char *native = cc_word(w, "1/device.o", w->folder, NULL);
    const char *host = cc_word(w, "1/host.o", w->folder, NULL);
    const char *binary = cc_word(w, "1/name", w->folder, NULL);
    if (!device || !native || !host || !binary) return error_no_memory(w->e);
    char name[33];
    w->quoted = NULL;
    bool ok = write_name(w, source, object, binary, name) && cc_plain_launches(w, &source) &&
              make_device(w, source, device) && make_host(w, source, binary, host);
    if (!ok) return false;
    if (w->job->relocatable) return cc_keep_device(w, name, device, host, object);
    return cc_make_native(w, device, native) && cc_join(w, host, native, object);
}

static bool compile_host(struct cc_work *w, const struct cc_source *s, const char *object)
{
    struct cc_words list = {0};
    const struct cc_job *j = w->job;
    bool c = s->language == CC_C;
    bool ok = CC_ADD(&list, c ? "clang-14" : "clang++-14",
                     cc_word(w, "-I1", w->parts.headers, NULL), "-fPIE") &&
              (c || add_standard(w, &list)) && cc_add_all(&list, j->common.word, j->common.n) &&
              cc_add_all(&list, j->host.word, j->host.n) &&
              CC_ADD(&list, "-c", s->path, "-o", object);
    return cc_finish(w, &list, ok);
}

static bool compile_source(struct cc_work *w, const struct cc_source *s, const char *object)
{
    return s->language == CC_CUDA ? compile_cuda(w, s->path, object) : compile_host(w, s, object);
}

/* What a source includes, or what the preprocessor makes of it. */
static bool only_read(struct cc_work *w, const struct cc_source *s)
{
    struct cc_words list = {0};
    const struct cc_job *j = w->job;
    bool ok = add_cuda(w, &list) && CC_ADD(&list, "--cuda-host-only", "-E", s->path) &&
              cc_add_all(&list, j->host.word, j->host.n) &&
              (!j->output || CC_ADD(&list, "-o", j->output));
    return cc_finish(w, &list, ok);
}

/* The object's name where none is given: the source's in this folder. */
static const char *object_of(struct cc_work *w, const char *source)
{
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    char *stem = mem_strdup(name);
    char *dot = stem ? strrchr(stem, '.') : NULL;
    if (dot) *dot = '\0';
    const char *object = stem ? cc_word(w, "1.o", stem, NULL) : NULL;
    mem_free(stem);
    return object;
}

/* What CMake reads of nvcc's -v to learn how programs are linked: by this command. */
static void show_link(const struct cc_work *w, const struct cc_words *objects)
{
    const struct cc_job *j = w->job;
    const char *path = getenv("PATH");
    struct text t = {0};
    if (!j->verbose || !w->parts.driver) return;
    text_add(&t, "#$ PATH=%s\n#$ LIBRARIES=-L%s\n", path ? path : "", w->parts.folder);
    text_add(&t, "#$ %s -o %s %s -L%s -lplumb_cudart\n", w->parts.driver,
             j->output ? j->output : "a.out", objects->n ? objects->word[0] : "", w->parts.folder);
    cli_write(true, t.failed ? "" : text_str(&t), t.failed ? 0 : strlen(text_str(&t)));
    text_fini(&t);
}

static bool link_program(struct cc_work *w, struct cc_words *objects)
{
    struct cc_words list = {0};
    const struct cc_job *j = w->job;
    const char *native = NULL;
    if (!cc_link_device(w, objects, &native)) return false;
    if (native && !cc_add(objects, native)) return error_no_memory(w->e);
    bool ok = CC_ADD(&list, "clang++-14", "-pie", "-o", j->output ? j->output : "a.out") &&
              cc_add_all(&list, objects->word, objects->n) &&
              cc_add_all(&list, j->link.word, j->link.n) &&
              CC_ADD(&list, cc_word(w, "-L1", w->parts.folder, NULL),
                     cc_word(w, "-Wl,-rpath,1", w->parts.folder, NULL), "-lplumb_cudart", "-lm");
    for (size_t i = 0; ok && i < j->host.n; i++) /* what compiling and linking share */
        if (strcmp(j->host.word[i], "-fopenmp") == 0) ok = CC_ADD(&list, "-fopenmp");
    ok = cc_finish(w, &list, ok);
    show_link(w, objects);
    return ok;
}

static bool compile_all(struct cc_work *w, struct cc_words *objects)
{
    const struct cc_job *j = w->job;
    for (size_t i = 0; i < j->n_sources; i++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", i);
        const char *object = !j->compile_only ? cc_word(w, "1/2.o", w->folder, number)
                             : j->output      ? j->output
                                              : object_of(w, j->source[i].path);
        if (!object || !cc_add(objects, object)) return error_no_memory(w->e);
        if (!compile_source(w, &j->source[i], object)) return false;
    }
    return true;
}

/* The device code of objects alone, for a link by another compiler. */
static bool link_device(struct cc_work *w, struct cc_words *objects)
{
    const char *native = NULL, *out = w->job->output ? w->job->output : "a_dlink.o";
    struct cc_words list = {0};
    if (!cc_link_device(w, objects, &native)) return false;
    if (!native) return error_input(w->e, "-dlink: no object has device code (-dc, -rdc=true)");
    return cc_finish(w, &list, CC_ADD(&list, "ld", "-r", native, "-o", out));
}

static bool run_job(struct cc_work *w)
{
    const struct cc_job *j = w->job;
    struct cc_words objects = {0};
    if (j->make_rules || j->preprocess) return only_read(w, &j->source[0]);
    bool ok = compile_all(w, &objects);
    if (ok && j->link_device)
        ok = link_device(w, &objects);
    else if (ok && !j->compile_only)
        ok = link_program(w, &objects);
    mem_free(objects.word);
    return ok;
}

static void remove_folder(const char *folder)
{
    DIR *d = *folder ? opendir(folder) : NULL;
    if (!d) return;
    struct dirent *entry;
    while ((entry = readdir(d)))
        if (entry->d_name[0] != '.') unlinkat(dirfd(d), entry->d_name, 0);
    closedir(d);
    rmdir(folder);
}

static bool make_folder(struct cc_work *w)
{
    strcpy(w->folder, "/tmp/plumb-cc-XXXXXX");
    if (mkdtemp(w->folder)) return true;
    w->folder[0] = '\0';
    return error_run(w->e, "/tmp: no folder can be made there: %s", strerror(errno));
}

bool cc_run(const struct cc_job *j, struct error *e)
{
    struct cc_work w = {.job = j, .e = e};
    if (j->n_sources + j->link.n == 0) return error_input(e, "no source to compile");
    if (j->compile_only && j->output && j->n_sources > 1)
        return error_input(e, "-c with -o takes one source");
    if (j->shared && !j->compile_only && !j->link_device)
        return error_input(e, "-shared: plumb links programs only");
    bool ok = cc_find(&w.parts, e) && make_folder(&w) && run_job(&w);
    remove_folder(w.folder);
    cc_parts_fini(&w.parts);
    for (size_t i = 0; i < w.n_own; i++)
        text_fini(&w.own[i]);
    mem_free(w.own);
    return ok;
}

bool cc_run_words(const char *const *word, size_t n, struct error *e)
{
    struct cc_job j;
    bool ok = cc_read(&j, word, n, e) && cc_run(&j, e);
    cc_fini(&j);
    return ok;
}

/* cc_relocatable.c - device code that several sources make together (-rdc=true).
 *
 * An object of such a source carries its device code as LLVM's bitcode, behind its module's name,
 * in a section of its own, which linkers leave out of programs. Before a program is linked, the
 * code of all objects is joined, optimised and made native as one module, whose name is all of
 * theirs. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "cli/cuda/cc_work.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 32 };
static const char section[] = ".plumb_device";

static bool write_file(struct cc_work *w, const char *path, const struct cc_words *words,
                       const unsigned char *bytes, size_t n)
{
    struct outfile *f = outfile_open(path, w->e);
    if (!f) return false;
    for (size_t i = 0; i < words->n; i++)
        outfile_printf(f, "%s", words->word[i]);
    if (n) outfile_write(f, bytes, n);
    return outfile_commit(f, w->e);
}

bool cc_keep_device(struct cc_work *w, const char *name, const char *bitcode, const char *host,
                    const char *object)
{
    const char *payload = cc_word(w, "1/payload", w->folder, NULL);
    const char *text = cc_word(w, "1/part.s", w->folder, NULL);
    const char *part = cc_word(w, "1/part.o", w->folder, NULL);
    const char *line = cc_word(w, ".incbin \"1\"\n", payload, NULL);
    struct filemap code;
    if (!payload || !text || !part || !line) return error_no_memory(w->e);
    if (!filemap_open(&code, bitcode, w->e)) return false;
    const char *head = ".section .note.GNU-stack,\"\",@progbits\n"
                       ".section .plumb_device,\"e\",@progbits\n";
    struct cc_words lines = {(const char *[]){head, line}, 2, 0}, names = {&name, 1, 0}, list = {0};
    bool ok =
        write_file(w, payload, &names, code.bytes, code.n) && write_file(w, text, &lines, NULL, 0);
    filemap_close(&code);
    return ok && cc_finish(w, &list, CC_ADD(&list, "clang-14", "-c", text, "-o", part)) &&
           cc_join(w, host, part, object);
}

struct device_part {
    const unsigned char *bytes;
    size_t n;
};

/* The section of an object; false: it is no object, or has none. */
static bool find_section(const struct device_part *f, struct device_part *found)
{
    const Elf64_Ehdr *e = (const Elf64_Ehdr *)(const void *)f->bytes;
    if (f->n < sizeof *e || memcmp(e->e_ident, ELFMAG, SELFMAG) != 0 || e->e_type != ET_REL ||
        e->e_shentsize != sizeof(Elf64_Shdr) || e->e_shoff > f->n || e->e_shoff % 8 != 0 ||
        (f->n - e->e_shoff) / sizeof(Elf64_Shdr) < e->e_shnum || e->e_shstrndx >= e->e_shnum)
        return false;
    const Elf64_Shdr *s = (const Elf64_Shdr *)(const void *)(f->bytes + e->e_shoff);
    const Elf64_Shdr *names = &s[e->e_shstrndx];
    if (names->sh_offset > f->n || names->sh_size > f->n - names->sh_offset) return false;
    for (unsigned i = 0; i < e->e_shnum; i++) {
        if (s[i].sh_name > names->sh_size || names->sh_size - s[i].sh_name < sizeof section)
            continue;
        if (memcmp(f->bytes + names->sh_offset + s[i].sh_name, section, sizeof section) != 0)
            continue;
        *found = (struct device_part){f->bytes + s[i].sh_offset, s[i].sh_size};
        return s[i].sh_offset <= f->n && s[i].sh_size <= f->n - s[i].sh_offset &&
               s[i].sh_size > NAME_BYTES;
    }
    return false;
}

/* The parts that were found so far. */
struct device_parts {
    struct cc_words path;
    struct text names; /* of their modules */
};

static bool take_object(struct cc_work *w, const struct device_part *object,
                        struct device_parts *all)
{
    struct device_part found;
    struct cc_words none = {0};
    char number[24];
    if (!find_section(object, &found)) return true;
    snprintf(number, sizeof number, "%zu", all->path.n);
    const char *path = cc_word(w, "1/part2.bc", w->folder, number);
    text_add_bytes(&all->names, (const char *)found.bytes, NAME_BYTES);
    if (!path || !cc_add(&all->path, path)) return error_no_memory(w->e);
    return write_file(w, path, &none, found.bytes + NAME_BYTES, found.n - NAME_BYTES);
}

/* The members of an archive, each behind a header of text whose tenth word of bytes is its size. */
static bool take_archive(struct cc_work *w, const struct filemap *f, struct device_parts *all)
{
    enum { MAGIC = 8, HEADER = 60, SIZE_AT = 48, SIZE_BYTES = 10 };
    bool ok = true;
    for (size_t at = MAGIC; ok && f->n >= HEADER && at <= f->n - HEADER;) {
        char size[SIZE_BYTES + 1] = {0};
        memcpy(size, f->bytes + at + SIZE_AT, SIZE_BYTES);
        size_t n = strtoul(size, NULL, 10);
        at += HEADER;
        if (n > f->n - at) break;
        void *aligned = mem_new(n + 1, 1); /* members begin at even places */
        if (!aligned) return error_no_memory(w->e);
        memcpy(aligned, f->bytes + at, n);
        ok = take_object(w, &(struct device_part){aligned, n}, all);
        mem_free(aligned);
        at += n + n % 2;
    }
    return ok;
}

/* Takes the device code of an object or a static library, if it has some. */
static bool take_file(struct cc_work *w, const char *path, struct device_parts *all)
{
    struct filemap f;
    const char *end = strrchr(path, '.');
    if (!end || (strcmp(end, ".o") != 0 && strcmp(end, ".a") != 0) || !file_exists(path))
        return true;
    if (!filemap_open(&f, path, w->e)) return false;
    bool archive = f.n > 8 && memcmp(f.bytes, "!<arch>\n", 8) == 0;
    bool ok = archive ? take_archive(w, &f, all)
                      : take_object(w, &(struct device_part){f.bytes, f.n}, all);
    filemap_close(&f);
    return ok;
}

static bool optimise(struct cc_work *w, const char *joined, const char *device)
{
    struct cc_words list = {0};
    bool ok = CC_ADD(&list, "clang-14", "-target", "nvptx64-nvidia-cuda", "-x", "ir", "-O3",
                     "-Wno-unused-command-line-argument", cc_word(w, "-march=1", w->job->gpu, NULL),
                     "-nocudalib", cc_word(w, "-fpass-plugin=1", w->parts.plugin, NULL),
                     "-emit-llvm", "-c", joined, "-o", device);
    return cc_finish(w, &list, ok);
}

bool cc_link_device(struct cc_work *w, const struct cc_words *objects, const char **native)
{
    struct cc_words list = {0};
    struct device_parts all = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < objects->n; i++)
        ok = take_file(w, objects->word[i], &all);
    for (size_t i = 0; ok && i < w->job->link.n; i++)
        ok = take_file(w, w->job->link.word[i], &all);
    if (ok && all.path.n > 0) {
        const char *joined = cc_word(w, "1/joined.bc", w->folder, NULL);
        const char *device = cc_word(w, "1/linked.bc", w->folder, NULL);
        *native = cc_word(w, "1/linked.o", w->folder, NULL);
        if (all.names.failed || !joined || !device || !*native) ok = error_no_memory(w->e);
        if (ok) setenv("PLUMB_CUDA_MODULE", text_str(&all.names), 1);
        if (ok) setenv("PLUMB_CUDA_WARP", w->job->hip ? "64" : "32", 1);
        ok = ok &&
             cc_finish(w, &list,
                       CC_ADD(&list, "llvm-link-14", "-o", joined) &&
                           cc_add_all(&list, all.path.word, all.path.n) &&
                           cc_add(&list, w->parts.library)) &&
             optimise(w, joined, device) && cc_make_native(w, device, *native);
    }
    text_fini(&all.names);
    mem_free(all.path.word);
    return ok;
}

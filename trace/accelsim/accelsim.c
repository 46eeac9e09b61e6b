/* accelsim.c - reads the list of commands, and opens directories through the cache. */
#include "trace/accelsim/accelsim.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "trace/accelsim/kernel.h"
#include "trace/program/source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Raise when the same files are read differently. */
#define ACCELSIM_READER_VERSION 3
enum { ACCELSIM_WIDTH = 32 }; /* lanes of a warp: the tracer knows no other */
#define LIST_NAME "kernelslist.g"

struct list {
    const char *dir;
    char *path;
    struct instream *in;
    char *line;
    uint64_t kernels;
};

static bool list_open(struct list *l, const char *dir, struct error *e)
{
    *l = (struct list){.dir = dir, .path = file_join(dir, LIST_NAME)};
    if (!l->path) return error_no_memory(e);
    if (!file_may_exist(l->path))
        return error_input(e, "%s: there is no %s in this directory; a trace directory has one",
                           dir, LIST_NAME);
    l->in = instream_open(l->path, e);
    return l->in != NULL;
}

static void list_close(struct list *l)
{
    if (l->in) instream_close(l->in);
    mem_free(l->path);
}

/* The next line, without spaces around it.  false: end, or *e set. */
static bool list_next(struct list *l, struct error *e)
{
    size_t n;
    l->line = instream_line(l->in, &n, e);
    if (!l->line) return false;
    while (n > 0 && strchr(" \t\r", l->line[n - 1]))
        l->line[--n] = 0;
    l->line += strspn(l->line, " \t");
    return true;
}

/* The path of the file that a line names, or of its packed version; NULL: *e says why. */
static char *kernel_path(const struct list *l, struct error *e)
{
    static const char *const endings[] = {"", ".xz", ".gz", ".zst"};
    struct text name = {0};
    char *path = NULL;
    for (unsigned i = 0; i < 4 && !path; i++) {
        name.len = 0;
        text_add(&name, "%s%s", l->line, endings[i]);
        path = name.failed ? NULL : file_join(l->dir, name.s);
        if (path && !file_may_exist(path)) {
            mem_free(path);
            path = NULL;
        }
    }
    text_fini(&name);
    if (!path)
        error_input(e, "%s:%llu: there is no file %s (plain, .xz, .gz or .zst) in %s", l->path,
                    (unsigned long long)instream_line_number(l->in), l->line, l->dir);
    return path;
}

static bool read_copy(const struct list *l, struct writer *w, enum command_kind kind,
                      struct error *e)
{
    const char *s = strchr(l->line, ',') + 1;
    uint64_t addr, bytes;
    instream_useful(l->in);
    bool ok = text_whole(&s, 16, &addr) && *s++ == ',' && text_whole(&s, 10, &bytes) && *s == 0;
    if (!ok)
        return error_input(e,
                           "%s:%llu: '%.60s'; expected MemcpyHtoD,0xADDRESS,BYTES, both below 2^64",
                           l->path, (unsigned long long)instream_line_number(l->in), l->line);
    if (!program_copy_fits(addr, bytes))
        return error_input(e,
                           "%s:%llu: a copy of %llu bytes from 0x%llx passes the end of the "
                           "address space; it must end below 2^64",
                           l->path, (unsigned long long)instream_line_number(l->in),
                           (unsigned long long)bytes, (unsigned long long)addr);
    return writer_copy(w, kind, addr, bytes, e);
}

/* A line that is no command, as Accel-Sim's reader has it too, becomes a note; but no kernel is
 * lost so. */
static bool ignore_line(const struct list *l, struct remarks *r, struct error *e)
{
    uint64_t line = instream_line_number(l->in);
    if (strstr(l->line, ".traceg"))
        return error_input(e, "%s:%llu: '%.100s'; the name of a kernel's file begins with 'kernel'",
                           l->path, (unsigned long long)line, l->line);
    remarks_ignore(r, line, l->line);
    return true;
}

static bool read_command(struct list *l, struct writer *w, struct remarks *r, struct error *e)
{
    if (!*l->line) return true;
    if (strncmp(l->line, "MemcpyHtoD,", 11) == 0) return read_copy(l, w, COMMAND_COPY_TO_DEVICE, e);
    if (strncmp(l->line, "MemcpyDtoH,", 11) == 0) return read_copy(l, w, COMMAND_COPY_TO_HOST, e);
    if (strncmp(l->line, "kernel", 6) != 0) return ignore_line(l, r, e);
    char *path = kernel_path(l, e);
    instream_useful(l->in);
    bool ok = path && accelsim_read_kernel(path, w, r, e);
    mem_free(path);
    l->kernels++;
    return ok;
}

static bool read_commands(struct list *l, struct writer *w, struct remarks *r, struct error *e)
{
    e->kind = ERROR_NONE;
    while (list_next(l, e))
        if (!read_command(l, w, r, e)) return false;
    if (e->kind != ERROR_NONE) return false;
    return l->kernels > 0 ||
           error_input(e, "%s:1: no kernel is listed; at least one is needed", l->path);
}

bool accelsim_read(const char *dir, bool allow_unknown, struct writer *w, struct error *e)
{
    struct error own;
    struct list l;
    if (!e) e = &own;
    struct remarks *r = mem_new(1, sizeof *r);
    if (!r) return error_no_memory(e);
    r->allow_unknown = allow_unknown;
    bool ok = list_open(&l, dir, e) && read_commands(&l, w, r, e);
    list_close(&l);
    ok = ok && (remarks_write(r, w) || error_no_memory(e));
    mem_free(r);
    return ok;
}

bool accelsim_import(const char *dir, bool allow_unknown, const char *path, struct error *e)
{
    struct writer *w = writer_new(path, ACCELSIM_WIDTH, "accelsim", e);
    if (!w) return false;
    if (accelsim_read(dir, allow_unknown, w, e)) return writer_commit(w, e);
    writer_abort(w);
    return false;
}

/* Whether the file begins with a line of text; a hole of a terabyte does not. */
static bool begins_with_a_line(const char *path, struct error *e)
{
    struct instream *in = instream_open(path, e);
    bool ok = in && (instream_line(in, NULL, e) || e->kind == ERROR_NONE);
    instream_close(in);
    return ok;
}

static bool digest_file(const char *path, struct digest *d, struct error *e)
{
    struct filemap m;
    if (!filemap_open(&m, path, e)) return false;
    if (!begins_with_a_line(path, e)) return filemap_close(&m), false;
    *d = digest_join(*d, digest_bytes(m.bytes, m.n));
    filemap_close(&m);
    return true;
}

static bool digest_kernels(struct list *l, struct digest *d, struct error *e)
{
    e->kind = ERROR_NONE;
    while (list_next(l, e)) {
        if (strncmp(l->line, "kernel", 6) != 0) continue;
        instream_useful(l->in);
        char *path = kernel_path(l, e);
        bool ok = path && digest_file(path, d, e);
        mem_free(path);
        if (!ok) return false;
    }
    return e->kind == ERROR_NONE;
}

/* Of the list and every file that it names, and of how they are read. */
static bool accelsim_digest(const char *dir, bool allow_unknown, struct digest *d, struct error *e)
{
    struct error own;
    struct list l;
    if (!e) e = &own;
    const uint32_t versions[2] = {ACCELSIM_READER_VERSION, allow_unknown};
    *d = digest_bytes(versions, sizeof versions);
    bool ok = list_open(&l, dir, e) && digest_file(l.path, d, e) && digest_kernels(&l, d, e);
    list_close(&l);
    return ok;
}

/* --- opening through the cache --- */

/* Opens the packed copy. A width that does not fit is reported for the directory that the user
 * named, not for the copy. */
static bool open_packed(struct program *p, const char *path, struct error *e)
{
    if (p->width > ACCELSIM_WIDTH)
        return error_input(e,
                           "%s: traces of this kind have warps of %d lanes, the machine has %u; "
                           "use a machine with sm.warp_width = %d",
                           p->path, ACCELSIM_WIDTH, p->width, ACCELSIM_WIDTH);
    char *copy = mem_strdup(path);
    if (!copy) return error_no_memory(e);
    mem_free(p->path);
    p->path = copy;
    return source_open_plt(p, e);
}

static char *temporary_path(void)
{
    const char *dir = getenv("TMPDIR");
    char *path = file_join(dir ? dir : "/tmp", "plumb-XXXXXX");
    int fd = path ? mkstemp(path) : -1;
    if (fd >= 0) {
        close(fd);
        return path;
    }
    mem_free(path);
    return NULL;
}

/* Opens through an anonymous file, where the cache cannot be written. */
static bool open_uncached(struct program *p, struct error *e)
{
    char *path = temporary_path();
    if (!path)
        return error_run(e, "%s: neither the cache directory nor a temporary file can be written",
                         p->path);
    bool ok = accelsim_import(p->path, p->allow_unknown, path, e) && open_packed(p, path, e);
    unlink(path);
    mem_free(path);
    return ok;
}

static char *cache_path(const struct program *p, struct error *e)
{
    struct digest d;
    char hex[33], name[40];
    if (!accelsim_digest(p->path, p->allow_unknown, &d, e)) return NULL;
    digest_hex(d, hex);
    snprintf(name, sizeof name, "%s.plt", hex);
    char *dir = file_cache_dir();
    char *path = dir && access(dir, W_OK) == 0 ? file_join(dir, name) : mem_strdup("");
    mem_free(dir);
    if (!path) error_no_memory(e);
    return path;
}

/* A cached file that cannot be read is made again. */
static bool cached_is_whole(const char *path)
{
    struct program *p = file_exists(path) ? program_open(path, NULL, NULL) : NULL;
    program_close(p);
    return p != NULL;
}

bool source_open_accelsim(struct program *p, struct error *e)
{
    char *path = cache_path(p, e);
    if (!path) return false;
    struct error ignored = {
        0}; /* the cache is full; errors in the input are reported by the uncached path */
    bool packed = *path && (cached_is_whole(path) ||
                            accelsim_import(p->path, p->allow_unknown, path, &ignored));
    bool ok = packed ? open_packed(p, path, e) : open_uncached(p, e);
    mem_free(path);
    return ok;
}

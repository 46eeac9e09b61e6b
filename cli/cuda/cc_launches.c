/* cc_launches.c - launches that are written with blanks, `k<< <grid, block>> >(...)`, which nvcc
 * takes and clang does not: a source with such gets a copy without the blanks. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "cli/cuda/cc_work.h"

#include <string.h>

/* The blanks behind `<<` or `>>` at `at` that keep it from a third; 0: none. */
static size_t blanks_at(const char *at)
{
    bool pair = (at[0] == '<' || at[0] == '>') && at[1] == at[0];
    size_t n = pair ? strspn(at + 2, " \t") : 0;
    return n && at[2 + n] == at[0] ? n : 0;
}

static bool has_blanks(const char *text)
{
    for (const char *at = text; (at = strstr(at, "<<")); at++)
        if (blanks_at(at)) return true;
    return false;
}

static bool write_plain(struct cc_work *w, const char *path, const char *source, const char *text)
{
    struct outfile *f = outfile_open(path, w->e);
    if (!f) return false;
    outfile_printf(f, "#line 1 \"%s\"\n", source);
    for (const char *at = text; *at;) {
        size_t blanks = blanks_at(at), n = blanks ? 2 : 1;
        outfile_write(f, at, n);
        at += n + blanks;
    }
    return outfile_commit(f, w->e);
}

bool cc_plain_launches(struct cc_work *w, const char **source)
{
    char *text;
    size_t n;
    if (!file_read_bytes(*source, &text, &n, w->e)) return false;
    bool ok = true;
    if (memchr(text, '\0', n) == NULL && has_blanks(text)) {
        const char *path = cc_word(w, "1/plain.cu", w->folder, NULL);
        const char *slash = strrchr(*source, '/');
        struct text folder = {0};
        text_add(&folder, "%.*s", slash ? (int)(slash - *source) : 1, slash ? *source : ".");
        w->quoted = folder.failed ? NULL : cc_word(w, "1", text_str(&folder), NULL);
        ok = path && w->quoted ? write_plain(w, path, *source, text) : error_no_memory(w->e);
        text_fini(&folder);
        *source = path;
    }
    mem_free(text);
    return ok;
}

/* kept_rows.c - see kept_rows.h. */
#include "gpu/energy/kept_rows.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"

#include <stdio.h>
#include <string.h>

enum { ROWS_VERSION = 1 }; /* changes whenever a text gives other rows */

struct rows_head {
    char magic[8];
    uint32_t version, row_bytes;
    struct digest rows;
};

static struct rows_head head_of(struct digest rows)
{
    struct rows_head h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, "plumbrow", sizeof h.magic);
    h.version = ROWS_VERSION;
    h.row_bytes = sizeof(struct sram_row);
    h.rows = rows;
    return h;
}

static char *path_of_rows(struct digest text)
{
    char hex[33], name[48];
    char *dir = file_cache_dir();
    if (!dir) return NULL;
    digest_hex(text, hex);
    snprintf(name, sizeof name, "%s.rows", hex);
    char *path = file_join(dir, name);
    mem_free(dir);
    return path;
}

/* Takes over the map if it holds rows. */
static bool take_rows(struct sram_table *t, const struct filemap *m)
{
    struct rows_head h;
    if (m->n <= sizeof h || (m->n - sizeof h) % sizeof(struct sram_row) != 0) return false;
    memcpy(&h, m->bytes, sizeof h);
    const unsigned char *rows = m->bytes + sizeof h;
    struct rows_head want = head_of(digest_bytes(rows, m->n - sizeof h));
    if (memcmp(&h, &want, sizeof h) != 0) return false;
    t->map = *m;
    t->row = (struct sram_row *)(uintptr_t)rows;
    t->n = (uint32_t)((m->n - sizeof h) / sizeof(struct sram_row));
    return true;
}

bool kept_rows_find(struct sram_table *t, const char *path, struct digest text)
{
    struct error ignored;
    struct filemap m;
    char *kept = path_of_rows(text);
    bool ok = kept && file_exists(kept) && filemap_open(&m, kept, &ignored);
    mem_free(kept);
    if (!ok) return false;
    *t = (struct sram_table){0};
    snprintf(t->name, sizeof t->name, "%s", path);
    ok = take_rows(t, &m);
    if (!ok) filemap_close(&m);
    return ok;
}

void kept_rows_store(const struct sram_table *t, struct digest text)
{
    struct error ignored;
    char *path = path_of_rows(text);
    struct outfile *o = path ? outfile_open(path, &ignored) : NULL;
    struct rows_head h = head_of(digest_bytes(t->row, t->n * sizeof *t->row));
    if (o) {
        outfile_write(o, &h, sizeof h);
        outfile_write(o, t->row, t->n * sizeof *t->row);
        outfile_commit(o, &ignored);
    }
    mem_free(path);
}

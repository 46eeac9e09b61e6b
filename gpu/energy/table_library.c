/* table_library.c - the loaded tables, the program's or the user's. Each is read once; the table of
 * areas is read when an area between two entries is first needed (sram_model.h). */
#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "gpu/energy/kept_rows.h"
#include "gpu/energy/sram_model.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define OF_CACHES "caches"
#define OF_AREAS "caches_areamin"

/* The tables of one name; never freed, since engines on other threads may hold them. */
struct shelf {
    char name[TABLE_NAME_MAX];
    struct sram_tables tables;
    struct shelf *next;
};

static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;
static struct shelf *shelves;

/* The digest of a large regular file that can be loaded; false: it is none. */
static bool digest_large(const char *file, struct digest *d)
{
    enum { LARGE_BYTES = 64 << 10 };
    struct filemap m;
    if (!filemap_open(&m, file, NULL)) return false;
    bool large = m.n >= LARGE_BYTES && m.n <= FILE_READ_MAX;
    if (large) *d = digest_bytes(m.bytes, m.n);
    filemap_close(&m);
    return large;
}

static bool load_file(struct sram_table *t, const char *file, struct error *e)
{
    struct digest text;
    bool large = digest_large(file, &text);
    if (large && kept_rows_find(t, file, text)) return true;
    if (!sram_table_load(t, file, e)) return false;
    if (large) kept_rows_store(t, text);
    return true;
}

static bool load_table(struct sram_table *t, const char *name, struct error *e)
{
    char relative[TABLE_NAME_MAX + 16];
    bool path = strchr(name, '/') != NULL;
    snprintf(relative, sizeof relative, "tables/%s.csv", name);
    char *file = path ? mem_strdup(name) : paths_config(relative);
    if (!file)
        return error_input(e,
                           "energy.table: no table '%s'; a file of configs/tables, or a path, is "
                           "allowed",
                           name);
    bool ok = load_file(t, file, e);
    mem_free(file);
    return ok;
}

static struct shelf *shelf_new(const char *name, struct error *e)
{
    struct shelf *s = mem_new(1, sizeof *s);
    if (!s) {
        error_no_memory(e);
        return NULL;
    }
    snprintf(s->name, sizeof s->name, "%s", name);
    s->tables.areas_wait = strcmp(name, OF_CACHES) == 0;
    if (load_table(&s->tables.caches, name, e) && load_table(&s->tables.rams, "ram", e)) return s;
    sram_table_fini(&s->tables.caches);
    mem_free(s);
    return NULL;
}

const struct sram_tables *sram_tables(const char *name, struct error *e)
{
    pthread_mutex_lock(&reading);
    struct shelf *s = shelves;
    while (s && strcmp(s->name, name) != 0)
        s = s->next;
    if (!s && (s = shelf_new(name, e))) {
        s->next = shelves;
        shelves = s;
    }
    pthread_mutex_unlock(&reading);
    return s ? &s->tables : NULL;
}

const struct sram_table *sram_areas(const struct sram_tables *t, struct error *e)
{
    bool ok = true;
    pthread_mutex_lock(&reading);
    for (struct shelf *s = shelves; s; s = s->next)
        if (&s->tables == t && s->tables.areas_wait) {
            ok = load_table(&s->tables.areas, OF_AREAS, e);
            s->tables.areas_wait = !ok;
        }
    pthread_mutex_unlock(&reading);
    return ok ? &t->areas : NULL;
}

/* library.c - the tables that come with the program or are the user's, read once (sram.h). */
#include "base/file.h"
#include "base/mem.h"
#include "base/paths.h"
#include "energy/sram.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define OF_CACHES "caches"

/* One per name of a table of caches; never freed: engines on other threads may hold them. */
struct shelf {
    char name[TABLE_NAME_MAX];
    struct sram_tables tables;
    struct shelf *next;
};

static bool load(struct sram_table *t, const char *name, struct error *e)
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
    bool ok = sram_table_load(t, file, e);
    mem_free(file);
    return ok;
}

static bool fill(struct shelf *s, const char *name, struct error *e)
{
    bool ours = strcmp(name, OF_CACHES) == 0;
    snprintf(s->name, sizeof s->name, "%s", name);
    return load(&s->tables.caches, name, e) && load(&s->tables.rams, "ram", e) &&
           (!ours || load(&s->tables.areas, "caches_areamin", e));
}

static struct shelf *shelf_new(const char *name, struct error *e)
{
    struct shelf *s = mem_new(1, sizeof *s);
    if (!s) {
        error_no_memory(e);
        return NULL;
    }
    if (fill(s, name, e)) return s;
    sram_table_fini(&s->tables.caches);
    sram_table_fini(&s->tables.rams);
    sram_table_fini(&s->tables.areas);
    mem_free(s);
    return NULL;
}

const struct sram_tables *sram_tables(const char *name, struct error *e)
{
    static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;
    static struct shelf *shelves;
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

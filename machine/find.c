/* find.c - the configuration directories as a list, and what is found in them; see machine.h.
 */
#include "machine/machine.h"

#include "base/file.h"
#include "base/mem.h"
#include "base/paths.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct names {
    char **item; /* NULL-terminated */
    size_t n, cap;
};

static void names_free(struct names *l)
{
    for (size_t i = 0; i < l->n; i++)
        mem_free(l->item[i]);
    mem_free(l->item);
    *l = (struct names){0};
}

static bool names_add(struct names *l, const char *bytes, size_t n)
{
    if (!mem_grow(&l->item, &l->cap, l->n + 2, sizeof *l->item)) return false;
    char *copy = mem_new(n + 1, 1);
    if (!copy) return false;
    memcpy(copy, bytes, n);
    l->item[l->n++] = copy;
    return true;
}

char **config_dirs(void)
{
    struct names l = {0};
    bool ok = true;
    for (unsigned i = 0; ok && i < paths_config_dirs(); i++) {
        char *dir = paths_config_dir(i);
        ok = dir && names_add(&l, dir, strlen(dir));
        mem_free(dir);
    }
    if (ok) return l.item;
    names_free(&l);
    return NULL;
}

void config_dirs_free(char **dirs)
{
    for (char **d = dirs; d && *d; d++)
        mem_free(*d);
    mem_free(dirs);
}

/* Adds the stems of dir/folder/ *.cfg; a directory that is not there has none. */
static bool add_stems(struct names *l, const char *dir, const char *folder)
{
    bool ok = true;
    char *path = file_join(dir, folder);
    DIR *d = path ? opendir(path) : NULL;
    for (struct dirent *entry; d && ok && (entry = readdir(d));) {
        size_t n = strlen(entry->d_name);
        if (n > 4 && entry->d_name[0] != '.' && strcmp(entry->d_name + n - 4, ".cfg") == 0)
            ok = names_add(l, entry->d_name, n - 4);
    }
    if (d) closedir(d);
    mem_free(path);
    return ok && path;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_and_unify(struct names *l)
{
    size_t kept = 0;
    qsort(l->item, l->n, sizeof *l->item, by_name);
    for (size_t i = 0; i < l->n; i++) {
        if (kept > 0 && strcmp(l->item[kept - 1], l->item[i]) == 0)
            mem_free(l->item[i]);
        else
            l->item[kept++] = l->item[i];
    }
    l->item[kept] = NULL;
    l->n = kept;
}

char **config_names(const char *folder, struct error *e)
{
    struct names l = {0};
    char **dirs = config_dirs();
    bool ok = dirs && mem_grow(&l.item, &l.cap, 1, sizeof *l.item);
    for (char **d = dirs; ok && *d; d++)
        ok = add_stems(&l, *d, folder);
    config_dirs_free(dirs);
    if (!ok) {
        names_free(&l);
        error_no_memory(e);
        return NULL;
    }
    sort_and_unify(&l);
    return l.item;
}

char **machine_presets(struct error *e)
{
    return config_names("gpus", e);
}

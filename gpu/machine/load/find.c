/* find.c - the files in a folder of the configuration directories; see machine.h. */
#include "gpu/machine/machine.h"

#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "base/text/name_list.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void machine_config_dirs_free(char **dirs)
{
    for (char **d = dirs; d && *d; d++)
        mem_free(*d);
    mem_free(dirs);
}

/* Adds the stems of dir/folder/ *.cfg; a missing directory adds none. */
static bool add_stems(struct name_list *l, const char *dir, const char *folder)
{
    bool ok = true;
    char *path = file_join(dir, folder);
    DIR *d = path ? opendir(path) : NULL;
    for (struct dirent *entry; d && ok && (entry = readdir(d));) {
        size_t n = strlen(entry->d_name);
        if (n > 4 && entry->d_name[0] != '.' && strcmp(entry->d_name + n - 4, ".cfg") == 0)
            ok = name_list_add(l, entry->d_name, n - 4);
    }
    if (d) closedir(d);
    mem_free(path);
    return ok && path;
}

char **machine_config_names(const char *folder, struct error *e)
{
    struct name_list l = {0};
    char **dirs = paths_config_dirs();
    bool ok = dirs && name_list_init(&l);
    for (char **d = dirs; ok && *d; d++)
        ok = add_stems(&l, *d, folder);
    paths_config_dirs_free(dirs);
    if (!ok) {
        name_list_fini(&l);
        error_no_memory(e);
        return NULL;
    }
    name_list_sort(&l);
    return l.item;
}

char **machine_presets(struct error *e)
{
    return machine_config_names("gpus", e);
}

/* plan_paths.c - see plan_paths.h. */
#include "sweeps/plan/plan_paths.h"

#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "gpu/machine/machine.h"

#include <string.h>

static char *path_beside(const char *from, const char *spec)
{
    const char *slash = strrchr(from, '/');
    if (!slash) return NULL;
    char *dir = mem_strdup(from);
    if (!dir) return NULL;
    dir[slash == from ? 1 : slash - from] = '\0';
    char *path = file_join(dir, spec);
    mem_free(dir);
    if (path && file_may_exist(path)) return path;
    mem_free(path);
    return NULL;
}

char *plan_find_input(const char *from, const char *spec)
{
    if (spec[0] != '/') {
        char *near = path_beside(from, spec);
        if (near) return near;
    }
    if (file_may_exist(spec)) return mem_strdup(spec);
    return spec[0] == '/' ? NULL : paths_config(spec);
}

/* paths.c - see paths.h. */
#include "base/paths.h"

#include "base/file.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static char *copy_span(const char *s, size_t n)
{
    char *copy = mem_new(n + 1, 1);
    if (copy) memcpy(copy, s, n);
    return copy;
}

static const char *const fixed[] = {PLUMB_SOURCE_CONFIG_DIR, PLUMB_CONFIG_DIR};
enum { N_FIXED = sizeof fixed / sizeof *fixed };

unsigned paths_config_dirs(void)
{
    const char *list = getenv("PLUMB_CONFIG_PATH");
    unsigned n = N_FIXED;
    while (list && *list) {
        size_t span = strcspn(list, ":");
        n += span > 0;
        list += span + (list[span] == ':');
    }
    return n;
}

char *paths_config_dir(unsigned i)
{
    const char *list = getenv("PLUMB_CONFIG_PATH");
    while (list && *list) {
        size_t n = strcspn(list, ":");
        if (n > 0 && i-- == 0) return copy_span(list, n);
        list += n + (list[n] == ':');
    }
    return i < N_FIXED ? mem_strdup(fixed[i]) : NULL;
}

char *paths_config(const char *relative)
{
    char *dir;
    for (unsigned i = 0; (dir = paths_config_dir(i)); i++) {
        char *path = file_join(dir, relative);
        mem_free(dir);
        if (path && file_exists(path)) return path;
        mem_free(path);
    }
    return NULL;
}

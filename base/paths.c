/* paths.c - see paths.h. */
#include "base/paths.h"

#include "base/file.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *copy_span(const char *s, size_t n)
{
    char *copy = mem_new(n + 1, 1);
    if (copy) memcpy(copy, s, n);
    return copy;
}

enum { N_FIXED = 2 };

/* A program that runs where it was built belongs to its source tree; an installed one has data of
 * its own. */
static bool runs_where_built(void)
{
    static const char build[] = PLUMB_BUILD_DIR "/";
    char self[sizeof build];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    return n == (ssize_t)(sizeof build - 1) && memcmp(self, build, sizeof build - 1) == 0;
}

static const char *fixed_dir(unsigned i)
{
    static const char *const dir[N_FIXED] = {PLUMB_SOURCE_CONFIG_DIR, PLUMB_CONFIG_DIR};
    return dir[runs_where_built() ? i : N_FIXED - 1 - i];
}

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
    return i < N_FIXED ? mem_strdup(fixed_dir(i)) : NULL;
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

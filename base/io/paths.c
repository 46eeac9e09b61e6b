/* paths.c - see paths.h. */
#include "base/io/paths.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"

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

/* The directory of the running program; false: unknown. */
static bool binary_dir(char *out, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", out, size - 1);
    if (n <= 0 || (size_t)n >= size - 1) return false;
    out[n] = '\0';
    char *slash = strrchr(out, '/');
    if (slash) *slash = '\0';
    return slash != NULL;
}

/* Whether the program runs in its build directory and so belongs to its source tree. */
static bool runs_where_built(const char *dir)
{
    static const char build[] = PLUMB_BUILD_DIR;
    size_t n = sizeof build - 1;
    return strncmp(dir, build, n) == 0 && (dir[n] == '/' || dir[n] == '\0');
}

enum { N_FIXED = 2 };

/* The i-th directory that does not depend on the environment. An installation's data are found
 * relative to the program, so that the whole installation can be moved. */
static char *fixed_dir(unsigned i)
{
    char dir[4096];
    bool known = binary_dir(dir, sizeof dir);
    bool source = (i == 0) == (known && runs_where_built(dir));
    if (source) return mem_strdup(PLUMB_SOURCE_CONFIG_DIR);
    return known ? file_join(dir, PLUMB_DATA_FROM_BINARY) : mem_strdup(PLUMB_CONFIG_DIR);
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
    return i < N_FIXED ? fixed_dir(i) : NULL;
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

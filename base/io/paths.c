/* paths.c - see paths.h. */
#include "base/io/paths.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"

#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static char *copy_span(const char *s, size_t n)
{
    char *copy = mem_new(n + 1, 1);
    if (copy) memcpy(copy, s, n);
    return copy;
}

/* Where this code was loaded from. */
struct home {
    char dir[PATHS_LENGTH]; /* "": unknown */
    const char *data;       /* from there to the installed files */
};

/* Whether this code lies in a shared library; then *out is its path. */
static bool find_library(char out[PATHS_LENGTH])
{
    Dl_info info;
    const char *name = dladdr((const void *)&paths_config, &info) ? info.dli_fname : NULL;
    const char *slash = name ? strrchr(name, '/') : NULL;
    return name && strstr(slash ? slash : name, ".so") && realpath(name, out);
}

bool paths_program(char out[PATHS_LENGTH])
{
    ssize_t n = readlink("/proc/self/exe", out, PATHS_LENGTH - 1);
    out[n > 0 && n < PATHS_LENGTH - 1 ? n : 0] = '\0';
    if (access(out, X_OK) != 0) out[0] = '\0';
    return out[0] != '\0';
}

static void find_home(struct home *h)
{
    h->data = PLUMB_DATA_FROM_LIBRARY;
    if (!find_library(h->dir)) {
        paths_program(h->dir);
        h->data = PLUMB_DATA_FROM_BINARY;
    }
    char *slash = strrchr(h->dir, '/');
    if (slash) *slash = '\0';
}

/* Whether the code lies in its build directory and so belongs to its source tree. */
static bool runs_where_built(const char *dir)
{
    static const char build[] = PLUMB_BUILD_DIR;
    size_t n = sizeof build - 1;
    return strncmp(dir, build, n) == 0 && (dir[n] == '/' || dir[n] == '\0');
}

enum { N_FIXED = 3 };

/* The i-th directory that does not depend on the environment. An installation's data are found
 * relative to the program or library, so that the whole installation can be moved; the last place
 * is for programs elsewhere that the library was linked into. */
static char *fixed_dir(unsigned i)
{
    struct home h;
    find_home(&h);
    bool source = (i == 0) == runs_where_built(h.dir);
    if (i == 2) return mem_strdup(PLUMB_CONFIG_DIR);
    if (source) return mem_strdup(PLUMB_SOURCE_CONFIG_DIR);
    return h.dir[0] ? file_join(h.dir, h.data) : mem_strdup(PLUMB_CONFIG_DIR);
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

/* The name of the folder's entry that the first n bytes of `name` spell in other cases; the first
 * in the alphabet. NULL: none, or out of memory. */
static char *other_case(const char *folder, const char *name, size_t n)
{
    DIR *d = opendir(folder);
    char *found = NULL;
    for (struct dirent *entry; d && (entry = readdir(d));) {
        const char *has = entry->d_name;
        if (strlen(has) != n || strncasecmp(has, name, n) != 0) continue;
        if (found && strcmp(found, has) < 0) continue;
        mem_free(found);
        found = mem_strdup(has);
    }
    if (d) closedir(d);
    return found;
}

/* dir/relative in whatever case it is spelled there; takes dir over. NULL: there is none. */
static char *find_in_any_case(char *dir, const char *relative)
{
    while (dir && *relative) {
        size_t n = strcspn(relative, "/");
        char *name = other_case(dir, relative, n), *path = name ? file_join(dir, name) : NULL;
        mem_free(name);
        mem_free(dir);
        dir = path;
        relative += n + strspn(relative + n, "/");
    }
    return dir;
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
    bool plain = relative[0] != '/' && !strstr(relative, "..");
    for (unsigned i = 0; plain && (dir = paths_config_dir(i)); i++) {
        char *path = find_in_any_case(dir, relative);
        if (path) return path;
    }
    return NULL;
}

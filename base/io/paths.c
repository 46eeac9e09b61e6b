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
static char *fixed_dir(const struct home *h, unsigned i)
{
    bool source = (i == 0) == runs_where_built(h->dir);
    if (i == 2) return mem_strdup(PLUMB_CONFIG_DIR);
    if (source) return mem_strdup(PLUMB_SOURCE_CONFIG_DIR);
    return h->dir[0] ? file_join(h->dir, h->data) : mem_strdup(PLUMB_CONFIG_DIR);
}

/* --- the list of directories --- */

struct dirs {
    char **item;
    size_t n, cap;
};

/* Takes dir over. */
static bool add_dir(struct dirs *d, char *dir)
{
    if (!dir || !mem_grow(&d->item, &d->cap, d->n + 2, sizeof *d->item)) {
        mem_free(dir);
        return false;
    }
    d->item[d->n++] = dir;
    d->item[d->n] = NULL;
    return true;
}

/* The folder `papers` beside a directory; NULL: "." and the like have no name to replace, or no
 * memory. */
static char *shelf_beside(const char *dir)
{
    static const char shelf[] = "papers";
    size_t n = strlen(dir);
    while (n > 1 && dir[n - 1] == '/')
        n--;
    size_t start = n;
    while (start > 0 && dir[start - 1] != '/')
        start--;
    bool named = start + strspn(dir + start, ".") < n;
    char *path = named ? mem_new(start + sizeof shelf, 1) : NULL;
    if (!path) return NULL;
    memcpy(path, dir, start);
    memcpy(path + start, shelf, sizeof shelf);
    return path;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the papers' folders beside the configuration directory, in alphabetical order. */
static bool add_papers(struct dirs *d, const char *config)
{
    char *shelf = shelf_beside(config);
    DIR *entries = shelf ? opendir(shelf) : NULL;
    size_t first = d->n;
    bool ok = true;
    for (struct dirent *entry; entries && ok && (entry = readdir(entries));) {
        char *dir = entry->d_name[0] == '.' ? NULL : file_join(shelf, entry->d_name);
        if (dir && paths_is_paper(dir))
            ok = add_dir(d, dir);
        else
            mem_free(dir);
    }
    if (entries) closedir(entries);
    mem_free(shelf);
    if (d->n > first) qsort(d->item + first, d->n - first, sizeof *d->item, compare_paths);
    return ok;
}

static void free_dirs(struct dirs *d)
{
    paths_config_dirs_free(d->item);
    *d = (struct dirs){0};
}

/* The directories without the papers' folders beside them. */
static bool find_plain(struct dirs *d)
{
    struct home h;
    const char *list = getenv("PLUMB_CONFIG_PATH");
    bool ok = true;
    find_home(&h);
    while (ok && list && *list) {
        size_t n = strcspn(list, ":");
        if (n > 0) ok = add_dir(d, copy_span(list, n));
        list += n + (list[n] == ':');
    }
    for (unsigned i = 0; ok && i < N_FIXED; i++)
        ok = add_dir(d, fixed_dir(&h, i));
    return ok;
}

char **paths_config_dirs(void)
{
    struct dirs plain = {0}, all = {0};
    bool ok = find_plain(&plain);
    for (size_t i = 0; ok && i < plain.n; i++)
        ok = add_dir(&all, mem_strdup(plain.item[i])) && add_papers(&all, plain.item[i]);
    free_dirs(&plain);
    if (!ok) free_dirs(&all);
    return all.item;
}

void paths_config_dirs_free(char **dirs)
{
    for (char **d = dirs; d && *d; d++)
        mem_free(*d);
    mem_free(dirs);
}

bool paths_is_paper(const char *dir)
{
    char *file = file_join(dir, "paper.cfg");
    bool is = file && file_exists(file);
    mem_free(file);
    return is;
}

/* --- files in them --- */

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

static char *find_exact(const char *dir, const char *relative)
{
    char *path = file_join(dir, relative);
    if (path && file_exists(path)) return path;
    mem_free(path);
    return NULL;
}

/* Lists a papers' shelf only where the directories before it do not have the file. */
char *paths_config_exact(const char *relative)
{
    struct dirs plain = {0}, papers = {0};
    char *path = NULL;
    find_plain(&plain);
    for (size_t i = 0; i < plain.n && !path; i++) {
        path = find_exact(plain.item[i], relative);
        if (!path) add_papers(&papers, plain.item[i]);
        for (size_t k = 0; k < papers.n && !path; k++)
            path = find_exact(papers.item[k], relative);
        free_dirs(&papers);
    }
    free_dirs(&plain);
    return path;
}

char *paths_config(const char *relative)
{
    char *path = paths_config_exact(relative);
    bool has_cases = !path && relative[0] != '/' && !strstr(relative, "..");
    char **dirs = has_cases ? paths_config_dirs() : NULL;
    for (char **dir = dirs; dir && *dir && !path; dir++)
        path = find_in_any_case(mem_strdup(*dir), relative);
    paths_config_dirs_free(dirs);
    return path;
}

/* capture_find.c - looks for Oclgrind's OpenCL and for plumb's two libraries: where an environment
 * variable says, then beside the program, then where they are installed. */
#include "cli/trace/capture_find.h"

#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *first_file(const char *const *path, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (path[i] && file_exists(path[i])) return mem_strdup(path[i]);
    return NULL;
}

static bool find_icd(struct capture_parts *p, struct error *e)
{
    const char *const path[] = {getenv("PLUMB_OCLGRIND_ICD"),
                                "/usr/lib/oclgrind/liboclgrind-rt-icd.so",
                                "/usr/local/lib/oclgrind/liboclgrind-rt-icd.so"};
    p->icd = first_file(path, sizeof path / sizeof *path);
    return p->icd || error_run(e,
                               "Oclgrind is not installed (no %s); install the packages of "
                               "'scripts/deps.sh --capture', or set PLUMB_OCLGRIND_ICD",
                               path[1]);
}

static char *find_library(const char *name, struct error *e)
{
    const char *dir = getenv("PLUMB_PLUGIN_DIR");
    char self[PATHS_LENGTH], path[3][PATH_MAX + 64] = {""};
    paths_program(self);
    char *slash = strrchr(self, '/');
    if (slash) *slash = '\0';
    if (dir) snprintf(path[0], sizeof path[0], "%s/%s", dir, name);
    snprintf(path[1], sizeof path[1], "%s/trace/oclgrind/%s", self, name);
    snprintf(path[2], sizeof path[2], "%s/../lib/plumb/%s", self, name);
    const char *const all[] = {path[0], path[1], path[2]};
    char *found = first_file(all, 3);
    if (!found)
        error_run(e,
                  "%s is neither in %s nor in %s/../lib/plumb; run 'scripts/deps.sh --capture' and "
                  "build plumb again, or set PLUMB_PLUGIN_DIR",
                  name, dir ? dir : "$PLUMB_PLUGIN_DIR", self);
    return found;
}

bool capture_find(struct capture_parts *p, struct error *e)
{
    *p = (struct capture_parts){0};
    if (!find_icd(p, e)) return false;
    p->plugin = find_library("libplumb_capture.so", e);
    p->preload = p->plugin ? find_library("libplumb_preload.so", e) : NULL;
    return p->preload;
}

void capture_parts_fini(struct capture_parts *p)
{
    mem_free(p->icd);
    mem_free(p->plugin);
    mem_free(p->preload);
    *p = (struct capture_parts){0};
}

/* --- CUDA --- */

static bool names_runtime(const char *path)
{
    struct filemap m;
    struct error e = {0};
    static const char runtime[] = "libplumb_cudart.so";
    if (!file_exists(path) || !filemap_open(&m, path, &e)) return false;
    bool elf = m.n > 4 && memcmp(m.bytes, "\177ELF", 4) == 0;
    bool found = elf && memmem(m.bytes, m.n, runtime, sizeof runtime - 1);
    filemap_close(&m);
    return found;
}

bool capture_is_cuda(const char *program)
{
    const char *path = getenv("PATH");
    if (strchr(program, '/')) return names_runtime(program);
    while (path && *path) { /* as execvp does: the first that is there */
        char full[PATH_MAX];
        int n = (int)strcspn(path, ":");
        snprintf(full, sizeof full, "%.*s/%s", n, path, program);
        if (access(full, X_OK) == 0) return names_runtime(full);
        path += n + (path[n] == ':');
    }
    return false;
}

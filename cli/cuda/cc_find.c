/* cc_find.c - where the parts of `plumb cc` are: beside the program that was built, or installed.
 */
#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "cli/cuda/cc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_installed(const char *program)
{
    const char *path = getenv("PATH");
    bool found = false;
    while (path && *path && !found) {
        size_t n = strcspn(path, ":");
        struct text t = {0};
        text_add(&t, "%.*s/%s", (int)n, path, program);
        found = access(text_str(&t), X_OK) == 0;
        text_fini(&t);
        path += n + (path[n] == ':');
    }
    return found;
}

static char *first_of(const char *self, const char *a, const char *b)
{
    const char *const all[] = {a, b};
    char *found = NULL;
    for (size_t i = 0; i < 2 && !found; i++) {
        struct text t = {0};
        text_add(&t, "%s/%s", self, all[i]);
        char *real = realpath(text_str(&t), NULL);
        found = real ? mem_strdup(real) : NULL;
        free(real);
        text_fini(&t);
    }
    return found;
}

bool cc_find(struct cc_parts *p, struct error *e)
{
    *p = (struct cc_parts){0};
    if (!is_installed("clang++-14") || !is_installed("llc-14"))
        return error_run(e, "compiling CUDA needs clang 14; on Debian: apt install clang-14 "
                            "llvm-14-dev");
    char self[PATHS_LENGTH];
    paths_program(self);
    char *slash = strrchr(self, '/');
    if (slash) *slash = '\0';
    p->plugin = first_of(self, "trace/cuda/libplumb_cuda.so", "../lib/plumb/libplumb_cuda.so");
    p->runtime = first_of(self, "trace/cuda/libplumb_cudart.so", "../lib/plumb/libplumb_cudart.so");
    p->library = first_of(self, "trace/cuda/libdevice.plumb.bc", "../lib/plumb/libdevice.plumb.bc");
    p->headers = first_of(self, "trace/cuda/include", "../share/plumb/cuda");
    p->driver = first_of(self, "plumb-nvcc", "../bin/plumb-nvcc");
    if (!p->plugin || !p->runtime || !p->library || !p->headers)
        return error_run(e,
                         "what compiles CUDA is not beside this program (looked in %s/trace/cuda "
                         "and %s/../lib/plumb): run plumb from its build folder, or install it; a "
                         "plumb that was built without clang-14 and llvm-14-dev has no such part",
                         self, self);
    p->folder = mem_strdup(p->runtime);
    if (!p->folder) return error_no_memory(e);
    *strrchr(p->folder, '/') = '\0';
    return true;
}

void cc_parts_fini(struct cc_parts *p)
{
    mem_free(p->plugin);
    mem_free(p->runtime);
    mem_free(p->library);
    mem_free(p->headers);
    mem_free(p->folder);
    mem_free(p->driver);
    *p = (struct cc_parts){0};
}

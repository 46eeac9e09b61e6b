/* keep.c - keeps Oclgrind and LLVM alive until the process is gone; preloaded by `plumb trace
 * capture`.
 *
 * Many C++ programs release OpenCL objects in destructors of static objects.  By then the
 * destructors of Oclgrind's thread-local call stack and of LLVM's own static objects have run, and
 * the heap is corrupted.  Nothing is lost when those never run: the process ends. */
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef int registering(void (*destructor)(void *), void *object, void *library);

registering __cxa_atexit, __cxa_thread_atexit_impl; /* glibc's, not declared in its headers */

/* Of a few thousand functions, nearly all LLVM's: dladdr would take seconds. */
static bool is_kept(void (*destructor)(void *))
{
    struct dl_find_object found;
    void *address;
    memcpy(&address, &destructor, sizeof address);
    if (_dl_find_object(address, &found) != 0) return false;
    const char *name = found.dlfo_link_map->l_name;
    return strstr(name, "/liboclgrind") || strstr(name, "/libLLVM-14");
}

static int pass_on(const char *name, void (*destructor)(void *), void *object, void *library)
{
    if (is_kept(destructor)) return 0;
    registering *real;
    void *address = dlsym(RTLD_NEXT, name);
    if (!address) return -1;
    memcpy(&real, &address, sizeof real);
    return real(destructor, object, library);
}

__attribute__((visibility("default"))) int __cxa_atexit(void (*destructor)(void *), void *object,
                                                        void *library)
{
    return pass_on("__cxa_atexit", destructor, object, library);
}

__attribute__((visibility("default"))) int __cxa_thread_atexit_impl(void (*destructor)(void *),
                                                                    void *object, void *library)
{
    return pass_on("__cxa_thread_atexit_impl", destructor, object, library);
}

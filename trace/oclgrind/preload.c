/* preload.c - the library that `plumb trace capture` preloads into the program.
 *
 * 1. It keeps Oclgrind and LLVM loaded until the process has ended. Many C++ programs release
 * OpenCL objects in destructors of static objects. By then the destructors of Oclgrind's
 * thread-local call stack and of LLVM's own static objects have run, and the heap is corrupted.
 * Nothing is lost if those never run, since the process ends.
 *
 * 2. Oclgrind's device claims to be a GPU, a CPU and an accelerator at once. Programs that insist
 * on a GPU refuse it, and libraries take it for a CPU and run one work-item per core. Here it
 * claims to be a GPU.
 *
 * 3. A launch may leave its work-group's size to the driver (a local size of NULL). Oclgrind then
 * makes groups of one work-item, which no GPU's driver does; here they are as groups.h says.
 *
 * 4. It hands each kernel to the plugin before Oclgrind numbers its values (unroll.h): of itself
 * Oclgrind tells its plugins of a kernel only when it runs. */
#include "trace/oclgrind/groups.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CL_DEVICE_TYPE = 0x1000, CL_DEVICE_TYPE_GPU = 4, CL_OUT_OF_HOST_MEMORY = -6 };
enum { CL_QUEUE_DEVICE = 0x1091, CL_KERNEL_COMPILE_WORK_GROUP_SIZE = 0x11B1 };

typedef int asking(void *device, uint32_t what, size_t size, void *value, size_t *size_ret);
typedef int asking_of_kernel(void *kernel, void *device, uint32_t what, size_t size, void *value,
                             size_t *size_ret);
typedef int launching(void *queue, void *kernel, uint32_t dimensions, const size_t *offset,
                      const size_t *global, const size_t *local, uint32_t waits, void *const *wait,
                      void **event);
typedef int registering(void (*destructor)(void *), void *object, void *library);

registering __cxa_atexit, __cxa_thread_atexit_impl; /* glibc's, not declared in its headers */
asking clGetDeviceInfo;
launching clEnqueueNDRangeKernel;

/* Whether a destructor belongs to Oclgrind or LLVM. dladdr would take seconds for these few
 * thousand functions, nearly all LLVM's. */
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

/* Finds a function of the OpenCL loader, which possibly only a library that the program has opened
 * has loaded. */
static void *loaders(const char *name)
{
    void *address = dlsym(RTLD_NEXT, name);
    void *loader = address ? NULL : dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_NOLOAD);
    return loader ? dlsym(loader, name) : address;
}

__attribute__((visibility("default"))) int clGetDeviceInfo(void *device, uint32_t what, size_t size,
                                                           void *value, size_t *size_ret)
{
    static const uint64_t gpu = CL_DEVICE_TYPE_GPU;
    asking *real;
    void *address = loaders("clGetDeviceInfo");
    if (!address) return CL_OUT_OF_HOST_MEMORY;
    memcpy(&real, &address, sizeof real);
    int status = real(device, what, size, value, size_ret);
    if (status == 0 && what == CL_DEVICE_TYPE && value) memcpy(value, &gpu, sizeof gpu);
    return status;
}

/* A function of a library that is loaded. */
static void *find_loaded(const char *library, const char *name)
{
    void *handle = library ? dlopen(library, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *address = handle ? dlsym(handle, name) : NULL;
    if (address) return address;
    fprintf(stderr, "OCLGRIND FATAL ERROR\n%s has no %s\n", library ? library : "", name);
    abort();
}

/* The group that the kernel's source demands; false: none. */
static bool demanded_group(void *queue, void *kernel, size_t group[GROUP_DIMENSIONS])
{
    asking *of_queue;
    asking_of_kernel *of_kernel;
    void *device, *ask_queue = loaders("clGetCommandQueueInfo"),
                  *ask_kernel = loaders("clGetKernelWorkGroupInfo");
    if (!ask_queue || !ask_kernel) return false;
    memcpy(&of_queue, &ask_queue, sizeof of_queue);
    memcpy(&of_kernel, &ask_kernel, sizeof of_kernel);
    size_t bytes = GROUP_DIMENSIONS * sizeof *group;
    return of_queue(queue, CL_QUEUE_DEVICE, sizeof device, (void *)&device, NULL) == 0 &&
           of_kernel(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, bytes, group, NULL) == 0 &&
           group[0] != 0;
}

static void tell_choice(void)
{
    void (*real)(void);
    const char *plugin = getenv("OCLGRIND_PLUGINS");
    void *handle = plugin ? dlopen(plugin, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *address = handle ? dlsym(handle, "plumb_chose_group") : NULL;
    if (!address) return; /* the plugin could not be loaded: Oclgrind says so */
    memcpy(&real, &address, sizeof real);
    real();
}

__attribute__((visibility("default"))) int
clEnqueueNDRangeKernel(void *queue, void *kernel, uint32_t dimensions, const size_t *offset,
                       const size_t *global, const size_t *local, uint32_t waits, void *const *wait,
                       void **event)
{
    size_t group[GROUP_DIMENSIONS];
    launching *real;
    void *address = loaders("clEnqueueNDRangeKernel");
    if (!address) return CL_OUT_OF_HOST_MEMORY;
    memcpy(&real, &address, sizeof real);
    if (!local && global && dimensions >= 1 && dimensions <= GROUP_DIMENSIONS) {
        const char *width = getenv("PLUMB_TRACE_WIDTH");
        local = group;
        if (!demanded_group(queue, kernel, group)) {
            choose_group(dimensions, global, width ? strtoul(width, NULL, 10) : 0, group);
            tell_choice();
        }
    }
    return real(queue, kernel, dimensions, offset, global, local, waits, wait, event);
}

/* oclgrind::InterpreterCache::InterpreterCache(llvm::Function *) */
#define NUMBER_VALUES "_ZN8oclgrind16InterpreterCacheC1EPN4llvm8FunctionE"
typedef void numbering(void *cache, void *function);
numbering number_values __asm__(NUMBER_VALUES);

static void unroll(void *function)
{
    void (*real)(void *);
    void *address = find_loaded(getenv("OCLGRIND_PLUGINS"), "plumb_unroll");
    memcpy(&real, &address, sizeof real);
    real(function);
}

__attribute__((visibility("default"))) void number_values(void *cache, void *function)
{
    numbering *real;
    void *address = find_loaded("liboclgrind-21.10.so", NUMBER_VALUES);
    memcpy(&real, &address, sizeof real);
    if (getenv("PLUMB_TRACE_UNROLL")) unroll(function);
    real(cache, function);
}

/* launch.c - see launch.h. */
#include "trace/cuda/runtime/launch.h"

#include "base/memory/alloc.h"
#include "trace/cuda/runtime/cta.h"
#include "trace/cuda/runtime/lock.h"
#include "trace/cuda/runtime/meet.h"
#include "trace/cuda/runtime/memory.h"
#include "trace/cuda/runtime/record.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define EXPORTED __attribute__((visibility("default")))

struct module {
    const struct cuda_module *code;
    struct kernel_code *kernel; /* of each; read when it is first launched */
    bool *read;
};
struct named {
    const void *host;
    const struct module *module;
    uint64_t index;     /* of a kernel */
    size_t shared_most; /* bytes of shared memory that it may have */
    void *address;      /* of a variable */
    uint64_t bytes;
};

static struct {
    struct module **module;
    struct named *kernel, *variable;
    size_t n_modules, modules_cap, n_kernels, kernels_cap, n_variables, variables_cap;
    bool started, could_start, exiting;
    cudaError_t broken;
    struct cta_launch launch;
    char name[256];
} state;
static _Thread_local cudaError_t last_error;
static _Thread_local struct {
    dim3 grid, block;
    size_t shared;
    void *stream;
} pushed;

/* --- start and end --- */

static void finish_runtime(int status, void *unused)
{
    (void)unused;
    record_finish(status);
}

/* An access of compiled code to what is no memory at all. */
static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (!cta.launch || !cta.running) {
        signal(number, SIG_DFL);
        return;
    }
    uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
    struct lane *l = cta.running;
    l->visit = cta_now()->visit;
    l->word = cta_now()->word;
    const struct kernel_code *code = cta.launch->code;
    uint32_t line = code->n_accesses ? meet_line(l, address) : 0;
    uint64_t top = cta_stack_top((uint32_t)(l - cta.lane), code->deep);
    if (number == SIGSEGV &&
        info->si_code == SI_KERNEL) { /* of no address: vector accesses must be aligned */
        cta.fault = FAULT_CROOKED;
        cta_fail(l, meet_line_crooked(l),
                 "a thread accesses a vector at an address that is no "
                 "multiple of its size");
    }
    if (number == SIGFPE) cta_fail(l, line, "a thread divides a whole number by 0");
    if (address < top && top - address < (UINT64_C(1) << 20))
        cta_fail(l, line, "a thread's stack is full");
    const struct memory_range *r = memory_below(address);
    if (r && address - r->host < (UINT64_C(1) << 32))
        cta_fail(l, line, "a thread accesses memory at offset %lu of an allocation of %lu bytes",
                 (unsigned long)(address - r->host), (unsigned long)r->bytes);
    cta_fail(l, line, "a thread accesses memory at 0x%lx, which is no device memory%s",
             (unsigned long)address, address < 4096 ? " (a null pointer)" : "");
}

static bool catch_faults(void)
{
    enum { STACK = 64 * 1024 };
    stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    return stack.ss_sp && sigaltstack(&stack, NULL) == 0 &&
           sigaction(SIGSEGV, &action, NULL) == 0 && sigaction(SIGBUS, &action, NULL) == 0 &&
           sigaction(SIGFPE, &action, NULL) == 0;
}

cudaError_t launch_init(void)
{
    if (!state.started) {
        state.started = true;
        state.could_start = memory_init() && cta_init() && catch_faults();
        if (!state.could_start)
            fprintf(stderr,
                    "plumb: the memory at fixed addresses for CUDA's device cannot be had\n");
        for (size_t m = 0; m < state.n_modules; m++)
            for (uint64_t v = 0; v < state.module[m]->code->n_variables; v++) {
                const struct cuda_variable *x = &state.module[m]->code->variable[v];
                memory_add(x->cell ? *x->cell : x->address, x->bytes);
            }
        record_init();
        on_exit(finish_runtime, NULL);
    }
    return state.could_start ? cudaSuccess : cudaErrorInitializationError;
}

cudaError_t launch_result(cudaError_t e)
{
    if (e != cudaSuccess && e != cudaErrorNotReady) last_error = e;
    return e;
}

cudaError_t launch_broken(void)
{
    cudaError_t e = launch_init();
    return e != cudaSuccess ? e : state.broken;
}

EXPORTED cudaError_t cudaGetLastError(void)
{
    cudaError_t e = state.broken ? state.broken : last_error;
    last_error = cudaSuccess;
    return e;
}

EXPORTED cudaError_t cudaPeekAtLastError(void)
{
    return state.broken ? state.broken : last_error;
}

/* --- modules --- */

EXPORTED void plumb_cuda_module(const void *row);
void plumb_cuda_module(const void *row)
{
    struct module *m = mem_new(1, sizeof *m);
    bool ok =
        m && mem_grow(&state.module, &state.modules_cap, state.n_modules + 1, sizeof *state.module);
    if (!ok) abort();
    m->code = row;
    if (m->code->version != CUDA_MODULE_VERSION) {
        fprintf(stderr, "plumb: the program was compiled by another plumb; compile it again\n");
        exit(1);
    }
    cta.width = (uint32_t)m->code->warp;
    m->kernel = mem_new(m->code->n_kernels + 1, sizeof *m->kernel);
    m->read = mem_new(m->code->n_kernels + 1, sizeof *m->read);
    if (!m->kernel || !m->read) abort();
    state.module[state.n_modules++] = m;
}

/* What clang's registration hands over for a "GPU binary": here the module's name. */
struct binary {
    int magic, version;
    const char *id;
    void *unused;
};

EXPORTED void **__cudaRegisterFatBinary(const struct binary *b);
EXPORTED void __cudaRegisterFatBinaryEnd(void **handle);
EXPORTED void __cudaUnregisterFatBinary(void **handle);
EXPORTED int __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name,
                                    int limit, void *tid, void *bid, void *bdim, void *gdim,
                                    int *size);
EXPORTED void __cudaRegisterTexture(void **handle, const void *host, const void *device,
                                    const char *name, int type, int normalized, int external);
EXPORTED void __cudaRegisterVar(void **handle, const void *host, char *device, const char *name,
                                int external, size_t bytes, int constant, int global);

void **__cudaRegisterFatBinary(const struct binary *b)
{
    for (size_t i = 0; i < state.n_modules; i++)
        if (strstr(state.module[i]->code->id, b->id)) return (void **)state.module[i];
    return NULL;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

int __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name,
                           int limit, void *tid, void *bid, void *bdim, void *gdim, int *size)
{
    const struct module *m = (const struct module *)handle;
    (void)device, (void)limit, (void)tid, (void)bid, (void)bdim, (void)gdim, (void)size;
    for (uint64_t k = 0; m && k < m->code->n_kernels; k++) {
        if (strcmp(m->code->kernel[k].name, name) != 0) continue;
        if (!mem_grow(&state.kernel, &state.kernels_cap, state.n_kernels + 1, sizeof *state.kernel))
            abort();
        state.kernel[state.n_kernels++] =
            (struct named){.host = host, .module = m, .index = k, .shared_most = LAUNCH_SHARED};
    }
    return 0;
}

/* A managed variable lies where the host has it. */
static void *share_managed(const struct cuda_variable *x, const void *host, size_t bytes)
{
    void *place = (void *)(uintptr_t)host;
    memcpy(place, x->address, bytes);
    *x->cell = place;
    return place;
}

void __cudaRegisterVar(void **handle, const void *host, char *device, const char *name,
                       int external, size_t bytes, int constant, int global)
{
    const struct module *m = (const struct module *)handle;
    (void)device, (void)external, (void)constant, (void)global;
    for (uint64_t v = 0; m && v < m->code->n_variables; v++) {
        const struct cuda_variable *x = &m->code->variable[v];
        if (strcmp(x->name, name) != 0) continue;
        if (!mem_grow(&state.variable, &state.variables_cap, state.n_variables + 1,
                      sizeof *state.variable))
            abort();
        void *place = x->cell ? share_managed(x, host, bytes) : x->address;
        state.variable[state.n_variables++] =
            (struct named){.host = host, .module = m, .address = place, .bytes = bytes};
    }
}

/* A texture reference: the device's is a handle. */
void __cudaRegisterTexture(void **handle, const void *host, const void *device, const char *name,
                           int type, int normalized, int external)
{
    (void)type, (void)normalized;
    __cudaRegisterVar(handle, host, (char *)(uintptr_t)device, name, external, 8, 0, 0);
}

void *launch_variable(const void *host, size_t *bytes)
{
    for (size_t i = 0; i < state.n_variables; i++) {
        if (state.variable[i].host != host) continue;
        *bytes = state.variable[i].bytes;
        return state.variable[i].address;
    }
    return NULL;
}

/* --- launches --- */

/* The plain name of a function: "_Z4vaddPKfi" is vadd. */
static void set_name(const char *mangled)
{
    bool nested = strncmp(mangled, "_ZN", 3) == 0;
    const char *at = mangled + (nested ? 3 : 2);
    if (strncmp(mangled, "_Z", 2) != 0) at = NULL;
    if (at && *at == 'L') at++; /* of a static function */
    state.name[0] = '\0';
    while (at && *at >= '0' && *at <= '9') { /* of nested names the last one */
        char *begin;
        unsigned long n = strtoul(at, &begin, 10);
        snprintf(state.name, sizeof state.name, "%.*s", (int)n, begin);
        at = nested ? begin + n : NULL;
    }
    if (!state.name[0]) snprintf(state.name, sizeof state.name, "%s", mangled);
}

bool launch_allow_shared(const void *host, size_t bytes)
{
    size_t i = 0;
    while (i < state.n_kernels && state.kernel[i].host != host)
        i++;
    if (i == state.n_kernels) return false;
    state.kernel[i].shared_most = bytes > LAUNCH_SHARED ? bytes : LAUNCH_SHARED;
    return true;
}

bool launch_kernel(const void *host, struct cta_launch *l)
{
    for (size_t i = 0; i < state.n_kernels; i++) {
        const struct named *k = &state.kernel[i];
        if (k->host != host) continue;
        const struct module *m = k->module;
        const struct cuda_kernel *kernel = &m->code->kernel[k->index];
        if (!m->read[k->index] &&
            !kernel_code_read(&m->kernel[k->index], kernel->code, kernel->code_bytes))
            return false;
        m->read[k->index] = true;
        set_name(kernel->name);
        l->name = state.name;
        l->run = kernel->run;
        l->code = &m->kernel[k->index];
        l->shared_most = k->shared_most;
        return true;
    }
    return false;
}

static bool fits_limits(dim3 grid, dim3 block)
{
    uint64_t lanes = (uint64_t)block.x * block.y * block.z;
    return lanes > 0 && lanes <= CTA_MAX_LANES && block.z <= 64 && grid.x > 0 && grid.y > 0 &&
           grid.z > 0 && grid.y < 65536 && grid.z < 65536 && grid.x < 0x80000000u;
}

static void report_failure(void)
{
    static const cudaError_t error[] = {[FAULT_ADDRESS] = cudaErrorIllegalAddress,
                                        [FAULT_CROOKED] = cudaErrorMisalignedAddress,
                                        [FAULT_ENDLESS] = cudaErrorLaunchTimeout,
                                        [FAULT_ASSERTION] = cudaErrorAssert,
                                        [FAULT_TRAP] = cudaErrorLaunchFailure};
    if (!record_failure(cta_error())) fprintf(stderr, "plumb: %s\n", cta_error());
    state.broken = error[cta.fault];
}

static cudaError_t start_launch(struct cta_launch *l, dim3 grid, dim3 block, size_t shared)
{
    memcpy(l->grid, &grid, sizeof l->grid);
    memcpy(l->block, &block, sizeof l->block);
    l->shared_bytes = ((l->code->shared_bytes + 15u) & ~15u) * (shared != 0) +
                      l->code->shared_bytes * (shared == 0) + (uint32_t)shared;
    if (!fits_limits(grid, block)) return cudaErrorInvalidConfiguration;
    if (shared && l->shared_bytes > l->shared_most) return cudaErrorInvalidValue;
    l->lanes = block.x * block.y * block.z;
    l->warps = (l->lanes + cta.width - 1) / cta.width;
    record_launch_begin(l);
    bool ok = cta_run_launch(l);
    if (!ok) report_failure();
    record_launch_end(ok);
    return state.broken;
}

static cudaError_t launch_now(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                              bool cooperative)
{
    struct cta_launch *l = &state.launch;
    cudaError_t e = launch_broken();
    if (e != cudaSuccess) return launch_result(e);
    if (!launch_kernel(kernel, l)) return launch_result(cudaErrorInvalidDeviceFunction);
    l->args = args;
    l->cooperative = cooperative;
    return launch_result(start_launch(l, grid, block, shared));
}

static cudaError_t launch_any(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                              bool cooperative)
{
    runtime_lock();
    cudaError_t e = launch_now(kernel, grid, block, args, shared, cooperative);
    runtime_unlock();
    return e;
}

EXPORTED cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args,
                                      size_t shared, cudaStream_t s)
{
    (void)s;
    return launch_any(kernel, grid, block, args, shared, false);
}

EXPORTED cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block,
                                                 void **args, size_t shared, cudaStream_t s)
{
    (void)s;
    int fit = 0, sms = 0;
    int lanes = (int)(block.x * block.y * block.z);
    cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, lanes, shared);
    if (e == cudaSuccess) e = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    if (e != cudaSuccess) return launch_result(e);
    if ((uint64_t)grid.x * grid.y * grid.z > (uint64_t)fit * (uint64_t)sms)
        return launch_result(cudaErrorCooperativeLaunchTooLarge);
    return launch_any(kernel, grid, block, args, shared, true);
}

EXPORTED unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                                  void *stream);
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    pushed.grid = grid;
    pushed.block = block;
    pushed.shared = shared;
    pushed.stream = stream;
    return 0;
}

EXPORTED unsigned int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                                 void *stream)
{
    *grid = pushed.grid;
    *block = pushed.block;
    *shared = pushed.shared;
    memcpy(stream, &pushed.stream, sizeof pushed.stream);
    return 0;
}

/* memory.c - see memory.h. */
#include "trace/cuda/runtime/memory.h"

#include "base/memory/alloc.h"
#include "trace/capture/address_layout.h"
#include "trace/cuda/runtime/lock.h"
#include "trace/cuda/runtime/now.h"

#include <string.h>
#include <sys/mman.h>

#define TRACE_START UINT64_C(0x200000)
enum { ALIGN = 256, GAP = 256, PAGE = 4096 };

static struct {
    struct layout layout;
    struct memory_range *range; /* by host address */
    size_t n, cap, last;
    uint32_t keys;
    uint64_t used, mapped; /* mapped: the end of what can be accessed in the window */
} memory;

bool memory_init(void)
{
    void *window = (void *)CUDA_GLOBAL;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    layout_init(&memory.layout, TRACE_START, ALIGN);
    memory.mapped = CUDA_GLOBAL;
    return mmap(window, CUDA_GLOBAL_WINDOW, PROT_NONE, flags, -1, 0) == window;
}

/* The index of the first range that begins above the address. */
static size_t find_above(uint64_t address)
{
    size_t low = 0, high = memory.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (memory.range[middle].host > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

const struct memory_range *memory_below(uint64_t address)
{
    size_t above = find_above(address);
    return above ? &memory.range[above - 1] : NULL;
}

const struct memory_range *memory_find(uint64_t address)
{
    if (memory.last < memory.n) {
        const struct memory_range *r = &memory.range[memory.last];
        if (address - r->host < r->bytes) return r;
    }
    const struct memory_range *r = memory_below(address);
    if (!r || address - r->host >= r->bytes) return NULL;
    memory.last = (size_t)(r - memory.range);
    return r;
}

static bool insert_range(const struct memory_range *r)
{
    if (!mem_grow(&memory.range, &memory.cap, memory.n + 1, sizeof *memory.range)) return false;
    size_t at = find_above(r->host);
    memmove(&memory.range[at + 1], &memory.range[at], (memory.n - at) * sizeof *memory.range);
    memory.range[at] = *r;
    memory.n++;
    return true;
}

static void remove_range(size_t at)
{
    layout_remove(&memory.layout, memory.range[at].key);
    memory.n--;
    memmove(&memory.range[at], &memory.range[at + 1], (memory.n - at) * sizeof *memory.range);
    memory.last = 0;
}

static bool open_window(uint64_t end)
{
    if (end <= memory.mapped) return true;
    uint64_t to = (end + PAGE - 1) & ~(uint64_t)(PAGE - 1);
    if (to > CUDA_GLOBAL + CUDA_GLOBAL_WINDOW) return false;
    void *from = (void *)memory.mapped;
    if (mprotect(from, to - memory.mapped, PROT_READ | PROT_WRITE) != 0) return false;
    memory.mapped = to;
    return true;
}

static void *new_range(size_t bytes)
{
    uint32_t key = memory.keys;
    if (bytes > CUDA_GLOBAL_WINDOW || !layout_add(&memory.layout, key, bytes + GAP)) return NULL;
    memory.keys++;
    const struct layout_place *p = layout_find(&memory.layout, key);
    struct memory_range r = {.host = CUDA_GLOBAL + p->base,
                             .bytes = bytes,
                             .trace = p->base,
                             .number = p->number,
                             .key = key,
                             .device = true};
    if (!open_window(r.host + bytes + GAP) || !insert_range(&r)) {
        layout_remove(&memory.layout, key);
        return NULL;
    }
    memory.used += bytes;
    return (void *)r.host;
}

static bool add_range(const void *host, size_t bytes)
{
    uint32_t key = memory.keys++;
    if (!layout_add(&memory.layout, key, bytes + GAP)) return false;
    const struct layout_place *p = layout_find(&memory.layout, key);
    return insert_range(&(struct memory_range){.host = (uint64_t)(uintptr_t)host,
                                               .bytes = bytes,
                                               .trace = p->base,
                                               .number = p->number,
                                               .key = key});
}

static bool remove_at(uint64_t host, bool device)
{
    size_t above = find_above(host);
    if (!above) return false;
    const struct memory_range *r = &memory.range[above - 1];
    if (r->host != host || r->device != device) return false;
    if (device) memory.used -= r->bytes;
    remove_range(above - 1);
    return true;
}

bool memory_free(void *p)
{
    runtime_lock();
    bool ok = remove_at((uint64_t)(uintptr_t)p, true);
    runtime_unlock();
    return ok;
}

bool memory_remove(const void *host)
{
    runtime_lock();
    bool ok = remove_at((uint64_t)(uintptr_t)host, false);
    runtime_unlock();
    return ok;
}

uint64_t memory_used(void)
{
    return memory.used;
}

void *memory_new(size_t bytes)
{
    runtime_lock();
    void *p = new_range(bytes);
    runtime_unlock();
    return p;
}

bool memory_add(const void *host, size_t bytes)
{
    runtime_lock();
    bool ok = add_range(host, bytes);
    runtime_unlock();
    return ok;
}

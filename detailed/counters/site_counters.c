/* site_counters.c - see site_counters.h. */
#include "detailed/counters/site_counters.h"

#include "base/memory/alloc.h"
#include "trace/program/summary.h"

#include <stdio.h>
#include <string.h>

bool site_counters_init(struct site_counters *x, const struct region *region, uint32_t regions)
{
    *x = (struct site_counters){.n_buffers = regions};
    if (!regions) return true;
    x->buffer = mem_new(regions, sizeof *x->buffer);
    for (uint32_t i = 0; i < regions && x->buffer; i++) {
        x->buffer[i].first = region[i].first;
        x->buffer[i].end = region[i].end;
    }
    return x->buffer != NULL;
}

void site_counters_fini(struct site_counters *x)
{
    for (uint32_t k = 0; k < x->n_kernels; k++)
        mem_free(x->kernel[k].site);
    mem_free(x->kernel);
    mem_free(x->buffer);
    if (x->place.slot) hash_map_fini(&x->place);
    mem_free(x->origin);
    *x = (struct site_counters){0};
}

/* Whether a launch has the kernel's code and name. */
static bool is_of(const struct site_kernel *k, const struct launch *l)
{
    bool same = k->n == l->n_code && strncmp(k->name, l->name, sizeof k->name - 1) == 0;
    for (uint32_t i = 0; i < k->n && same; i++)
        same = k->site[i].pc == l->code[i].pc && k->site[i].cls == l->code[i].cls;
    return same;
}

static bool add_launch(struct site_counters *x, const struct launch *l)
{
    if (!mem_grow(&x->kernel, &x->cap, x->n_kernels + 1, sizeof *x->kernel)) return false;
    struct site_kernel *k = &x->kernel[x->n_kernels];
    *k = (struct site_kernel){.n = l->n_code};
    snprintf(k->name, sizeof k->name, "%s", l->name);
    k->site = mem_new(l->n_code ? l->n_code : 1, sizeof *k->site);
    for (uint32_t i = 0; i < l->n_code && k->site; i++) {
        const struct static_inst *si = &l->code[i];
        struct site *s = &k->site[i];
        *s = (struct site){.pc = si->pc, .cls = si->cls, .space = si->space, .width = si->width};
        if (l->strings) snprintf(s->opcode, sizeof s->opcode, "%s", l->strings + si->opcode);
    }
    x->n_kernels += k->site != NULL;
    return k->site != NULL;
}

bool site_counters_launch(struct site_counters *x, const struct launch *l)
{
    uint32_t k = 0;
    while (k < x->n_kernels && !is_of(&x->kernel[k], l))
        k++;
    if (k == x->n_kernels && !add_launch(x, l)) return false;
    x->now = x->kernel[k].site;
    return true;
}

/* NULL: the address is in no buffer. */
static struct buffer_counts *buffer_of(const struct site_counters *x, uint64_t addr)
{
    uint32_t lo = 0, hi = x->n_buffers;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (x->buffer[mid].end <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < x->n_buffers && x->buffer[lo].first <= addr ? &x->buffer[lo] : NULL;
}

enum { PLACE_SHIFT = 10 }; /* a page has at least a KB */

bool site_counters_place(struct site_counters *x, uint64_t addr, uint64_t physical)
{
    uint64_t from = addr >> PLACE_SHIFT << PLACE_SHIFT, key = physical >> PLACE_SHIFT;
    if (!x->place.slot && !hash_map_init(&x->place, 64)) return false;
    const uint32_t *at = hash_map_get(&x->place, key);
    if (at) {
        x->origin[*at] = from; /* frames may be used again */
        return true;
    }
    if (!mem_grow(&x->origin, &x->origins_cap, (size_t)x->n_origins + 1, sizeof *x->origin) ||
        !hash_map_put(&x->place, key, x->n_origins))
        return false;
    x->origin[x->n_origins++] = from;
    return true;
}

/* The program's address. */
static uint64_t origin_of(const struct site_counters *x, uint64_t addr)
{
    if (!x->place.slot) return addr;
    const uint32_t *at = hash_map_get(&x->place, addr >> PLACE_SHIFT);
    if (!at) return UINT64_MAX; /* of page tables */
    return x->origin[*at] + (addr & ((UINT64_C(1) << PLACE_SHIFT) - 1));
}

void site_counters_access(struct site_counters *x, uint64_t addr, uint8_t cls)
{
    struct buffer_counts *b = buffer_of(x, addr);
    if (!b) return;
    b->reads += cls == OP_LOAD;
    b->writes += cls == OP_STORE;
    b->atomics += cls == OP_ATOMIC;
}

void site_counters_l1(struct site_counters *x, uint32_t code, uint64_t addr, bool hit, bool miss)
{
    struct buffer_counts *b = buffer_of(x, origin_of(x, addr));
    x->now[code].hits += hit;
    x->now[code].misses += miss;
    if (!b) return;
    b->l1_hits += hit;
    b->l1_misses += miss;
}

void site_counters_l2(struct site_counters *x, uint64_t addr, bool read, bool hit)
{
    struct buffer_counts *b = buffer_of(x, origin_of(x, addr));
    if (!b) return;
    b->l2_reads += read;
    b->l2_read_hits += read && hit;
    b->l2_writes += !read;
    b->l2_write_hits += !read && hit;
}

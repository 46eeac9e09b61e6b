#include "tests/support/l2_hand.h"

#include "gpu/geometry/address_map.h"

uint64_t hand_block_addr(const struct hand *h, uint32_t block, uint32_t set)
{
    return ((uint64_t)block * h->m.l2.cache.sets + set) * 64;
}

static void hand_note(struct hand *h, const char *what, uint64_t addr)
{
    assert_true(h->logged < LOG_MAX);
    h->log[h->logged++] = (struct hand_log){what, addr, h->now};
}

static void hand_expect(struct hand *h, uint64_t after, uint32_t handle, enum hand_kind kind,
                        uint32_t version)
{
    assert_true(h->events < LOG_MAX);
    h->event[h->events++] = (struct hand_event){h->now + after, handle, version, kind};
}

static bool hand_invalidate(void *ctx, uint32_t slice, uint64_t tag, uint32_t handle)
{
    struct hand *h = ctx;
    (void)slice;
    if (tag << 6 != hand_block_addr(h, h->copies, 0)) return false;
    h->copies = NOBODY;
    hand_note(h, "told", tag << 6);
    hand_expect(h, TOLD, handle, ANSWER, 0);
    return true;
}

static void hand_due(void *ctx, uint32_t channel)
{
    struct hand *h = ctx;
    static const char *const name[] = {"read", "write", "notice"};
    struct memory_channel *c = &h->memory.channel[channel];
    for (uint32_t k = 0; k < h->memory.lanes; k++)
        while (c->lane[k].n) {
            uint32_t i = fifo_pop(&c->lane[k]);
            struct mem_op *op = &c->ops.op[i];
            hand_note(h, name[op->kind], op->addr);
            if (op->kind == MEM_WRITE)
                shadow_put(&h->shadow, &h->shadow.memory, op->addr / 64, op->version[0]);
            uint32_t version = shadow_get(&h->shadow, &h->shadow.memory, op->addr / 64);
            if (op->entry != MSHR_NONE)
                hand_expect(h, op->kind == MEM_READ ? READ : OUT, op->entry,
                            op->kind == MEM_WRITE ? ACCEPT : RETURN, version);
            c->waiting--;
            mem_op_give(&c->ops, i);
        }
}

static void hand_noc(void *ctx)
{
    (void)ctx;
}

void hand_init(struct hand *h, const char *const *sets, size_t n)
{
    static const char *const fixed[] = {
        "l2.banks=1",         "l2.bank_kb=1",    "l2.clean_victim_notice=false",
        "noc.input_queue=64", "dram.channels=1", "sm.count=1",
        "l2.ports=4"};
    const char *all[32];
    uint32_t k = 0;
    struct error e;
    for (uint32_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        all[k++] = fixed[i];
    for (size_t i = 0; i < n; i++)
        all[k++] = sets[i];
    memset(h, 0, sizeof *h);
    h->copies = NOBODY;
    h->m = run_machine("rx540", all, k);
    assert_true(map_init(&h->map, &h->m.l2, &h->m.dram, &e));
    assert_true(shadow_init(&h->shadow, 1, 1));
    assert_true(memory_init(&h->memory, &h->m.dram, &h->map, false, 1, 1, &h->shadow, &e));
    assert_true(req_pool_init(&h->reqs, 64));
    assert_true(noc_init(&h->request, &h->m.noc, NOC_REQUEST, 1, 1));
    assert_true(noc_init(&h->reply, &h->m.noc, NOC_REPLY, 1, 1));
    h->w = (struct l2_wiring){.reqs = &h->reqs,
                              .request = &h->request,
                              .reply = &h->reply,
                              .memory = &h->memory,
                              .shadow = &h->shadow,
                              .mechanisms = machine_mechanisms(&h->m),
                              .l2_period = 1,
                              .noc_period = 1,
                              .memory_due = hand_due,
                              .invalidate = hand_invalidate,
                              .noc_due = hand_noc,
                              .ctx = h};
    assert_true(l2_init(&h->s, &h->m.l2, 0, &h->w));
}

uint32_t hand_ask_in_set(struct hand *h, uint64_t at, enum req_kind kind, uint32_t block,
                         uint32_t set)
{
    uint32_t i = req_new(&h->reqs), n = h->asked++;
    struct req *r = &h->reqs.item[i];
    uint64_t whole[2] = {UINT64_MAX, 0};
    assert_true(i == n && n < LOG_MAX);
    r->addr = hand_block_addr(h, block, set);
    r->bytes = 64;
    r->kind = (unsigned)kind & 3u;
    req_set_mask(&h->reqs, r, whole);
    if (kind != REQ_READ) r->version = shadow_store(&h->shadow);
    h->arrival[n].at = at;
    h->arrival[n].req = i;
    return n;
}

uint32_t hand_ask(struct hand *h, uint64_t at, enum req_kind kind, uint32_t block)
{
    return hand_ask_in_set(h, at, kind, block, 0);
}

static void hand_arrivals(struct hand *h)
{
    for (uint32_t i = 0; i < h->asked; i++) {
        if (h->arrival[i].in || h->arrival[i].at != h->now) continue;
        h->arrival[i].in = true;
        assert_true(fifo_push(&h->s.pipe, h->now + h->m.l2.latency, h->arrival[i].req));
        h->s.piped++;
    }
}

static void hand_events(struct hand *h)
{
    for (uint32_t i = 0; i < h->events; i++) {
        struct hand_event *e = &h->event[i];
        if (e->at != h->now) continue;
        if (e->kind == RETURN)
            l2_return(&h->s, e->handle, e->version, h->now);
        else if (e->kind == ACCEPT)
            l2_written(&h->s, e->handle, h->now);
        else
            l2_invalidated(&h->s, e->handle, h->now);
    }
}

void hand_run_until(struct hand *h, uint64_t end)
{
    for (; h->now <= end; h->now++) {
        hand_arrivals(h);
        hand_events(h);
        l2_step(&h->s, h->now);
        const struct fifo *out = &h->reply.in[0].queue;
        for (; h->replies < out->n; h->replies++)
            h->answered[fifo_at(out, h->replies)->value] = h->now;
    }
}

uint64_t hand_answered(const struct hand *h, uint32_t req)
{
    return h->answered[req];
}

void hand_assert_op(const struct hand *h, const char *what, uint32_t block, uint64_t at)
{
    for (uint32_t i = 0; i < h->logged; i++)
        if (strcmp(h->log[i].what, what) == 0 && h->log[i].addr == hand_block_addr(h, block, 0) &&
            h->log[i].at == at)
            return;
    for (uint32_t i = 0; i < h->logged; i++)
        print_error("%s of %llx at %lld\n", h->log[i].what, (unsigned long long)h->log[i].addr,
                    (long long)h->log[i].at - START);
    fail_msg("no %s of block %u at %lld", what, block, (long long)at - START);
}

bool hand_holds(const struct hand *h, uint32_t block)
{
    return cache_find(&h->s.c, hand_block_addr(h, block, 0) >> 6) != LINE_NONE;
}

bool hand_keeps(const struct hand *h, uint32_t block)
{
    return cache_find(&h->s.victim_cache, hand_block_addr(h, block, 0) >> 6) != LINE_NONE;
}

void hand_end(struct hand *h)
{
    hand_run_until(h, h->now + 2000);
    assert_true(l2_check(&h->s) && l2_idle(&h->s));
    l2_fini(&h->s);
    noc_fini(&h->request);
    noc_fini(&h->reply);
    req_pool_fini(&h->reqs);
    memory_fini(&h->memory);
    shadow_fini(&h->shadow);
}

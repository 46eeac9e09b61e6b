/* vmb.c - does the vector memory buffer free its entries in the order it says?  Against a
 * list in which everything is looked up anew. */
#include "detailed/sm/vmb.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

enum { OPS = 4000, WARPS = 5, ENTRIES = 6 };

struct slow_entry {
    uint32_t warp, handle;
    bool finished, free;
};
static struct slow_entry slow[OPS];
static uint32_t slow_n;

/* Frees whatever the rule allows, until nothing changes. */
static void slow_settle(enum vmb_release rule)
{
    for (uint32_t i = 0; i < slow_n; i++) {
        bool oldest = true;
        for (uint32_t k = 0; k < i && rule != VMB_OUT_OF_ORDER; k++)
            if (!slow[k].free && (rule == VMB_IN_ORDER || slow[k].warp == slow[i].warp))
                oldest = false;
        if (slow[i].finished && oldest) slow[i].free = true;
    }
}

static uint32_t slow_used(uint32_t warp)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < slow_n; i++)
        n += !slow[i].free && (warp == WARPS || slow[i].warp == warp);
    return n;
}

static void agree(const struct vmb *b, bool per_warp)
{
    assert_true(vmb_check(b));
    assert_int_equal(b->used, slow_used(WARPS));
    for (uint32_t w = 0; w < WARPS; w++) {
        uint32_t used = slow_used(per_warp ? w : WARPS);
        assert_int_equal(vmb_has_room(b) && vmb_warp_has_room(b, w), used < ENTRIES);
    }
}

static void finish_one(struct vmb *b, struct rng *r, enum vmb_release rule)
{
    uint32_t open[OPS], n = 0;
    for (uint32_t i = 0; i < slow_n; i++)
        if (!slow[i].finished) open[n++] = i;
    if (!n) return;
    struct slow_entry *e = &slow[open[rng_below(r, n)]];
    e->finished = true;
    vmb_finish(b, e->handle);
    slow_settle(rule);
}

static void entries_are_freed_as_in_a_slow_list(void **state)
{
    static const struct sm_params modes[] = {
        {.vmb_entries = ENTRIES, .vmb_scope = VMB_PER_SM, .vmb_release = VMB_OUT_OF_ORDER},
        {.vmb_entries = ENTRIES, .vmb_scope = VMB_PER_SM, .vmb_release = VMB_IN_ORDER},
        {.vmb_entries = ENTRIES, .vmb_scope = VMB_PER_SM, .vmb_release = VMB_IN_ORDER_WARP},
        {.vmb_entries = ENTRIES, .vmb_scope = VMB_PER_WARP, .vmb_release = VMB_OUT_OF_ORDER},
        {.vmb_entries = ENTRIES, .vmb_scope = VMB_PER_WARP, .vmb_release = VMB_IN_ORDER_WARP},
    };
    (void)state;
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        struct vmb b;
        struct rng r;
        bool per_warp = modes[m].vmb_scope == VMB_PER_WARP;
        rng_seed(&r, 11, m);
        slow_n = 0;
        assert_true(vmb_init(&b, &modes[m]));
        for (uint32_t i = 0; i < OPS / 8; i++) {
            uint32_t warp = (uint32_t)rng_below(&r, WARPS);
            if (rng_below(&r, 2) && slow_used(per_warp ? warp : WARPS) < ENTRIES)
                slow[slow_n++] = (struct slow_entry){.warp = warp, .handle = vmb_enter(&b, warp)};
            else
                finish_one(&b, &r, modes[m].vmb_release);
            agree(&b, per_warp);
        }
        vmb_fini(&b);
    }
}

static void blocked_time_adds_up(void **state)
{
    const struct sm_params p = {.vmb_entries = 1};
    struct vmb b;
    (void)state;
    assert_true(vmb_init(&b, &p));
    vmb_block(&b, true, 10);
    vmb_block(&b, true, 15); /* brought up to date */
    vmb_block(&b, false, 20);
    vmb_block(&b, false, 100);
    assert_int_equal(b.blocked_cycles, 10);
    vmb_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_freed_as_in_a_slow_list),
        cmocka_unit_test(blocked_time_adds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* cooperative.c - launches whose CTAs wait for one another (cooperative groups' grid.sync).
 *
 * There is room for one CTA's lanes and shared memory: while the others run to the grid's barrier,
 * a CTA's shared memory and its lanes' stacks, which always lie at the same places, are kept
 * elsewhere. In the trace a launch ends at the barrier, and what follows is a launch of its own. */
#include "base/memory/alloc.h"
#include "trace/cuda/runtime/cta.h"
#include "trace/cuda/runtime/meet.h"
#include "trace/cuda/runtime/record.h"

#include <string.h>

struct kept_cta {
    struct lane *lane;
    unsigned char *shared, *stacks;
    size_t stacks_cap;
};

static struct {
    struct kept_cta *cta;
    uint64_t n, waiting, ended;
} grid;

static uint64_t stack_bytes(uint32_t lane)
{
    return cta_stack_top(lane, cta.launch->code->deep) - (uint64_t)(uintptr_t)cta.lane[lane].sp;
}

static void free_kept(void)
{
    for (uint64_t i = 0; i < grid.n; i++) {
        mem_free(grid.cta[i].lane);
        mem_free(grid.cta[i].shared);
        mem_free(grid.cta[i].stacks);
    }
    mem_free(grid.cta);
    grid.cta = NULL;
    grid.n = 0;
}

static void keep_cta(struct kept_cta *k)
{
    const struct cta_launch *l = cta.launch;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < l->lanes; i++)
        bytes += stack_bytes(i);
    if (!k->lane) k->lane = mem_new(l->lanes, sizeof *k->lane);
    if (!k->shared) k->shared = mem_new(l->shared_bytes + 1u, 1);
    if (!k->lane || !k->shared || !mem_grow(&k->stacks, &k->stacks_cap, bytes, 1))
        cta_fail(NULL, 0, "no memory for the CTAs of a cooperative launch");
    memcpy(k->lane, cta.lane, l->lanes * sizeof *k->lane);
    memcpy(k->shared, (const void *)CUDA_SHARED, l->shared_bytes);
    unsigned char *to = k->stacks;
    for (uint32_t i = 0; i < l->lanes; to += stack_bytes(i), i++)
        memcpy(to, cta.lane[i].sp, stack_bytes(i));
}

static void bring_back(const struct kept_cta *k)
{
    const struct cta_launch *l = cta.launch;
    memcpy(cta.lane, k->lane, l->lanes * sizeof *k->lane);
    memcpy((void *)CUDA_SHARED, k->shared, l->shared_bytes);
    const unsigned char *from = k->stacks;
    for (uint32_t i = 0; i < l->lanes; from += stack_bytes(i), i++)
        memcpy(cta.lane[i].sp, from, stack_bytes(i));
    memcpy(cta_now()->ctaid, cta.cta, sizeof cta.cta);
    for (uint32_t i = 0; i < l->lanes; i++)
        cta_wake(&cta.lane[i]);
}

static void run_part(void)
{
    struct kept_cta *k = &grid.cta[cta.number];
    if (k->lane)
        bring_back(k);
    else
        cta_prepare();
    if (!cta_go_on()) {
        grid.ended++;
        return;
    }
    for (uint32_t i = 0; i < cta.launch->lanes; i++)
        if (cta.lane[i].state != LANE_GRID)
            cta_fail(&cta.lane[i], 0, "a thread has ended while others wait for the grid");
    grid.waiting++;
    keep_cta(k);
}

void cta_run_cooperative(void)
{
    const struct cta_launch *l = cta.launch;
    free_kept(); /* of a launch that has failed */
    grid.n = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    grid.cta = mem_new(grid.n, sizeof *grid.cta);
    if (!grid.cta) cta_fail(NULL, 0, "no memory for the CTAs of a cooperative launch");
    for (;;) {
        grid.waiting = grid.ended = 0;
        cta_each(run_part);
        if (grid.waiting == 0) break;
        if (grid.ended > 0)
            cta_fail(NULL, 0, "%lu of %lu CTAs have ended while others wait for the grid",
                     (unsigned long)grid.ended, (unsigned long)grid.n);
        record_launch_end(true);
        record_launch_begin(l);
    }
    free_kept();
}

__attribute__((visibility("default"))) void plumb_cuda_grid_sync(void);
void plumb_cuda_grid_sync(void)
{
    struct lane *l = cta.running;
    if (!cta.launch->cooperative)
        cta_fail(l, meet_line(l, 0),
                 "a thread waits for the grid, and the launch is not cooperative");
    l->over = true;
    cta_wait(LANE_GRID);
}

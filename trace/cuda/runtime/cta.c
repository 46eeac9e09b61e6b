/* cta.c - see cta.h. */
#include "trace/cuda/runtime/cta.h"

#include "base/memory/alloc.h"
#include "trace/cuda/runtime/fiber.h"
#include "trace/cuda/runtime/meet.h"
#include "trace/cuda/runtime/record.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    STACK_BYTES = 512 * 1024,
    PAGE = 4096,
    LOG_BYTES = 16 * 1024, /* at first */
    ROUNDS = 64,           /* of a warp whose lanes only take turns, before the next warp goes on */
    SPIN_ROUNDS = 1 << 16, /* without a change, of a lane that waits for a value */
    SPIN_LEAST = 1 << 8,   /* of the other lanes */
};

/* What counts as endless, both together: what a lane does, and all lanes of its CTA. A log holds
 * 800 to 4000 visits; the smallest endless loop takes five seconds. */
static struct {
    uint64_t logs, logs_of_cta, waits, waits_of_cta;
} most = {1 << 12, 1 << 17, 1 << 18, 1 << 25};

#define LOG_MOST (CTA_LANE_REGION / 2)

struct cta_state cta = {.width = CUDA_WARP};
static void *scheduler;
static sigjmp_buf failed;
static char error_text[512];
static uint8_t prepared[CTA_MAX_LANES];

const char *cta_error(void)
{
    return error_text;
}

/* --- places --- */

static uint64_t region_of(uint32_t lane)
{
    return CUDA_STACKS + lane * CTA_LANE_REGION;
}

static void *map_at(uint64_t place, uint64_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    return mmap((void *)place, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
}

static void set_patience(void)
{
    const char *set = getenv("PLUMB_CUDA_PATIENCE");
    double factor = set ? atof(set) : 1.0;
    most.logs = (uint64_t)(factor * (double)most.logs);
    most.logs_of_cta = (uint64_t)(factor * (double)most.logs_of_cta);
    most.waits = (uint64_t)(factor * (double)most.waits);
    most.waits_of_cta = (uint64_t)(factor * (double)most.waits_of_cta);
}

bool cta_init(void)
{
    set_patience();
    cta.lane = mem_new(CTA_MAX_LANES, sizeof *cta.lane);
    uint64_t small = (uint64_t)CTA_MAX_LANES * CTA_SMALL_REGION;
    bool fits = map_at(CUDA_SMALL_STACKS, small) == (void *)CUDA_SMALL_STACKS;
    if (fits) madvise((void *)CUDA_SMALL_STACKS, small, MADV_HUGEPAGE);
    return fits && cta.lane && map_at(CUDA_NOW, PAGE) == (void *)CUDA_NOW &&
           map_at(CUDA_SHARED, CUDA_SHARED_WINDOW) == (void *)CUDA_SHARED &&
           map_at(CUDA_STACKS, CTA_MAX_LANES * CTA_LANE_REGION) == (void *)CUDA_STACKS;
}

static uint64_t log_bytes(const struct lane *l)
{
    return (uint64_t)((char *)l->log_end - (char *)l->log);
}

/* An empty log at a place. */
static void set_log(struct lane *l, uint64_t place, uint64_t bytes)
{
    l->log = (uint32_t *)place;
    l->log_end = (uint64_t *)(place + bytes);
    l->visit = l->log;
    l->word = l->log_end;
    l->rest = l->log_end;
    l->taken = 0;
}

static void set_short_log(struct lane *l)
{
    set_log(l, cta_stack_top((uint32_t)(l - cta.lane), cta.launch->code->deep), CTA_SHORT_LOG);
}

/* Moves a log to the lane's region, where it has so many bytes. */
static void grow_log(struct lane *l, uint64_t bytes)
{
    if (bytes > LOG_MOST) cta_fail(l, 0, "a thread runs on without meeting the others of its warp");
    char *place = (char *)region_of((uint32_t)(l - cta.lane)), *end = place + bytes;
    uint64_t words = (uint64_t)((char *)l->log_end - (char *)l->word);
    uint64_t merged = (uint64_t)((char *)l->log_end - (const char *)l->rest);
    uint64_t visits = (uint64_t)((char *)l->visit - (char *)l->log);
    memcpy(end - words, l->word, words);
    if ((char *)l->log != place) memcpy(place, l->log, visits);
    l->log = (uint32_t *)place;
    l->visit = (uint32_t *)(place + visits);
    l->log_end = (uint64_t *)end;
    l->word = (uint64_t *)(end - words);
    l->rest = (const uint64_t *)(end - merged);
}

/* --- errors --- */

static void describe_place(char *out, size_t n, const struct lane *lane, uint32_t line)
{
    const struct cta_launch *l = cta.launch;
    const char *file = l->code->file;
    int k = snprintf(out, n, " (kernel %s", l->name);
    if (line && *file) k += snprintf(out + k, n - (size_t)k, ", %s:%u", file, line);
    k += snprintf(out + k, n - (size_t)k, ", CTA %u,%u,%u", cta.cta[0], cta.cta[1], cta.cta[2]);
    if (lane)
        k += snprintf(out + k, n - (size_t)k, ", thread %u,%u,%u", lane->tid[0], lane->tid[1],
                      lane->tid[2]);
    snprintf(out + k, n - (size_t)k, ")");
}

void cta_fail(const struct lane *lane, uint32_t line, const char *format, ...)
{
    char where[256], what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    describe_place(where, sizeof where, lane, line);
    snprintf(error_text, sizeof error_text, "%s%s", what, where);
    siglongjmp(failed, 1);
}

/* The running lane goes on and on. address: of what it accesses next; 0: unknown. */
_Noreturn static void fail_endless(struct lane *l, uint64_t address)
{
    l->visit = cta_now()->visit;
    l->word = cta_now()->word;
    cta.fault = FAULT_ENDLESS;
    if (address)
        cta_fail(l, meet_line(l, address),
                 "a thread waits for a value that no thread of its CTA writes; CTAs run in order");
    cta_fail(l, meet_line(l, 0), "a thread does not come to an end");
}

/* --- switching --- */

static void run_lane(void)
{
    cta.launch->run(cta.launch->args);
    cta.running->over = true;
    cta_wait(LANE_DONE);
}

static void prepare_lane(uint32_t i)
{
    struct lane *l = &cta.lane[i];
    uint64_t region = region_of(i);
    if (!prepared[i]) {
        mprotect((void *)(region + CTA_LANE_REGION - STACK_BYTES - PAGE), PAGE, PROT_NONE);
        prepared[i] = 1;
    }
    const uint32_t *block = cta.launch->block;
    l->tid[0] = i % block[0];
    l->tid[1] = i / block[0] % block[1];
    l->tid[2] = i / (block[0] * block[1]);
    l->state = LANE_READY;
    l->over = false;
    l->depth = l->logs = l->waits = 0;
    l->streak = 0;
    l->sp = fiber_new((void *)cta_stack_top(i, cta.launch->code->deep), run_lane);
    set_short_log(l);
}

static void switch_to(struct lane *l)
{
    struct cuda_now *now = cta_now();
    cta.running = l;
    now->visit = l->visit;
    now->word = l->word;
    now->depth = l->depth;
    now->lane = (uint32_t)(l - cta.lane);
    memcpy(now->tid, l->tid, sizeof now->tid);
    fiber_switch(&scheduler, l->sp);
    l->visit = now->visit;
    l->word = now->word;
    l->depth = now->depth;
}

void cta_wait(enum lane_state state)
{
    struct lane *l = cta.running;
    cta.waits++;
    if (++l->waits > most.waits && cta.waits > most.waits_of_cta) fail_endless(l, 0);
    l->state = state;
    fiber_switch(&l->sp, scheduler);
}

/* --- logs --- */

/* Called by compiled code between two pieces, of which the larger ones need so many bytes. */
__attribute__((visibility("default"))) void plumb_cuda_full(uint64_t bytes)
{
    struct lane *l = cta.running;
    struct cuda_now *now = cta_now();
    if (log_bytes(l) < LOG_BYTES || log_bytes(l) < 4 * bytes) {
        l->visit = now->visit;
        l->word = now->word;
        grow_log(l, 4 * bytes > LOG_BYTES ? 4 * bytes : LOG_BYTES);
        now->visit = l->visit;
        now->word = l->word;
        return;
    }
    cta.logs++;
    if (++l->logs > most.logs && cta.logs > most.logs_of_cta) fail_endless(l, 0);
    l->over = true;
    cta_wait(LANE_FULL);
    l->over = false;
}

/* Whether the warp's full lanes have room again, as what they logged is merged; else their logs
 * grow, since others do not come to where they could be merged. */
static void make_room(struct lane *warp, uint32_t n)
{
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        struct lane *l = &warp[i];
        if (l->state != LANE_FULL || l->taken != (size_t)(l->visit - l->log)) continue;
        set_log(l, (uint64_t)(uintptr_t)l->log, log_bytes(l));
        l->state = LANE_READY;
        any = true;
    }
    for (uint32_t i = 0; !any && i < n; i++) {
        if (warp[i].state != LANE_FULL) continue;
        grow_log(&warp[i], 2 * log_bytes(&warp[i]));
        warp[i].state = LANE_READY;
    }
}

/* --- warps and CTAs --- */

static bool has_state(const struct lane *warp, uint32_t n, enum lane_state state)
{
    for (uint32_t i = 0; i < n; i++)
        if (warp[i].state == state) return true;
    return false;
}

/* Lets each lane that can go on do so, until none can or all have had many turns. */
static void run_ready(struct lane *warp, uint32_t n)
{
    bool any = true;
    for (int round = 0; any && round < ROUNDS; round++) {
        any = false;
        for (uint32_t i = 0; i < n; i++) {
            if (warp[i].state != LANE_READY) continue;
            switch_to(&warp[i]);
            any = true;
            if (warp[i].state == LANE_MEET) meet_try(warp, n, i);
        }
    }
}

/* Runs a warp as far as it comes. true: something of it is ready still. */
static bool run_warp(uint32_t w)
{
    struct lane *warp = &cta.lane[w * cta.width];
    uint32_t left = cta.launch->lanes - w * cta.width, n = left < cta.width ? left : cta.width;
    for (;;) {
        run_ready(warp, n);
        if (has_state(warp, n, LANE_READY)) return true;
        if (has_state(warp, n, LANE_FULL)) {
            record_merge(w);
            make_room(warp, n);
        } else if (has_state(warp, n, LANE_ACTIVE)) {
            meet_tell_active(warp, n);
        } else if (has_state(warp, n, LANE_MEET)) {
            meet_force(warp, n);
        } else {
            return false;
        }
    }
}

static bool has_ended(void)
{
    return !has_state(cta.lane, cta.launch->lanes, LANE_BARRIER);
}

void cta_wake(struct lane *l)
{
    l->state = LANE_READY;
    l->over = false;
    set_short_log(l);
}

/* All lanes that have not ended wait at a barrier: at the same one? */
static void open_barrier(void)
{
    const struct lane *first = NULL;
    uint32_t count = 0, all = 1, any = 0;
    for (uint32_t i = 0; i < cta.launch->lanes; i++) {
        const struct lane *l = &cta.lane[i];
        if (l->state == LANE_GRID)
            cta_fail(l, meet_line(l, 0), "threads of a CTA wait for it, and others for the grid");
        if (l->state != LANE_BARRIER) continue;
        if (!first) first = l;
        if (l->line != first->line)
            cta_fail(l, l->line, "threads of a CTA wait at different barriers, at lines %u and %u",
                     first->line, l->line);
        count += l->value != 0;
        all &= l->value != 0;
        any |= l->value != 0;
    }
    for (uint32_t i = 0; i < cta.launch->lanes; i++) {
        struct lane *l = &cta.lane[i];
        if (l->state != LANE_BARRIER) continue;
        l->result = l->kind == BARRIER_COUNT ? count : l->kind == BARRIER_AND ? all : any;
        cta_wake(l);
    }
}

static void merge_all(void)
{
    for (uint32_t w = 0; w < cta.launch->warps; w++)
        record_merge(w);
}

void cta_prepare(void)
{
    struct cuda_now *now = cta_now();
    cta.waits = cta.logs = 0;
    memcpy(now->ctaid, cta.cta, sizeof now->ctaid);
    for (uint32_t i = 0; i < cta.launch->lanes; i++)
        prepare_lane(i);
}

bool cta_go_on(void)
{
    record_cta_begin();
    for (bool ended = false; !ended;) {
        for (bool ready = true; ready;) {
            ready = false;
            for (uint32_t w = 0; w < cta.launch->warps; w++)
                ready |= run_warp(w);
        }
        merge_all();
        ended = has_ended();
        if (!ended) open_barrier();
    }
    record_cta_end();
    device_release();
    return has_state(cta.lane, cta.launch->lanes, LANE_GRID);
}

static void run_cta(void)
{
    cta_prepare();
    cta_go_on();
}

void cta_each(void (*run)(void))
{
    const uint32_t *grid = cta.launch->grid;
    cta.number = 0;
    for (uint32_t z = 0; z < grid[2]; z++)
        for (uint32_t y = 0; y < grid[1]; y++)
            for (uint32_t x = 0; x < grid[0]; x++, cta.number++) {
                cta.cta[0] = x;
                cta.cta[1] = y;
                cta.cta[2] = z;
                run();
            }
}

bool cta_run_launch(const struct cta_launch *l)
{
    struct cuda_now *now = cta_now();
    cta.launch = l;
    cta.fault = FAULT_ADDRESS;
    memcpy(now->ntid, l->block, sizeof now->ntid);
    memcpy(now->nctaid, l->grid, sizeof now->nctaid);
    bool ok = sigsetjmp(failed, 1) == 0;
    if (ok && l->cooperative) cta_run_cooperative();
    if (ok && !l->cooperative) cta_each(run_cta);
    cta.launch = NULL;
    cta.running = NULL;
    return ok;
}

/* --- turns --- */

static bool all_spin(void)
{
    for (uint32_t i = 0; i < cta.launch->lanes; i++)
        if (cta.lane[i].state == LANE_READY && cta.lane[i].streak < SPIN_LEAST) return false;
    return true;
}

static uint64_t value_at(uint64_t address, uint32_t bytes)
{
    uint64_t v = 0;
    memcpy(&v, (const void *)address, bytes < sizeof v ? bytes : sizeof v);
    return v;
}

/* Called by compiled code before an access by which lanes may wait for one another. */
__attribute__((visibility("default"))) void plumb_cuda_turn(uint64_t address, uint32_t bytes)
{
    struct lane *l = cta.running;
    uint64_t value = value_at(address, bytes);
    bool same = address == l->seen_address && value == l->seen_value;
    l->streak = same ? l->streak + 1 : 0;
    l->seen_address = address;
    l->seen_value = value;
    if (l->streak > 0 && l->streak % SPIN_ROUNDS == 0 && all_spin()) fail_endless(l, address);
    cta_wait(LANE_READY);
}

/* Called by compiled code where lanes may exchange values because they run in step. */
__attribute__((visibility("default"))) void plumb_cuda_lockstep(void)
{
    cta_wait(LANE_READY);
}

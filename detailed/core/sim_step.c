/* sim_step.c - advances time. Within a tick the four clock domains are stepped in the order
 * network, DRAM, L2, core, so that what arrives at an edge can be used at that edge, and what is
 * pushed becomes visible at the receiver's next edge. */
#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "detailed/constants.h"
#include "detailed/core/sim_internal.h"

static uint64_t step_core(struct sim *s, uint32_t i, uint64_t cycle)
{
    if (i < s->scalars) return scalar_step(&s->scalar[i], cycle);
    if (i < s->before_sms) return l2_tlb_step(&s->l2_tlb, cycle);
    return sm_step(&s->sm[i - s->before_sms], cycle);
}
/* Out of line: machines without CPU cores pay nothing for it. */
static __attribute__((noinline)) uint64_t step_cpu(struct sim *s, uint32_t i, uint64_t cycle)
{
    return cpu_core_step(&s->core[i], cycle);
}
static uint64_t step_noc(struct sim *s, uint32_t i, uint64_t cycle)
{
    if (i >= NOC_N) return step_cpu(s, i - NOC_N, cycle);
    return noc_step(&s->noc[i], cycle);
}
static uint64_t step_memory_side(struct sim *s, uint32_t i, uint64_t cycle)
{
    if (i == s->memory_side.parts) return memory_side_step_cpu(&s->memory_side, cycle);
    return memory_side_step(&s->memory_side, i, cycle);
}
static uint64_t step_slice(struct sim *s, uint32_t i, uint64_t cycle)
{
    if (i >= s->m.l2.banks) return step_memory_side(s, i - s->m.l2.banks, cycle);
    return l2_step(&s->slice[i], cycle);
}
static uint64_t step_channel(struct sim *s, uint32_t i, uint64_t cycle)
{
    return memory_step(&s->memory, i, cycle);
}

static uint64_t step_second_channel(struct sim *s, uint32_t i, uint64_t cycle)
{
    return memory_step(&s->second_memory, i, cycle);
}

static uint64_t (*const step_component[CLOCK_N])(struct sim *, uint32_t, uint64_t) = {
    [CLOCK_CORE] = step_core,
    [CLOCK_NOC] = step_noc,
    [CLOCK_L2] = step_slice,
    [CLOCK_DRAM] = step_channel,
    [CLOCK_SECOND_DRAM] = step_second_channel};

/* Prefetches what this cycle's replies will touch before the first SM is stepped, in four rounds:
 * each follows pointers that the previous one has fetched. */
static void announce_progress(struct sim *s, uint64_t cycle)
{
    uint64_t noc_cycle =
        clock_floor(cycle, s->domain[CLOCK_CORE].period, s->domain[CLOCK_NOC].period);
    struct sm_expected *x = s->expected;
    uint32_t n = 0;
    const uint64_t *due = s->domain[CLOCK_CORE].due + s->before_sms;
    for (uint32_t i = 0; i < s->m.sm.count; i++)
        if (due[i] <= cycle && noc_ready_at(&s->noc[NOC_REPLY], i) <= noc_cycle)
            sm_expect_first(&x[n++], &s->sm[i], noc_next(&s->noc[NOC_REPLY], i));
    for (uint32_t k = 0; k < n; k++)
        sm_expect_second(&x[k]);
    for (uint32_t k = 0; k < n; k++)
        sm_expect_third(&x[k]);
    for (uint32_t k = 0; k < n; k++)
        sm_expect_last(&x[k]);
}

static void step_domain(struct sim *s, enum clock_domain d, uint64_t cycle)
{
    struct domain *dom = &s->domain[d];
    uint64_t (*const step)(struct sim *, uint32_t, uint64_t) = step_component[d];
    uint64_t soonest = UINT64_MAX, *const due_at = dom->due;
    const uint32_t n = dom->n;
    dom->next = UINT64_MAX; /* wake-ups during the step lower it */
    if (d == CLOCK_CORE && s->m.sm.count >= ANNOUNCED_SMS) announce_progress(s, cycle);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t at = due_at[i];
        if (at <= cycle) {
            due_at[i] = UINT64_MAX;
            uint64_t next = step(s, i, cycle);
            at = due_at[i]; /* set by wake-ups during the step */
            if (next < at) due_at[i] = at = next;
        }
        if (at < soonest) soonest = at;
    }
    if (soonest < dom->next) dom->next = soonest;
    if (dom->next <= cycle) dom->next = cycle + 1;
    dom->tick = dom->next == UINT64_MAX ? UINT64_MAX : dom->next * dom->period;
}

/* The next tick at which anything is due; UINT64_MAX: everything sleeps. */
static uint64_t next_tick(const struct sim *s)
{
    uint64_t t = UINT64_MAX;
    for (uint32_t d = 0; d < CLOCK_N; d++)
        if (s->domain[d].tick < t) t = s->domain[d].tick;
    return t;
}

static void step_tick(struct sim *s)
{
    static const enum clock_domain order[CLOCK_N] = {CLOCK_NOC, CLOCK_DRAM, CLOCK_SECOND_DRAM,
                                                     CLOCK_L2, CLOCK_CORE};
    for (uint32_t k = 0; k < CLOCK_N; k++) {
        struct domain *d = &s->domain[order[k]];
        if (d->tick == s->tick) step_domain(s, order[k], d->next);
    }
}

static enum sim_end report_stuck(struct sim *s, const char *why, struct error *e)
{
    struct text t = {0};
    for (uint32_t i = 0; i < s->m.sm.count && t.len < 400; i++)
        sm_stuck(&s->sm[i], &t);
    for (uint32_t i = 0; i < s->scalars && t.len < 500; i++)
        scalar_stuck(&s->scalar[i], &t);
    if (sim_translates(s)) l2_tlb_stuck(&s->l2_tlb, &t);
    for (uint32_t i = 0; i < s->m.l2.banks && t.len < 600; i++)
        l2_stuck(&s->slice[i], &t);
    for (uint32_t i = 0; i < s->m.cpu.cores; i++)
        cpu_core_stuck(&s->core[i], &t);
    noc_stuck(&s->noc[NOC_REQUEST], "request network", &t);
    noc_stuck(&s->noc[NOC_REPLY], "reply network", &t);
    if (memory_side_is_on(&s->memory_side)) memory_side_stuck(&s->memory_side, &t);
    memory_stuck(&s->memory, s->tick, &t);
    memory_stuck(&s->second_memory, s->tick, &t);
    for (size_t i = 0; i < t.len; i++)
        if (t.s[i] == '\n') t.s[i] = ';';
    error_run(e, "simulation of '%s' %s at core cycle %llu: %.700s", s->run.launch->name, why,
              (unsigned long long)sim_core_cycle(s), text_str(&t));
    text_fini(&t);
    return SIM_FAILED;
}

static bool launch_over(const struct sim *s)
{
    return s->run.done_ctas == s->run.launch->ctas && !s->run.stores_behind;
}

static bool has_failed(const struct sim *s)
{
    return s->error.kind != ERROR_NONE || mem_refusals() != s->refusals;
}

static enum sim_end end_failed(struct sim *s, struct error *e)
{
    if (s->error.kind == ERROR_NONE) error_no_memory(&s->error);
    if (e) *e = s->error;
    return SIM_FAILED;
}

/* Counts events that happen a bounded number of times per instruction: issue, service by L2 and by
 * memory. Packets are not counted, since a rejected request may have any number. */
static uint64_t count_progress(const struct sim *s)
{
    uint64_t n = s->run.instructions;
    if (!s->m.cpu.agents) { /* all the GPU's */
        n += s->memory.bytes_read + s->memory.bytes_written;
        n += s->second_memory.bytes_read + s->second_memory.bytes_written;
    }
    n += l2_tlb_progress(&s->l2_tlb);
    for (uint32_t i = 0; i < s->m.l2.banks; i++)
        n += s->slice[i].s.reads + s->slice[i].s.writes;
    return n;
}

struct watchdog {
    uint64_t progress, since; /* since: tick at which progress last changed */
    uint64_t patience;        /* ticks without progress until the run is aborted */
};

static struct watchdog watchdog_of(const struct sim *s)
{
    struct watchdog w = {count_progress(s), s->tick, UINT64_MAX};
    uint64_t cycles = WATCHDOG_CYCLES + WATCHDOG_WAITS * machine_longest_wait(&s->m), ticks;
    if (!__builtin_mul_overflow(cycles, clocks_slowest(&s->clocks), &ticks)) w.patience = ticks;
    return w;
}

/* Called regularly: checks for interruption and progress. */
static bool look_round(struct sim *s, struct watchdog *w, enum sim_end *end, struct error *e)
{
    sim_check(s, false);
    if (plumb_interrupted) {
        *end = SIM_INTERRUPTED;
        return false;
    }
    uint64_t now = count_progress(s);
    if (now != w->progress) {
        w->progress = now;
        w->since = s->tick;
    } else if (s->tick - w->since > w->patience) {
        *end = report_stuck(s, "makes no progress", e);
        return false;
    }
    return true;
}

static enum sim_end time_is_over(const struct sim *s, struct error *e)
{
    double seconds = (double)CLOCK_LAST_TICK * s->clocks.tick_us * 1e-6;
    error_input(
        e,
        "simulation of '%s' takes more than %.3g s of the machine's time, which is as far as"
        " its clocks can be counted together (in steps of %.3g ps); rounder clocks, with a"
        " smaller common multiple, are allowed",
        s->run.launch->name, seconds, s->clocks.tick_us * 1e6);
    return SIM_FAILED;
}

enum sim_end sim_advance(struct sim *s, uint64_t instructions, struct error *e)
{
    uint64_t left = UINT64_MAX - s->run.instructions;
    uint64_t target =
        instructions && instructions < left ? s->run.instructions + instructions : UINT64_MAX;
    struct watchdog watchdog = watchdog_of(s);
    uint64_t steps = 0;
    enum sim_end end = SIM_DONE;
    while (!launch_over(s)) {
        uint64_t t = next_tick(s);
        if (t == UINT64_MAX) return report_stuck(s, "is deadlocked", e);
        if (t > CLOCK_LAST_TICK) return time_is_over(s, e);
        if (t > s->roots.next) stall_roots_record(s, t);
        s->tick = t;
        step_tick(s);
        if (s->tick >= s->watch_next) sim_watched(s);
        if (has_failed(s)) return end_failed(s, e);
        if (s->run.instructions >= target) return SIM_LIMIT;
        if ((++steps & 0x3fff) == 0 && !look_round(s, &watchdog, &end, e)) return end;
    }
    sim_check(s, true);
    return SIM_DONE;
}

/* sim_step.c - advances time. Within a tick the four clock domains are stepped in the order
 * network, DRAM, L2, core, so that what arrives at an edge can be used at that edge, and what is
 * pushed becomes visible at the receiver's next edge. */
#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "detailed/constants.h"
#include "detailed/core/sim_internal.h"

static void step_domain(struct domain *d)
{
    const uint64_t cycle = d->next;
    const struct kind_run *r = d->run, *const end = d->run_end;
    uint64_t soonest = UINT64_MAX;
    d->next = UINT64_MAX; /* wake-ups during the step lower it */
    do
        soonest = sim_step_run(r, 0, cycle, soonest, NULL);
    while (++r < end);
    if (soonest < d->next) d->next = soonest;
    if (d->next <= cycle) d->next = cycle + 1;
    d->tick = d->next == UINT64_MAX ? UINT64_MAX : d->next * d->period;
}

/* The next tick at which anything is due; UINT64_MAX: everything sleeps. */
static uint64_t next_tick(const struct sim *s)
{
    uint64_t t = UINT64_MAX;
    for (uint32_t k = 0; k < s->stepped_clocks; k++)
        if (s->stepped[k]->tick < t) t = s->stepped[k]->tick;
    return t;
}

static void step_tick(struct sim *s)
{
    for (uint32_t k = 0; k < s->stepped_clocks; k++)
        if (s->stepped[k]->tick == s->tick) step_domain(s->stepped[k]);
}

static enum sim_end report_stuck(struct sim *s, const char *why, struct error *e)
{
    struct text t = {0};
    components_stuck(s->kind, &t);
    for (size_t i = 0; i < t.len; i++)
        if (t.s[i] == '\n') t.s[i] = ';';
    error_run(e, "simulation of '%s' %s at core cycle %llu: %.700s", s->run.launch->name, why,
              (unsigned long long)sim_core_cycle(s), text_str(&t));
    text_fini(&t);
    return SIM_FAILED;
}

static bool launch_over(const struct sim *s)
{
    return s->run.counts.done_ctas == s->run.launch->ctas && !s->run.counts.requests_behind;
}

static bool has_failed(const struct sim *s)
{
    return s->error.kind != ERROR_NONE || *s->refusals != s->refusals_before;
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
    return s->run.counts.instructions + components_progress(s->kind);
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

/* Called regularly: checks for interruption and progress, and tells of the latter. */
static bool look_round(struct sim *s, struct watchdog *w, enum sim_end *end, struct error *e)
{
    sim_check(s, false);
    if (plumb_interrupted) {
        *end = SIM_INTERRUPTED;
        return false;
    }
    if (s->tell_ctas) s->tell_ctas(s->run.counts.done_ctas, s->tell_ctx);
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
    uint64_t left = UINT64_MAX - s->run.counts.instructions;
    uint64_t target = instructions && instructions < left
                          ? s->run.counts.instructions + instructions
                          : UINT64_MAX;
    struct watchdog watchdog = watchdog_of(s);
    if (s->threads) sim_threads_wake(s);
    uint64_t steps = 0;
    enum sim_end end = SIM_DONE;
    while (!launch_over(s)) {
        uint64_t t = next_tick(s);
        if (t == UINT64_MAX) return report_stuck(s, "is deadlocked", e);
        if (t > CLOCK_LAST_TICK) return time_is_over(s, e);
        if (t > s->roots.next) stall_roots_record(s, t);
        s->tick = t;
        if (s->threads)
            sim_threads_tick(s);
        else
            step_tick(s);
        if (s->tick >= s->watch_next) sim_watched(s);
        if (has_failed(s)) return end_failed(s, e);
        if (s->run.counts.instructions >= target) return SIM_LIMIT;
        if ((++steps & 0x3fff) == 0 && !look_round(s, &watchdog, &end, e)) return end;
    }
    sim_check(s, true);
    return SIM_DONE;
}

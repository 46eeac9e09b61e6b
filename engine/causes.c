/* causes.c - see causes.h. */
#include "engine/causes.h"

#include "base/memory/alloc.h"
#include "engine/constants.h"
#include "engine/engine_job.h"
#include "estimator/model/launch_picks.h"
#include "gpu/machine/load/machine.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = CAUSE_SETS, SATURATED_MAX = 5 };
static const double TWICE = 2, HALF = 0.5;

/* A resource and the parameters that double it.  station: the station of the explanation that
 * stands for it, for finding pairs; NULL: none. */
struct cause_knob {
    const char *words, *station;
    struct {
        const char *path;
        const double *times;
    } turn[TURNS];
};
static const struct cause_knob knobs[] = {
    {"twice the core clock", "units", {{"clock.core_mhz", &TWICE}}},
    {"int32 units twice as fast", NULL, {{"sm.units.int32.interval", &HALF}}},
    {"fp32 units twice as fast", NULL, {{"sm.units.fp32.interval", &HALF}}},
    {"fp64 units twice as fast", NULL, {{"sm.units.fp64.interval", &HALF}}},
    {"special function units twice as fast", NULL, {{"sm.units.sfu.interval", &HALF}}},
    {"matrix units twice as fast", NULL, {{"sm.units.tensor.interval", &HALF}}},
    {"twice the vector memory buffer", "vmb", {{"sm.vmb_entries", &TWICE}}},
    {"twice the L1 ports", "l1", {{"l1.ports", &TWICE}}},
    {"twice the L1 banks", NULL, {{"l1.banks", &TWICE}}},
    {"half the L1 latency", NULL, {{"l1.latency", &HALF}}},
    {"twice the L1 MSHRs", "l1_mshr", {{"l1.mshr.entries", &TWICE}}},
    {"twice as many loads merged at an L1 MSHR", NULL, {{"l1.mshr.max_merge", &TWICE}}},
    {"twice the L1, by ways", "l1_lines", {{"l1.kb", &TWICE}, {"l1.ways", &TWICE}}},
    {"twice the L1, by sets", NULL, {{"l1.kb", &TWICE}}},
    {"twice the network clock", "noc_request", {{"clock.noc_mhz", &TWICE}}},
    {"twice the network width", NULL, {{"noc.flit_bytes", &TWICE}}},
    {"half the network latency", NULL, {{"noc.latency", &HALF}}},
    {"twice the network queues", NULL, {{"noc.input_queue", &TWICE}, {"noc.output_queue", &TWICE}}},
    {"half the SMs per network port", NULL, {{"noc.sms_per_port", &HALF}}},
    {"half the latency of routers and links",
     NULL,
     {{"noc.router_latency", &HALF}, {"noc.link_latency", &HALF}}},
    {"twice the L2 slices, of half the size", NULL, {{"l2.banks", &TWICE}, {"l2.bank_kb", &HALF}}},
    {"twice the L2 ports", "l2", {{"l2.ports", &TWICE}}},
    {"twice the L2 data banks", NULL, {{"l2.data_banks", &TWICE}}},
    {"twice the L2 clock", NULL, {{"clock.l2_mhz", &TWICE}}},
    {"half the L2 latency", NULL, {{"l2.latency", &HALF}, {"l2.extra_latency", &HALF}}},
    {"twice the L2 MSHRs", "l2_mshr", {{"l2.mshr.entries", &TWICE}}},
    {"twice the L2, by sets", NULL, {{"l2.bank_kb", &TWICE}}},
    {"twice the L2, by ways", "l2_lines", {{"l2.bank_kb", &TWICE}, {"l2.ways", &TWICE}}},
    {"twice the L2 ways at the same size", NULL, {{"l2.ways", &TWICE}}},
    {"twice the DRAM channels", "dram", {{"dram.channels", &TWICE}}},
    {"twice the DRAM clock", NULL, {{"dram.clock_mhz", &TWICE}}},
    {"twice the DRAM banks", NULL, {{"dram.banks_per_group", &TWICE}}},
    {"twice the bandwidth of a channel", NULL, {{"dram.fixed_gbps", &TWICE}}},
    {"half the DRAM latency", NULL, {{"dram.fixed_latency", &HALF}}},
    {"half the DRAM latency",
     NULL,
     {{"dram.timing.tRCDRD", &HALF},
      {"dram.timing.tRCDWR", &HALF},
      {"dram.timing.tRP", &HALF},
      {"dram.timing.tRAS", &HALF},
      {"dram.timing.tRC", &HALF},
      {"dram.timing.tCL", &HALF},
      {"dram.timing.tCWL", &HALF},
      {"dram.timing.tAL", &HALF},
      {"dram.extra_latency", &HALF}}},
};
enum { KNOBS = sizeof knobs / sizeof *knobs };
_Static_assert(KNOBS + SATURATED_MAX * (SATURATED_MAX - 1) / 2 <= CAUSES_MAX, "room for all");

/* --- a trial ---------------------------------------------------------------------------------- */

static double turned_value(const struct param *p, double value, double times)
{
    double v = value * times;
    if (p->type == PARAM_REAL) return v;
    return fmin(p->hi, fmax(p->lo, floor(v)));
}

/* Adds the resource to a trial.  false: the machine has no such limit, or the parameter is at its
 * maximum. */
static bool add_knob(const struct machine *m, const struct cause_knob *k, struct cause *c)
{
    for (uint32_t i = 0; i < TURNS && k->turn[i].path; i++) {
        const char *path = k->turn[i].path;
        const struct param *p = machine_find_param(path, NULL, NULL);
        double v, to;
        bool limits = p && machine_get_number(m, path, &v) && v > 0;
        if (limits) to = turned_value(p, v, *k->turn[i].times);
        if (!limits || to == v) {
            if (i == 0) return false;
            continue;
        }
        assert(c->n < CAUSE_SETS);
        snprintf(c->set[c->n++], CAUSE_SET_MAX, "%s=%.15g", path, to);
    }
    c->resources++;
    size_t len = strlen(c->words);
    snprintf(c->words + len, sizeof c->words - len, "%s%s", len ? " and " : "", k->words);
    return true;
}

struct trial {
    struct engine_job job;
    const struct machine *base;
    struct machine m; /* the machine of the trial */
    struct launch_picks picks;
    double time; /* of the unchanged machine, us */
};

static bool time_of(const struct engine_job *job, const struct launch_picks *picks, double *us)
{
    struct est_params caches, e = engine_job_params(job, &caches);
    return launch_picks_time(picks, job->profile, &e, &job->correction, us, NULL) && *us > 0;
}

/* false: there is no such machine, or it needs another profile. */
static bool try_it(struct trial *t, struct cause *c)
{
    const char *sets[CAUSE_SETS];
    double us;
    for (uint32_t i = 0; i < c->n; i++)
        sets[i] = c->set[i];
    t->m = *t->base;
    if (!machine_scale(&t->m, sets, c->n) || !time_of(&t->job, &t->picks, &us)) return false;
    c->saves = 1 - us / t->time;
    return true;
}

static void try_singles(struct trial *t, struct causes *c)
{
    for (uint32_t k = 0; k < KNOBS; k++) {
        struct cause *one = &c->at[c->n];
        *one = (struct cause){.n = 0};
        c->n += add_knob(t->base, &knobs[k], one) && try_it(t, one);
    }
}

/* --- pairs -------------------------------------------------------------------------------------
 */

/* Collects the machine's saturated stations. */
static uint32_t find_saturated(const struct machine *m, const struct explanation *x,
                               const struct cause_knob *out[SATURATED_MAX])
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < KNOBS; k++) {
        for (uint32_t i = 0; i < x->n && n < SATURATED_MAX && knobs[k].station; i++) {
            struct cause has = {.n = 0};
            bool busy = x->station[i].utilization >= CAUSE_SATURATED;
            if (busy && strcmp(knobs[k].station, x->station[i].name) == 0 &&
                add_knob(m, &knobs[k], &has))
                out[n++] = &knobs[k];
        }
    }
    return n;
}

static double saved_by(const struct causes *c, const struct cause_knob *k)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (strcmp(c->at[i].words, k->words) == 0) return c->at[i].saves;
    return 0;
}

static void try_pairs(struct trial *t, const struct explanation *x, struct causes *c)
{
    const struct cause_knob *busy[SATURATED_MAX];
    uint32_t n = find_saturated(t->base, x, busy);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = i + 1; k < n; k++) {
            struct cause *both = &c->at[c->n];
            double either = fmax(saved_by(c, busy[i]), saved_by(c, busy[k]));
            *both = (struct cause){.n = 0};
            if (!add_knob(t->base, busy[i], both) || !add_knob(t->base, busy[k], both)) continue;
            c->n += try_it(t, both) && both->saves >= either + CAUSE_PAIR_MORE;
        }
    }
}

/* --- the list ----------------------------------------------------------------------------------
 */

static int best_first(const void *a, const void *b)
{
    const struct cause *x = a, *y = b;
    return (x->saves < y->saves) - (x->saves > y->saves);
}

bool causes_find(const struct engine_job *job, const struct explanation *x, struct causes *c)
{
    struct trial *t = mem_new(1, sizeof *t);
    if (!t) return false;
    *c = (struct causes){.n = 0};
    t->base = job->m;
    t->job = *job;
    t->job.m = &t->m;
    t->job.near = true;
    struct est_params caches, e = engine_job_params(job, &caches);
    if (launch_picks_find(&t->picks, job->profile, job->selected, CAUSE_LAUNCHES, &e,
                          &job->correction, NULL) &&
        time_of(job, &t->picks, &t->time)) {
        try_singles(t, c);
        try_pairs(t, x, c);
    }
    qsort(c->at, c->n, sizeof *c->at, best_first);
    launch_picks_fini(&t->picks);
    mem_free(t);
    return true;
}

void causes_json(const struct causes *c, struct json *j)
{
    if (!c->n) return;
    json_array(json_key(j, "what_helps"));
    for (uint32_t i = 0; i < c->n; i++) {
        json_object(j);
        json_string(json_key(j, "what"), c->at[i].words);
        json_array(json_key(j, "set"));
        for (uint32_t k = 0; k < c->at[i].n; k++)
            json_string(j, c->at[i].set[k]);
        json_end(j);
        json_number(json_key(j, "saves"), c->at[i].saves);
        json_end(j);
    }
    json_end(j);
}

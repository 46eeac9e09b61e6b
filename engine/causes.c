/* causes.c - see causes.h. */
#include "engine/causes.h"

#include "base/memory/alloc.h"
#include "engine/constants.h"
#include "engine/engine_job.h"
#include "estimator/model/launch_picks.h"
#include "gpu/machine/machine.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = CAUSE_SETS, SATURATED_MAX = 5 };
static const double TWICE = 2, HALF = 0.5;

/* Resources that speed up all that some later resource does. */
enum cover {
    NO_COVER,
    CORE_CLOCK,
    L1_WAYS,
    NETWORK_CLOCK,
    L2_CLOCK,
    DRAM_CLOCK,
    L2_SETS,
    DRAM_CHANNELS,
    COVERS
};

/* A resource and the parameters that double it, and when it need not be tried. */
struct cause_knob {
    const char *words;
    const char *station; /* the station of the explanation that stands for it; NULL: none */
    struct {
        const char *path;
        const double *times;
    } turn[TURNS];
    enum cover covers;      /* which cover this resource is */
    enum cover covered_by;  /* an earlier resource; NO_COVER: none */
    const char *entries_of; /* a station: this resource is its entries */
    uint32_t only;          /* bits of enum op_class: the instructions that it serves; 0: all */
};
#define OF_UNIT(op) .covered_by = CORE_CLOCK, .only = 1u << (op)
static const struct cause_knob knobs[] = {
    {.words = "twice the core clock",
     .covers = CORE_CLOCK,
     .station = "units",
     .turn = {{"clock.core_mhz", &TWICE}}},
    {.words = "int32 units twice as fast",
     .turn = {{"sm.units.int32.interval", &HALF}},
     OF_UNIT(OP_INT)},
    {.words = "fp32 units twice as fast",
     .turn = {{"sm.units.fp32.interval", &HALF}, {"sm.fp32_interval", &HALF}},
     OF_UNIT(OP_FP32)},
    {.words = "fp64 units twice as fast",
     .turn = {{"sm.units.fp64.interval", &HALF}},
     OF_UNIT(OP_FP64)},
    {.words = "special function units twice as fast",
     .turn = {{"sm.units.sfu.interval", &HALF}},
     OF_UNIT(OP_SFU)},
    {.words = "matrix units twice as fast",
     .turn = {{"sm.units.tensor.interval", &HALF}, {"sm.mma_sync_interval", &HALF}},
     .covered_by = CORE_CLOCK,
     .only = 1u << OP_TENSOR | 1u << OP_WGMMA},
    {.words = "twice the rate of the CTA dispatcher",
     .station = "dispatch",
     .turn = {{"sm.cta_rate", &TWICE}},
     .covered_by = CORE_CLOCK},
    {.words = "twice the vector memory buffer",
     .station = "vmb",
     .turn = {{"sm.vmb_entries", &TWICE}},
     .entries_of = "vmb"},
    {.words = "twice the L1 ports", .station = "l1", .turn = {{"l1.ports", &TWICE}}},
    {.words = "twice the L1 banks", .turn = {{"l1.banks", &TWICE}}, .covered_by = CORE_CLOCK},
    {.words = "half the L1 latency", .turn = {{"l1.latency", &HALF}}},
    {.words = "twice the L1 MSHRs",
     .station = "l1_mshr",
     .turn = {{"l1.mshr.entries", &TWICE}},
     .entries_of = "l1_mshr"},
    {.words = "twice as many loads merged at an L1 MSHR",
     .turn = {{"l1.mshr.max_merge", &TWICE}},
     .entries_of = "l1_mshr"},
    {.words = "twice the L1, by ways",
     .covers = L1_WAYS,
     .station = "l1_lines",
     .turn = {{"l1.kb", &TWICE}, {"l1.ways", &TWICE}}},
    {.words = "twice the L1, by sets", .turn = {{"l1.kb", &TWICE}}, .covered_by = L1_WAYS},
    {.words = "twice the network clock",
     .covers = NETWORK_CLOCK,
     .station = "noc_request",
     .turn = {{"clock.noc_mhz", &TWICE}}},
    {.words = "twice the network width",
     .turn = {{"noc.flit_bytes", &TWICE}},
     .covered_by = NETWORK_CLOCK},
    {.words = "half the network latency",
     .turn = {{"noc.latency", &HALF}},
     .covered_by = NETWORK_CLOCK},
    {.words = "twice the network queues",
     .turn = {{"noc.input_queue", &TWICE}, {"noc.output_queue", &TWICE}}},
    {.words = "half the SMs per network port", .turn = {{"noc.sms_per_port", &HALF}}},
    {.words = "half the latency of routers and links",
     .turn = {{"noc.router_latency", &HALF}, {"noc.link_latency", &HALF}}},
    {.words = "twice the L2 slices, of half the size",
     .turn = {{"l2.banks", &TWICE}, {"l2.bank_kb", &HALF}}},
    {.words = "twice the L2 clock", .covers = L2_CLOCK, .turn = {{"clock.l2_mhz", &TWICE}}},
    {.words = "twice the L2 ports",
     .station = "l2",
     .turn = {{"l2.ports", &TWICE}},
     .covered_by = L2_CLOCK},
    {.words = "twice the L2 data banks", .turn = {{"l2.data_banks", &TWICE}}},
    {.words = "half the L2 latency",
     .turn = {{"l2.latency", &HALF}, {"l2.extra_latency", &HALF}},
     .covered_by = L2_CLOCK},
    {.words = "twice the DRAM clock", .covers = DRAM_CLOCK, .turn = {{"dram.clock_mhz", &TWICE}}},
    {.words = "twice the L2 MSHRs",
     .station = "l2_mshr",
     .turn = {{"l2.mshr.entries", &TWICE}},
     .entries_of = "l2_mshr"},
    {.words = "twice the requests of L2s under way",
     .station = "l2_requests",
     .turn = {{"l2.link_requests", &TWICE}},
     .entries_of = "l2_requests"},
    {.words = "twice the L2, by sets",
     .covers = L2_SETS,
     .turn = {{"l2.bank_kb", &TWICE}},
     .covered_by = DRAM_CLOCK},
    {.words = "twice the L2, by ways",
     .station = "l2_lines",
     .turn = {{"l2.bank_kb", &TWICE}, {"l2.ways", &TWICE}},
     .covered_by = L2_SETS},
    {.words = "twice the L2 ways at the same size",
     .turn = {{"l2.ways", &TWICE}},
     .covered_by = L2_SETS},
    {.words = "twice the DRAM channels",
     .covers = DRAM_CHANNELS,
     .station = "dram",
     .turn = {{"dram.channels", &TWICE}}},
    {.words = "twice the DRAM banks",
     .turn = {{"dram.banks_per_group", &TWICE}},
     .covered_by = DRAM_CHANNELS},
    {.words = "twice the bandwidth of a channel", .turn = {{"dram.fixed_gbps", &TWICE}}},
    {.words = "half the DRAM latency", .turn = {{"dram.fixed_latency", &HALF}}},
    {.words = "half the DRAM latency",
     .turn = {{"dram.timing.tRCDRD", &HALF},
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
    assert(c->resources < CAUSE_RESOURCES);
    c->resource[c->resources++] = (uint32_t)(k - knobs);
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
    return launch_picks_time(picks, job->profile, &e, us, NULL) && *us > 0;
}

static bool set_machine(struct trial *t, const struct cause *c)
{
    const char *sets[CAUSE_SETS];
    for (uint32_t i = 0; i < c->n; i++)
        sets[i] = c->set[i];
    t->m = *t->base;
    return machine_scale(&t->m, sets, c->n);
}

/* false: there is no such machine, or it needs another profile. */
static bool try_it(struct trial *t, struct cause *c)
{
    double us;
    if (!set_machine(t, c) || !time_of(&t->job, &t->picks, &us)) return false;
    c->saves = 1 - us / t->time;
    return true;
}

/* --- single resources -------------------------------------------------------------------------
 */

static const struct station *find_station(const struct explanation *x, const char *name)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (strcmp(x->station[i].name, name) == 0) return &x->station[i];
    return NULL;
}

/* More entries do not help if some are free and an infinite number would not help either. */
static bool has_free_entries(const struct explanation *x, const char *station)
{
    const struct station *s = find_station(x, station);
    return s && s->utilization < CAUSE_SATURATED && s->gain < CAUSE_NOTHING;
}

/* saves[]: of the earlier resources; NAN: unknown. */
static bool cannot_help(const struct trial *t, const struct explanation *x,
                        const struct cause_knob *k, const double saves[COVERS])
{
    if (k->covered_by && saves[k->covered_by] < CAUSE_NOTHING) return true;
    if (k->entries_of && has_free_entries(x, k->entries_of)) return true;
    return k->only && !launch_picks_issue(&t->picks, t->job.profile, k->only);
}

static void try_singles(struct trial *t, const struct explanation *x, struct causes *c)
{
    double saves[COVERS]; /* [NO_COVER] is not read */
    for (uint32_t i = 0; i < COVERS; i++)
        saves[i] = NAN;
    for (uint32_t k = 0; k < KNOBS; k++) {
        struct cause *one = &c->at[c->n];
        *one = (struct cause){.n = 0};
        if (!add_knob(t->base, &knobs[k], one)) continue;
        saves[knobs[k].covers] = 0;
        if (cannot_help(t, x, &knobs[k], saves)) continue;
        bool tried = try_it(t, one);
        saves[knobs[k].covers] = tried ? one->saves : (double)NAN;
        c->n += tried;
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
        if (c->at[i].resources == 1 && &knobs[c->at[i].resource[0]] == k) return c->at[i].saves;
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

/* --- correction --------------------------------------------------------------------------------
 */

/* false: no run corrects it. */
static bool corrected_time(const struct engine_job *job, const struct metrics *m,
                           const struct explanation *x, double *us)
{
    struct calibrated c;
    engine_job_calibrate(job, m, x, &c);
    *us = c.factor * m->v[M_time_us];
    return c.runs && *us > 0;
}

/* Whether the cause is one resource alone, and the other has it, too. */
static bool is_part_of(const struct cause *one, const struct cause *other)
{
    if (one->resources != 1) return false;
    for (uint32_t i = 0; i < other->resources; i++)
        if (other->resource[i] == one->resource[0]) return true;
    return false;
}

/* Whether both resources of a pair together still save more than either. */
static bool still_more(const struct causes *c, const struct cause *pair)
{
    for (uint32_t i = 0; i < c->n; i++) {
        const struct cause *one = &c->at[i];
        if (is_part_of(one, pair) && pair->saves < one->saves + CAUSE_PAIR_MORE) return false;
    }
    return true;
}

/* Estimates in full the machines that matter, and corrects them as the answer is corrected. m, x:
 * of the unchanged machine. */
static void correct_causes(struct trial *t, const struct engine_job *job, const struct metrics *m,
                           const struct explanation *x, struct causes *c)
{
    double before, us;
    uint32_t kept = 0;
    if (!job->cal || !job->cal->n || !corrected_time(job, m, x, &before)) return;
    c->corrected = true;
    for (uint32_t i = 0; i < c->n; i++) {
        struct cause *one = &c->at[i];
        struct metrics changed;
        struct explanation why = {0};
        bool matters = fabs(one->saves) >= CAUSE_NOTHING && set_machine(t, one) &&
                       engine_job_estimate(&t->job, &changed, &why, NULL) &&
                       corrected_time(&t->job, &changed, &why, &us);
        if (matters) one->saves = 1 - us / before;
    }
    for (uint32_t i = 0; i < c->n; i++)
        if (c->at[i].resources == 1 || still_more(c, &c->at[i])) c->at[kept++] = c->at[i];
    c->n = kept;
}

/* --- the list ----------------------------------------------------------------------------------
 */

static int best_first(const void *a, const void *b)
{
    const struct cause *x = a, *y = b;
    return (x->saves < y->saves) - (x->saves > y->saves);
}

bool causes_find(const struct engine_job *job, const struct metrics *m, const struct explanation *x,
                 struct causes *c)
{
    struct trial *t = mem_new(1, sizeof *t);
    if (!t) return false;
    *c = (struct causes){.n = 0};
    t->base = job->m;
    t->job = *job;
    t->job.m = &t->m;
    t->job.near = true;
    struct est_params caches, e = engine_job_params(job, &caches);
    if (launch_picks_find(&t->picks, job->profile, job->selected, CAUSE_LAUNCHES, &e, NULL) &&
        time_of(job, &t->picks, &t->time)) {
        try_singles(t, x, c);
        try_pairs(t, x, c);
        correct_causes(t, job, m, x, c);
    }
    qsort(c->at, c->n, sizeof *c->at, best_first);
    launch_picks_fini(&t->picks);
    mem_free(t);
    return true;
}

const char *causes_station(const struct causes *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (is_part_of(&c->at[i], &c->at[0])) return knobs[c->at[i].resource[0]].station;
    return NULL;
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

/* explain.c - see explain.h. */
#include "estimator/model/explain.h"

#include "estimator/constants.h"
#include "estimator/dram/channel_replay.h"
#include "estimator/math_util.h"
#include "estimator/model/launch_model_solve.h"
#include "estimator/model/term_list.h"
#include "gpu/machine/part_list.h"
#include "gpu/mechanisms/mechanisms.h"

#include <string.h>

/* Stations that are shown as one: MSHR files separately, the two ends of a network together. */
struct station_label {
    const char *name, *term, *meaning; /* term: that puts it there (term_list.c) */
    uint32_t places;                   /* bits of enum station_place */
};
static const struct station_label shown[] = {
    {"issue", "issue", "issue slots", 1u << AT_ISSUE},
    {"units", "execution_units", "execution units", 1u << AT_UNIT},
    {"shared", "memory_units", "shared memory", 1u << AT_SHARED},
    {"memory_unit", "memory_units", "memory instructions' port", 1u << AT_MEMORY_UNIT},
    {"vmb", "memory_buffer", "vector memory buffers", 1u << AT_VMB},
    {"l1", "l1", "L1 caches", 1u << AT_L1 | 1u << AT_L1_HEAD},
    {"l1_mshr", "l1_mshrs", "MSHRs of the L1s", 1u << AT_L1_MSHR},
    {"noc_request", "network", "network to the L2",
     1u << AT_NOC_SM_OUT | 1u << AT_NOC_LINKS_OUT | 1u << AT_NOC_SLICE_IN},
    {"l2", "l2", "L2 slices", 1u << AT_L2 | 1u << AT_L2_LINK | 1u << AT_L2_LINK_PLACE},
    {"l2_mshr", "l2_mshrs", "MSHRs of the L2 slices", 1u << AT_L2_MSHR},
    {"dram", "channels", "memory channels", 1u << AT_DRAM | 1u << AT_SECOND_DRAM},
    {"noc_reply", "network", "network back to the SMs",
     1u << AT_NOC_SM_IN | 1u << AT_NOC_LINKS_BACK | 1u << AT_NOC_SLICE_OUT},
    {"l3", "l3", "memory-side cache (L3)",
     1u << AT_L3}, /* shown by machines that have them, as all below */
    {"collectors", "register_banks", "operand collectors",
     1u << AT_COLLECT_SP | 1u << AT_COLLECT_SFU | 1u << AT_COLLECT_MEMORY},
    {"register_banks", "register_banks", "register banks", 1u << AT_REGISTER_BANKS},
    {"page_walkers", "page_walkers", "walkers of page tables", 1u << AT_WALKERS},
    {"tlb", "page_walkers", "shared TLB, pages awaited", 1u << AT_TLB_PORTS | 1u << AT_TLB_PAGES},
    {"dispatch", "dispatcher", "CTA dispatcher", 1u << AT_DISPATCH},
};
enum { SHOWN_N = sizeof shown / sizeof shown[0] };
_Static_assert((uint32_t)SHOWN_N <= (uint32_t)STATION_MAX, "an explanation has room for all");
/* Stations whose entries are held while other stations are visited. */
static const uint32_t held_by_others = 1u << AT_VMB | 1u << AT_L1_MSHR | 1u << AT_L2_MSHR;

static bool is_there(const struct station_label *s, const struct est_params *e)
{
    const uint32_t registers = 1u << AT_COLLECT_SP | 1u << AT_REGISTER_BANKS;
    if (s->places & 1u << AT_L3) return l3_is_there(e->l3);
    if (s->places & 1u << AT_DISPATCH) return e->sm->cta_rate > 0;
    if (s->places & (1u << AT_WALKERS | 1u << AT_TLB_PAGES)) return tlb_is_on(e->tlb);
    return !(s->places & registers) || register_file_is_on(e->register_file);
}

static void station_add(struct station *s, const struct launch_model *m, uint32_t places,
                        double weight)
{
    double busiest = 0, queue = 0, latency = 0;
    for (uint32_t i = 0; i < AT_N; i++) {
        if (!(places >> i & 1) || m->net.at[i].visits <= 0) continue;
        double spent = m->result.wait[i] + m->result.service[i];
        if (m->result.utilization[i] > busiest) busiest = m->result.utilization[i];
        queue += m->result.throughput * m->net.at[i].visits * spent;
        latency += spent;
    }
    s->utilization += weight * (busiest < 1 ? busiest : 1);
    s->queue += weight * queue;
    s->latency += weight * latency;
}

/* Whether a slice may have fewer requests under way than its MSHRs await. */
static bool is_link_bound(const struct l2_params *l2)
{
    uint32_t most = l2_link_requests(l2), entries = l2->cache.mshr.entries;
    return most && (!entries || most < entries);
}

/* Fetches in flight are limited by the MSHRs; if these are unlimited, by the lines that can wait
 * for them. */
static const char *name_of(const struct station_label *s, const struct est_params *e)
{
    if (s->places == 1u << AT_L1_MSHR && !e->l1->cache.mshr.entries) return "l1_lines";
    if (s->places == 1u << AT_L2_MSHR && is_link_bound(e->l2)) return "l2_requests";
    if (s->places == 1u << AT_L2_MSHR && !e->l2->cache.mshr.entries) return "l2_lines";
    return s->name;
}

static const struct station_label *label_of(const char *name)
{
    for (uint32_t i = 0; i < SHOWN_N; i++)
        if (strcmp(shown[i].name, name) == 0) return &shown[i];
    return NULL;
}

const char *estimate_station_term(const char *name)
{
    if (strcmp(name, "l1_lines") == 0) return label_of("l1_mshr")->term;
    if (strcmp(name, "l2_lines") == 0) return label_of("l2_mshr")->term;
    if (strcmp(name, "l2_requests") == 0) return label_of("l2_mshr")->term;
    const struct station_label *l = label_of(name);
    return l ? l->term : "";
}

const char *estimate_station_meaning(const char *name)
{
    if (strcmp(name, "l1_lines") == 0) return "L1 lines that await data";
    if (strcmp(name, "l2_lines") == 0) return "L2 lines that await data";
    if (strcmp(name, "l2_requests") == 0) return "requests of the L2s to the memory side";
    const struct station_label *l = label_of(name);
    return l ? l->meaning : "";
}

/* Adds what each term that works on the cycles makes of them: those of waves as far as the last
 * wave stands for all.  These terms write nothing but m->cycles (term_list.c). */
static void terms_add(struct explanation *x, struct launch_model *m, double times)
{
    const struct launch_cycles found = m->cycles;
    double added[TERM_CYCLES_MAX], wave = found.run / found.wave;
    m->cycles.wave = 0;
    x->terms = term_list_trace(m, TERM_WAVE, &m->cycles.wave, x->term, added);
    for (uint32_t i = 0; i < x->terms; i++)
        x->term[i].cycles += times * wave * added[i];
    m->cycles.all = found.run;
    uint32_t n = term_list_trace(m, TERM_LAUNCH, &m->cycles.all, x->term + x->terms, added);
    for (uint32_t i = 0; i < n; i++)
        x->term[x->terms + i].cycles += times * added[i];
    x->terms += n;
    m->cycles = found;
}

/* The time that the channels take is unsure, and as far as they are busy all of the time. */
static double channels_doubt(const struct launch_model *m)
{
    return math_smaller(1, m->result.utilization[AT_DRAM]) * row_locality_doubt(&m->rows);
}

static void add_units(struct explanation *x, const struct launch_model *m, double times)
{
    const struct sm_params *sm = m->e->sm;
    for (uint32_t c = 0; c < PROFILE_CLASSES; c++) {
        enum unit unit = unit_of((uint8_t)c);
        if (unit >= UNIT_OWN_N) continue;
        double cycles = m->p->cls[c] * exec_unit_interval(sm, (uint8_t)c);
        x->unit_cycles[unit] += times * cycles / sm->count / sm->subcores;
    }
}

void explain_add(struct explanation *x, struct launch_model *m, double times)
{
    uint32_t places[SHOWN_N];
    double cycles[SHOWN_N];
    x->n = 0;
    x->l1_knee += times * m->cycles.all * m->levels.l1_knee;
    x->l2_conflicts += times * m->cycles.all * m->levels.l2_conflicts;
    x->channels_doubt += times * m->cycles.all * channels_doubt(m);
    terms_add(x, m, times);
    add_units(x, m, times);
    for (uint32_t i = 0; i < SHOWN_N; i++) {
        if (!is_there(&shown[i], m->e)) continue;
        places[x->n] = shown[i].places;
        struct station *s = &x->station[x->n++];
        s->name = name_of(&shown[i], m->e);
        s->held = (shown[i].places & held_by_others) != 0;
        station_add(s, m, shown[i].places, times * m->cycles.all);
    }
    launch_model_cycles_without(m, places, x->n, cycles);
    for (uint32_t i = 0; i < x->n; i++)
        x->station[i].gain += times * m->cycles.all * (1 - cycles[i] / m->cycles.all);
}

void explain_join(struct explanation *x, const struct explanation *more)
{
    x->n = more->n;
    x->l1_knee += more->l1_knee;
    x->l2_conflicts += more->l2_conflicts;
    x->channels_doubt += more->channels_doubt;
    for (uint32_t i = 0; i < UNIT_OWN_N; i++)
        x->unit_cycles[i] += more->unit_cycles[i];
    x->terms = more->terms;
    for (uint32_t i = 0; i < more->terms; i++) {
        x->term[i].name = more->term[i].name;
        x->term[i].cycles += more->term[i].cycles;
    }
    for (uint32_t i = 0; i < more->n; i++) {
        struct station *s = &x->station[i];
        const struct station *m = &more->station[i];
        s->name = m->name;
        s->held = m->held;
        s->utilization += m->utilization;
        s->queue += m->queue;
        s->latency += m->latency;
        s->gain += m->gain;
    }
}

/* --- what is not modelled --- */

static bool l1_frc_is_used(const struct est_params *e, double entries)
{
    (void)entries;
    return e->l1->enabled;
}

static bool l1_mshrs_are_bounded(const struct est_params *e, double aside)
{
    (void)aside;
    return e->l1->cache.mshr.entries != 0;
}

/* A replayed piece of the stream cannot show a timing that is longer. */
static bool outlasts(const struct dram_params *d, double clocks)
{
    return d->model == DRAM_BANKS && clocks > REPLAY_MOST * dram_burst_clocks(d);
}

static bool outlasts_replay(const struct est_params *e, double clocks)
{
    return outlasts(e->dram, clocks);
}

static bool outlasts_second_replay(const struct est_params *e, double clocks)
{
    return outlasts(e->second_dram, clocks);
}

static bool always(const struct est_params *e, double value)
{
    (void)e;
    (void)value;
    return true;
}

static bool keeps_part_of_cycles(const struct est_params *e, double policy)
{
    (void)e;
    return policy == REPL_DRRIP;
}

static bool vmb_has_few(const struct est_params *e, double entries)
{
    (void)e;
    return entries > 0 && entries < VMB_FEW;
}

/* Where a parameter whose row says PARTLY goes beyond the term of its mechanism, given its value;
 * NULL: wherever it is off its default. */
static bool (*const goes_beyond[MECHANISM_N])(const struct est_params *e, double value) = {
    [MECHANISM_l1_frc] = l1_frc_is_used,
    [MECHANISM_l1_mshr] = l1_mshrs_are_bounded,
    [MECHANISM_second_memory] = outlasts_second_replay,
    [MECHANISM_dram_timing] = outlasts_replay,
    [MECHANISM_vmb] = vmb_has_few,
    [MECHANISM_register_file] = always,
    [MECHANISM_replacement] = keeps_part_of_cycles,
};

static bool is_modelled(const struct est_params *e, const struct param *p, const void *params)
{
    double value = 0;
    if (p->term != PARAM_NO_TERM && p->term != PARAM_PARTLY) return true;
    if (param_is(p, params, p->dflt)) return true;
    enum mechanism_id id = mechanism_of(p->full_path);
    if (p->term == PARAM_NO_TERM || id == MECHANISM_N || !goes_beyond[id]) return false;
    param_number(p, params, &value);
    return !goes_beyond[id](e, value);
}

/* Whether no error of other machines tells how far a named parameter puts the estimate off.  A row
 * that says PARTLY without saying where the term ends has one everywhere. */
static bool lacks_term(const struct param *p)
{
    enum mechanism_id id = mechanism_of(p->full_path);
    return p->term == PARAM_NO_TERM || (id < MECHANISM_N && goes_beyond[id]);
}

/* Names the rows of a part that are not modelled; `params`: the part's struct. */
static void name_rows(struct explanation *x, const struct est_params *e, const struct part *part,
                      const void *params)
{
    for (const struct param *p = part->params; p < part->params + part->n; p++)
        if (!is_modelled(e, p, params) && x->n_not_modelled < NOT_MODELLED_MAX) {
            x->no_term[x->n_not_modelled] = lacks_term(p);
            x->not_modelled[x->n_not_modelled++] = p->full_path;
        }
}

static void list_not_modelled(struct explanation *x, const struct est_params *e)
{
    bool second = dram_is_there(e->second_dram);
#define NAME_ROWS(name, params) \
    if (second || &name##_part != &second_dram_part) name_rows(x, e, &name##_part, e->name);
    MACHINE_PARTS(NAME_ROWS)
}

static const struct station *find_busiest(const struct explanation *x, bool held)
{
    const struct station *best = NULL;
    for (uint32_t i = 0; i < x->n; i++) {
        const struct station *s = &x->station[i];
        if (!held && s->held) continue;
        if (!best || s->utilization > best->utilization) best = s;
    }
    return best;
}

/* The station that would help most if it were faster.  If several stations hide each other, it is
 * the busiest one that is busy by itself, else the busiest one whose entries are held for others;
 * if no station is busy, only more warps would help. */
static const char *bottleneck_of(const struct explanation *x)
{
    const struct station *helps = NULL, *busy = find_busiest(x, false),
                         *held = find_busiest(x, true);
    for (uint32_t i = 0; i < x->n; i++)
        if (!helps || x->station[i].gain > helps->gain) helps = &x->station[i];
    if (!helps) return NULL;
    if (helps->gain >= BOTTLENECK_GAIN) return helps->name;
    if (busy->utilization >= BOTTLENECK_BUSY) return busy->name;
    return held->utilization >= BOTTLENECK_BUSY ? held->name : "latency";
}

void explain_finish(struct explanation *x, const struct est_params *e, double cycles)
{
    for (uint32_t i = 0; i < x->n; i++) {
        struct station *s = &x->station[i];
        s->utilization /= cycles;
        s->queue /= cycles;
        s->latency /= cycles;
        s->gain = s->gain > 0 ? s->gain / cycles : 0;
    }
    x->l1_knee /= cycles;
    x->l2_conflicts /= cycles;
    x->channels_doubt /= cycles;
    x->bottleneck = bottleneck_of(x);
    list_not_modelled(x, e);
}

/* register_stations.c - see register_stations.h. */
#include "estimator/terms/register_stations.h"

#include "estimator/constants.h"
#include "estimator/math_util.h"
#include "estimator/terms/stations.h"
#include "gpu/policies/exec_unit.h"

#include <math.h>

static const struct register_file_params *params(const struct launch_model *m)
{
    return m->e->register_file;
}

static bool is_racetrack(const struct launch_model *m)
{
    return params(m)->cells == CELLS_RACETRACK;
}

static double sum_over_classes(const double *of)
{
    double sum = 0;
    for (uint32_t c = 0; c < PROFILE_CLASSES; c++)
        sum += of[c];
    return sum;
}

/* Of an SM, where the launch has so many. */
static uint32_t resident_warps(const struct launch_model *m)
{
    uint32_t sms = m->e->sm->count, most = (uint32_t)((m->shape->ctas + sms - 1) / sms);
    return (most < m->in.occ.ctas ? most : m->in.occ.ctas) * m->shape->warps_per_cta;
}

static struct register_layout layout_of(const struct launch_model *m)
{
    const struct register_warps w = {.registers = (uint32_t)math_larger(1, m->p->use.registers),
                                     .warps = m->in.occ.ctas * m->shape->warps_per_cta,
                                     .subcores = m->e->sm->subcores};
    return register_layout(params(m), &w);
}

void register_stations_init(struct launch_model *m)
{
    struct register_state *r = &m->registers;
    const struct register_use *u = &m->p->use;
    *r = (struct register_state){.on = register_file_is_on(params(m))};
    if (!r->on) return;
    const struct register_layout l = layout_of(m);
    uint32_t warps = resident_warps(m);
    register_spread_find(&r->spread, &l, u, params(m)->banks, warps);
    r->warps = warps;
    for (uint32_t k = 0; k < REGISTER_WINDOWS; k++) {
        bool all = k + 1 == REGISTER_WINDOWS || 1u << k >= warps;
        register_shifts_find(&r->of[k], &l, u, warps, all ? warps : 1u << k);
    }
    r->near = r->of[REGISTER_WINDOWS - 1];
    r->under = r->near.chance[0];
    r->reads = sum_over_classes(u->reads);
    r->writes = sum_over_classes(u->writes);
    r->readers = sum_over_classes(u->readers);
}

uint32_t register_stations_unit_groups(const struct launch_model *m)
{
    return m->registers.on ? 1 : m->e->sm->subcores;
}

/* --- under load --- */

static double instructions_per_cycle(const struct launch_model *m) /* of an SM */
{
    return m->wave.sms > 0 ? m->result.throughput * m->r.instructions / m->wave.sms : 0;
}

/* Core cycles between two instructions of a warp that does not wait for memory. */
static double gap(const struct launch_model *m)
{
    const struct network_result *n = &m->result;
    double issue = n->wait[AT_ISSUE] * m->net.at[AT_ISSUE].visits +
                   n->wait[AT_UNIT] * m->net.at[AT_UNIT].visits +
                   n->wait[AT_COLLECT_SP] * m->net.at[AT_COLLECT_SP].visits;
    return math_over(m->r.compute + issue, m->r.instructions);
}

/* ... that the scheduler lets go on: one that prefers the oldest does not send it to the end of a
 * queue. */
static double gap_in_turn(const struct launch_model *m)
{
    bool oldest = m->e->sm->scheduler == SCHED_GTO;
    return oldest ? math_over(m->r.compute, m->r.instructions) : gap(m);
}

/* Latency of the mean arithmetic result. */
static double result_latency(const struct launch_model *m)
{
    double all = 0, sum = 0;
    for (uint32_t c = 0; c < PROFILE_CLASSES; c++) {
        if (inst_op_is_global((uint8_t)c)) continue;
        all += m->p->use.writes[c];
        sum += m->p->use.writes[c] * exec_unit_latency(m->e->sm, (uint8_t)c);
    }
    return m->registers.collect + math_over(sum, all) + 1;
}

/* Accesses that may be there at once: operands of collected instructions, a result of each warp. */
static double most_at_once(const struct launch_model *m)
{
    const struct collector_params *c = &params(m)->collectors;
    double operands = math_over(m->registers.reads, m->registers.readers);
    return (c->sp + c->sfu + c->memory) * math_larger(1, operands) + m->registers.warps;
}

static double busy_banks(const struct launch_model *m, double per_cycle)
{
    const struct register_state *r = &m->registers;
    double share = math_over(per_cycle, r->reads + r->writes) / params(m)->clock_ratio;
    double cycles = r->bank_reads * r->bank_read + r->bank_writes * r->bank_write;
    return math_smaller(1, share * cycles * r->spread.same);
}

/* accesses: of a warp register per core cycle and SM, before anything stands in front. */
static struct register_front front_of(const struct launch_model *m, double accesses)
{
    const struct register_state *r = &m->registers;
    double banks = 1 / r->spread.same, share = math_over(accesses, r->reads + r->writes);
    double under = r->under, idle = 1 - busy_banks(m, accesses);
    double need = share * (r->writes - r->kept.voided) / banks;
    struct register_front f = {
        .gap = gap_in_turn(m),
        .wait = math_over(m->r.load_wait, m->r.instructions),
        .latency = result_latency(m),
        .passes = share * (r->bank_reads + r->forced) / banks * under,
        .idle = idle * under,
        .ways = (double)params(m)->write_buffer / params(m)->banks,
        .per_inst = math_over(r->writes, launch_instructions(m->p)),
    };
    if (!is_racetrack(m)) f.passes = idle;
    if (f.ways <= 0 || f.passes <= 0) return f;
    f.full = register_buffer_full(f.ways, need * (f.latency + 1 / f.passes));
    f.newer = need * f.full;
    return f;
}

/* Results that neither find their register under a port nor are replaced or forced out leave when
 * an access brings it there. */
static void leave_buffer(struct register_state *r, const struct register_front *f)
{
    double rest = r->writes - r->kept.voided;
    r->direct = f->idle * rest;
    r->forced = math_smaller(f->full * rest, rest - r->direct);
    r->passing = rest - r->direct - r->forced;
}

/* What reaches the banks. */
static void find_accesses(struct launch_model *m, double accesses)
{
    struct register_state *r = &m->registers;
    const struct register_file_params *p = params(m);
    /* where a warp goes on, it is one of those that access registers */
    double each = math_over(r->reads + r->writes, launch_instructions(m->p));
    double own = accesses > 0 ? math_over(each, gap_in_turn(m)) : 0,
           others = accesses - accesses / r->warps;
    struct register_front f = front_of(m, others + own);
    if (p->write_buffer) {
        register_buffer_keeps(&r->kept, &m->p->use, &f);
        leave_buffer(r, &f);
    } else if (p->cache_entries) {
        f.ways = p->cache_entries;
        register_cache_keeps(&r->kept, &m->p->use, &f);
    }
    r->bank_reads = r->reads - r->kept.reads;
    r->bank_writes = r->writes - r->kept.voided;
}

static double cycles_of(const struct launch_model *m, bool write)
{
    const struct racetrack_params *t = &params(m)->racetrack;
    return !is_racetrack(m) ? 1 : write ? t->write_cycles : t->read_cycles;
}

/* The mean square of shifts and `cycles`. */
static double square_with(const struct register_shifts *s, double cycles)
{
    return s->square + 2 * s->mean * cycles + cycles * cycles;
}

/* What a share of the accesses sees of another distribution. */
static void blend(struct register_shifts *s, const struct register_shifts *other, double share)
{
    for (uint32_t d = 0; d < REGISTER_MAX_SEGMENT; d++)
        s->chance[d] += share * (other->chance[d] - s->chance[d]);
    s->mean += share * (other->mean - s->mean);
    s->square += share * (other->square - s->square);
}

/* The shifts in a window between two of those that are known. */
static void shifts_of_window(const struct register_state *r, double window,
                             struct register_shifts *s)
{
    uint32_t k = 0;
    double at = math_larger(1, window);
    while (k + 2 < REGISTER_WINDOWS && 2u << k < at)
        k++;
    double low = 1u << k, high = math_smaller(2.0 * low, r->warps);
    *s = r->of[k];
    if (high > low) blend(s, &r->of[k + 1], math_smaller(1, (at - low) / (high - low)));
}

/* A scheduler that prefers the oldest warp lets as many go on as fill its cycles; those among them
 * that wait for memory make room for the next. Within a round a bank's last access is often the
 * same warp's. */
static void find_neighbours(struct launch_model *m)
{
    struct register_state *r = &m->registers;
    bool oldest = m->e->sm->scheduler == SCHED_GTO;
    double alone = math_over(m->r.compute, m->r.instructions), rate = instructions_per_cycle(m);
    double waits = gap(m), turns = rate * (oldest ? alone : waits);
    double again = (r->reads + r->writes) / math_larger(1, m->r.rounds) * r->spread.same;
    shifts_of_window(r, oldest ? r->warps * sqrt(math_over(alone, waits)) : r->warps, &r->near);
    r->under = r->near.chance[0];
    blend(&r->near, &r->of[0], again / (1 + again) / math_larger(1, turns));
}

/* Warps of which the scheduler may choose. */
static double ready_warps(const struct launch_model *m)
{
    const struct network_result *n = &m->result;
    double rate = instructions_per_cycle(m) / m->e->sm->subcores;
    return math_larger(1, rate * (1 + n->wait[AT_ISSUE]));
}

static struct register_shifts shifts_of_reads(const struct launch_model *m)
{
    const struct register_state *r = &m->registers;
    struct register_shifts s = r->near;
    double operands = math_over(r->reads, r->readers);
    if (m->e->sm->scheduler == SCHED_RMWS)
        register_shifts_chosen(&s, &r->near, operands, ready_warps(m));
    return s;
}

/* The share of the bank writes for which tracks are shifted. */
static double shifted_writes(const struct launch_model *m)
{
    const struct register_state *r = &m->registers;
    return params(m)->write_buffer ? math_over(r->forced, r->bank_writes) : 1;
}

static void add_latency(struct launch_model *m, const struct register_shifts *reads,
                        const struct register_waits *w)
{
    struct register_state *r = &m->registers;
    const struct register_file_params *p = params(m);
    uint32_t read = (uint32_t)cycles_of(m, false), write = (uint32_t)cycles_of(m, true);
    double operands = math_over(r->bank_reads, r->readers), more = math_larger(0, operands - 1);
    double some = math_over(r->readers, launch_instructions(m->p)) * math_smaller(1, operands);
    double waits = w->read * (1 + math_over(more, operands));
    double collect = register_shifts_whole(reads, operands, read, p->clock_ratio);
    double all =
        register_shifts_whole(reads, operands * p->collectors.memory, read, p->clock_ratio);
    r->collect = 1 + some * (math_larger(1, collect) - 1 + waits / p->clock_ratio);
    r->in_order = r->collect + some * (all - collect);
    r->write = 1;
    if (!p->write_buffer && !p->cache_entries)
        r->write =
            register_shifts_whole(&r->near, 1, write, p->clock_ratio) + w->write / p->clock_ratio;
}

void register_stations_under(struct launch_model *m)
{
    struct register_state *r = &m->registers;
    const struct register_file_params *p = params(m);
    if (!r->on) return;
    double accesses =
        instructions_per_cycle(m) * math_over(r->reads + r->writes, launch_instructions(m->p));
    if (accesses > 0) find_neighbours(m);
    find_accesses(m, accesses);
    struct register_shifts reads = shifts_of_reads(m);
    double read = cycles_of(m, false), write = cycles_of(m, true), moved = shifted_writes(m);
    double each = math_over(accesses, r->reads + r->writes) / p->clock_ratio;
    r->bank_read = reads.mean + read;
    r->bank_write = moved * r->near.mean + write;
    const struct register_load load = {.reads = each * r->bank_reads,
                                       .writes = each * r->bank_writes,
                                       .read = r->bank_read,
                                       .read2 = square_with(&reads, read),
                                       .write = r->bank_write,
                                       .write2 = moved * square_with(&r->near, write) +
                                                 (1 - moved) * write * write,
                                       .operands = math_over(r->bank_reads, r->readers),
                                       .most = most_at_once(m)};
    struct register_waits w;
    register_waits_find(&w, &r->spread, &load);
    add_latency(m, &reads, &w);
    r->shifts = r->bank_reads * reads.mean + r->bank_writes * moved * r->near.mean;
    r->wait = r->bank_reads * w.read + r->shifts +
              (p->write_buffer ? r->forced * w.read : r->bank_writes * w.write);
    r->met = (r->bank_reads + r->bank_writes) * w.met;
}

/* --- stations --- */

static struct network_station *put_collectors(struct launch_model *m, enum station_place at,
                                              uint32_t n, enum unit first, enum unit last)
{
    double visits = 0;
    for (uint32_t c = 0; c < PROFILE_CLASSES; c++) {
        enum unit unit = unit_of((uint8_t)c);
        if (unit >= first && unit <= last) visits += m->p->cls[c] / m->r.rounds;
    }
    struct network_station *s =
        stations_put(m, at, "collectors", visits, m->registers.collect, m->wave.sms);
    s->pool = n;
    s->rivals = stations_rivals(m->wave.warps_per_sm, visits);
    s->serial = true;
    return s;
}

void register_stations_put(struct launch_model *m)
{
    const struct register_state *r = &m->registers;
    const struct register_file_params *p = params(m);
    if (!r->on) {
        for (uint32_t at = AT_REGISTER_BANKS; at < AT_N; at++)
            stations_put(m, at, "", 0, 0, 1);
        return;
    }
    double accesses = r->bank_reads + r->bank_writes;
    double service = math_over(r->bank_reads * r->bank_read + r->bank_writes * r->bank_write,
                               accesses * p->clock_ratio);
    struct network_station *s =
        stations_put(m, AT_REGISTER_BANKS, "register_banks", accesses / m->r.rounds, service,
                     m->wave.sms / r->spread.most);
    s->rivals = stations_rivals(m->wave.warps_per_sm, accesses / m->r.rounds);
    put_collectors(m, AT_COLLECT_SP, p->collectors.sp, UNIT_INT, UNIT_FP32);
    put_collectors(m, AT_COLLECT_SFU, p->collectors.sfu, UNIT_FP64, UNIT_TENSOR);
    s = put_collectors(m, AT_COLLECT_MEMORY, p->collectors.memory, UNIT_MEMORY, UNIT_SHARED);
    s->service = r->in_order;
    /* a round's visits to shared memory may be one for all its instructions */
    double visits = math_larger(m->net.at[AT_MEMORY_UNIT].visits, m->net.at[AT_SHARED].visits);
    s->holds = 1u << AT_MEMORY_UNIT | 1u << AT_SHARED;
    s->times = math_smaller(1, math_over(visits, s->visits));
    m->net.at[AT_COLLECT_SP].visits += m->p->cls[OP_BRANCH] / m->r.rounds;
}

void register_stations_metrics(const struct launch_model *m, struct metrics *o)
{
    const struct register_state *r = &m->registers;
    const struct register_file_params *p = params(m);
    if (!r->on) return;
    metrics_set(o, M_rf_reads, r->reads);
    metrics_set(o, M_rf_writes, r->writes);
    metrics_set(o, M_rf_bank_reads, r->bank_reads);
    metrics_set(o, M_rf_bank_writes, r->bank_writes);
    metrics_set(o, M_rf_accesses, r->bank_reads + r->bank_writes);
    metrics_set(o, M_rf_conflicts, r->met);
    metrics_set(o, M_rf_wait, r->wait);
    if (is_racetrack(m)) metrics_set(o, M_rf_shifts, r->shifts);
    if (p->write_buffer) {
        metrics_set(o, M_rf_buffer_reads, r->kept.reads);
        metrics_set(o, M_rf_buffer_voided, r->kept.voided);
        metrics_set(o, M_rf_buffer_direct, r->direct);
        metrics_set(o, M_rf_buffer_piggyback, r->passing);
        metrics_set(o, M_rf_buffer_overflow, r->forced);
    }
    if (!p->cache_entries) return;
    double loaded = m->p->use.writes[OP_LOAD] + m->p->use.writes[OP_ATOMIC];
    metrics_set(o, M_rf_cache_reads, r->kept.reads);
    metrics_set(o, M_rf_cache_writes, r->writes - loaded);
}

/* account.c - see account.h. */
#include "gpu/energy/account.h"

#include <math.h>

#define MJ_PER_PJ 1e-9
#define MJ_PER_MW_US 1e-6

/* The events of one cache level, or their energies in pJ. */
struct cache_events {
    bool known;
    double look_ups, data_reads, data_writes, tag_writes;
};

static bool has_all(const struct metrics *m, const enum metric *id, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!m->has[id[i]]) return false;
    return true;
}
#define HAS_ALL(m, ...)                            \
    has_all(m, (const enum metric[]){__VA_ARGS__}, \
            sizeof((const enum metric[]){__VA_ARGS__}) / sizeof(enum metric))

static double value_or_none(const struct metrics *m, enum metric id)
{
    return m->has[id] ? m->v[id] : 0;
}

#define ADD_EVENTS(kind, metric, times) kind += times * value_or_none(m, M_##metric);

/* Misses without a fill are those of stores. */
static struct cache_events l1_events(const struct cache_costs *k, const struct metrics *m)
{
    struct cache_events e = {.known = HAS_ALL(m, M_l1_accesses, M_l1_read_hits, M_l1_hits,
                                              M_l1_misses, M_l1_fills, M_l1_bypasses, M_time_us)};
    const double *v = m->v;
    double store_hits = v[M_l1_hits] - v[M_l1_read_hits];
    double look_ups = v[M_l1_accesses] - (k->round_looks_up ? 0 : v[M_l1_bypasses]), ahead = 0;
    L1_MECHANISM_ENERGY(ADD_EVENTS)
    double taken = k->stores_allocate ? fmax(0, v[M_l1_misses] + ahead - v[M_l1_fills]) : 0;
    e.look_ups = look_ups;
    e.data_reads = v[M_l1_read_hits];
    if (k->split) store_hits = taken = 0;
    e.data_writes = store_hits + taken + v[M_l1_fills];
    e.tag_writes = taken + v[M_l1_fills];
    return e;
}

/* A rejected (NACKed) request looks up again when it is retried. */
static struct cache_events l2_events(const struct cache_costs *k, const struct metrics *m)
{
    struct cache_events e = {.known = HAS_ALL(m, M_l2_accesses, M_l2_read_hits, M_l2_writes,
                                              M_l2_write_hits, M_l2_writebacks, M_l2_fetches,
                                              M_time_us)};
    const double *v = m->v;
    double taken = k->stores_allocate ? v[M_l2_writes] - v[M_l2_write_hits] : 0;
    double fills = v[M_l2_fetches], look_ups = v[M_l2_accesses] + value_or_none(m, M_l2_nacks);
    L2_MECHANISM_ENERGY(ADD_EVENTS)
    e.look_ups = look_ups;
    double hits = v[M_l2_write_hits], left = v[M_l2_writebacks];
    if (k->split) taken = hits = left = 0;
    e.data_reads = v[M_l2_read_hits] + left;
    e.data_writes = hits + taken + fills;
    e.tag_writes = (k->stores_fetch ? 0 : taken) + fills;
    return e;
}

/* Reads that miss are kept. Writes stay where the L3 is written, as if all found their copies. */
static struct cache_events l3_events(bool write_back, const struct metrics *m)
{
    struct cache_events e = {.known =
                                 HAS_ALL(m, M_l3_reads, M_l3_read_hits, M_l3_writes, M_time_us)};
    const double *v = m->v;
    double fills = v[M_l3_reads] - v[M_l3_read_hits];
    e.look_ups = v[M_l3_reads] + v[M_l3_writes];
    e.data_reads = v[M_l3_read_hits];
    e.data_writes = fills + (write_back ? v[M_l3_writes] : 0);
    e.tag_writes = fills;
    return e;
}

static double tags_mj(const struct cache_costs *k, const struct cache_events *e)
{
    return MJ_PER_PJ * (e->look_ups * k->tag_read + e->tag_writes * k->tag_write);
}

static double data_mj(const struct cache_costs *k, const struct cache_events *e)
{
    return MJ_PER_PJ * (e->data_reads * k->data_read + e->data_writes * k->data_write);
}

static double leaked_mj(double mw, const struct metrics *m)
{
    return MJ_PER_MW_US * mw * m->v[M_time_us];
}

static void account_l1(const struct cache_costs *k, struct metrics *m)
{
    struct cache_events e = l1_events(k, m);
    if (!k->enabled || !k->known || !e.known) return;
    double tags = tags_mj(k, &e), data = data_mj(k, &e), leaked = leaked_mj(k->leakage_mw, m);
    metrics_set(m, M_l1_tags_mj, tags);
    metrics_set(m, M_l1_data_mj, data);
    metrics_set(m, M_l1_static_mj, leaked);
    metrics_set(m, M_energy_l1, tags + data + leaked);
}

static void account_l2(const struct cache_costs *k, struct metrics *m)
{
    struct cache_events e = l2_events(k, m);
    if (!k->known || !e.known) return;
    double tags = tags_mj(k, &e), data = data_mj(k, &e);
    metrics_set(m, M_l2_tags_mj, tags);
    metrics_set(m, M_l2_data_mj, data);
    metrics_set(m, M_energy_l2_dynamic, tags + data);
    metrics_set(m, M_energy_l2_static, leaked_mj(k->leakage_mw, m));
}

/* A swap reads the victim and the new block and writes each where the other was (Candel 6.6.4). */
static void account_frc(const struct energy_costs *c, struct metrics *m)
{
    const struct cache_costs *f = &c->frc, *l2 = &c->l2;
    if (!f->enabled || !f->known || !l2->known) return;
    if (!HAS_ALL(m, M_l2_frc_lookups, M_l2_frc_fetches, M_l2_frc_swaps, M_time_us)) return;
    double write = f->tag_write + f->data_write;
    double swap = l2->data_read + f->data_read + l2->tag_write + l2->data_write + write;
    metrics_set(m, M_energy_frc_access, MJ_PER_PJ * m->v[M_l2_frc_lookups] * f->tag_read);
    metrics_set(m, M_energy_frc_fetch, MJ_PER_PJ * m->v[M_l2_frc_fetches] * write);
    metrics_set(m, M_energy_frc_swap, MJ_PER_PJ * m->v[M_l2_frc_swaps] * swap);
    metrics_set(m, M_energy_frc_static, leaked_mj(f->leakage_mw, m));
}

static void account_l3(const struct energy_costs *c, struct metrics *m)
{
    const struct cache_costs *k = &c->l3;
    struct cache_events e = l3_events(c->l3_write_back, m);
    if (!k->enabled || !k->known || !e.known) return;
    metrics_set(m, M_energy_l3, tags_mj(k, &e) + data_mj(k, &e) + leaked_mj(k->leakage_mw, m));
}

/* What one level's write caches do: each store writes its line, and loads that the read cache
 * beside does not serve look up their tags. Each block that leaves is read, had written a tag when
 * it took its line, and had an entry in the S-FIFO. */
static double write_cache_mj(const struct write_cache_costs *k, double stores, double loads,
                             double blocks, const struct metrics *m)
{
    const struct cache_events e = {.look_ups = stores + loads,
                                   .data_reads = blocks,
                                   .data_writes = stores,
                                   .tag_writes = blocks};
    return tags_mj(&k->cache, &e) + data_mj(&k->cache, &e) +
           MJ_PER_PJ * blocks * (k->fifo.write + k->fifo.read) +
           leaked_mj(k->cache.leakage_mw + k->fifo.leakage_mw, m);
}

static bool write_caches_known(const struct energy_costs *c)
{
    bool all = c->write_caches_on;
    for (uint32_t i = 0; i < WRITE_CACHE_N; i++)
        all = all && c->write_cache[i].cache.known && c->write_cache[i].fifo.known;
    return all;
}

static void account_write_caches(const struct energy_costs *c, struct metrics *m)
{
    const struct write_cache_costs *w = c->write_cache;
    const double *v = m->v;
    if (!write_caches_known(c) || !HAS_ALL(m, M_l1_reads, M_l1_read_hits, M_l1_writes, M_l2_reads,
                                           M_l2_writes, M_l2_read_hits, M_l2_writebacks, M_l3_reads,
                                           M_l3_writes, M_l3_read_hits, M_dram_writes, M_time_us))
        return;
    double l1 = write_cache_mj(&w[WRITE_CACHE_L1], v[M_l1_writes],
                               v[M_l1_reads] - v[M_l1_read_hits], v[M_l2_writes], m),
           l2 = write_cache_mj(&w[WRITE_CACHE_L2], v[M_l2_writes],
                               v[M_l2_reads] - v[M_l2_read_hits], v[M_l2_writebacks], m),
           l3 =
               write_cache_mj(&w[WRITE_CACHE_L3], v[M_l3_writes], v[M_l3_reads] - v[M_l3_read_hits],
                              v[M_dram_writes] * c->blocks_per_burst, m);
    metrics_set(m, M_energy_write_caches, l1 + l2 + l3);
}

static double mshr_mj(const struct mshr_costs *k, double new_misses, double joined,
                      const struct metrics *m)
{
    if (!k->known) return 0;
    return MJ_PER_PJ *
               (new_misses * (k->search + k->write + k->read) + joined * (k->search + k->write)) +
           leaked_mj(k->leakage_mw, m);
}

/* Whether the machine has bounded MSHR files and the costs of all of them are known. */
static bool mshrs_known(const struct energy_costs *c)
{
    const struct mshr_costs *a = &c->l1_mshr, *b = &c->l2_mshr;
    return (a->known || b->known) && a->known == a->bounded && b->known == b->bounded;
}

static void account_mshrs(const struct energy_costs *c, struct metrics *m)
{
    if (!mshrs_known(c) ||
        !HAS_ALL(m, M_l1_fills, M_l1_merges, M_l2_fetches, M_l2_merges, M_time_us))
        return;
    metrics_set(m, M_energy_mshr,
                mshr_mj(&c->l1_mshr, m->v[M_l1_fills], m->v[M_l1_merges], m) +
                    mshr_mj(&c->l2_mshr, m->v[M_l2_fetches], m->v[M_l2_merges], m));
}

static void account_network(const struct energy_costs *c, struct metrics *m)
{
    bool known = c->per_hop ? m->has[M_noc_hop_flits]
                            : m->has[M_noc_request_flits] && m->has[M_noc_reply_flits];
    if (!(c->flit_pj > 0) || !known) return;
    double flits =
        c->per_hop ? m->v[M_noc_hop_flits] : m->v[M_noc_request_flits] + m->v[M_noc_reply_flits];
    metrics_set(m, M_energy_noc, MJ_PER_PJ * c->flit_pj * flits);
}

/* Sets the energies of the banks; false: some are unknown. */
static bool account_banks(const struct register_file_costs *k, struct metrics *m)
{
    bool shifts = k->asked.structure == REGISTERS_OF_RACETRACKS;
    bool accesses = k->known && m->has[M_rf_bank_reads] && m->has[M_rf_bank_writes];
    bool shifted = shifts && !isnan(k->shift) && m->has[M_rf_shifts];
    bool leaks = k->known && m->has[M_time_us];
    const double *v = m->v;
    if (accesses)
        metrics_set(m, M_rf_dynamic_mj,
                    MJ_PER_PJ * (v[M_rf_bank_reads] * k->read + v[M_rf_bank_writes] * k->write));
    if (shifted) metrics_set(m, M_rf_shift_mj, MJ_PER_PJ * v[M_rf_shifts] * k->shift);
    if (leaks) metrics_set(m, M_rf_static_mj, leaked_mj(k->leakage_mw, m));
    return accesses && leaks && (shifted || !shifts);
}

/* What enters the buffer or cache, and what is read from it. */
struct front_events {
    bool known;
    double writes, reads;
};

/* A result that is written directly comes in, too, but is not read from the buffer for that. */
static struct front_events register_buffer_events(const struct metrics *m)
{
    const double *v = m->v;
    return (struct front_events){
        .known = HAS_ALL(m, M_rf_writes, M_rf_buffer_reads, M_rf_buffer_piggyback,
                         M_rf_buffer_overflow, M_time_us),
        .writes = v[M_rf_writes] - value_or_none(m, M_rf_buffer_around),
        .reads = v[M_rf_buffer_reads] + v[M_rf_buffer_piggyback] + v[M_rf_buffer_overflow]};
}

/* What banks are given beyond the results that the cache did not take comes out of it. */
static struct front_events register_cache_events(const struct metrics *m)
{
    const double *v = m->v;
    double past = v[M_rf_writes] - v[M_rf_cache_writes];
    return (struct front_events){.known = HAS_ALL(m, M_rf_writes, M_rf_bank_writes,
                                                  M_rf_cache_reads, M_rf_cache_writes, M_time_us),
                                 .writes = v[M_rf_cache_writes],
                                 .reads = v[M_rf_cache_reads] + v[M_rf_bank_writes] - past};
}

static bool account_front(const struct register_front_costs *k, struct metrics *m)
{
    if (!k->there) return true;
    struct front_events e = k->cache ? register_cache_events(m) : register_buffer_events(m);
    if (!k->known || !e.known) return false;
    metrics_set(m, M_rf_front_mj,
                MJ_PER_PJ * (e.writes * k->write + e.reads * k->read) +
                    leaked_mj(k->leakage_mw, m));
    return true;
}

static void account_registers(const struct register_file_costs *k, struct metrics *m)
{
    if (!k->on) return;
    bool banks = account_banks(k, m), front = account_front(&k->front, m);
    if (!banks || !front) return;
    metrics_set(m, M_energy_register_file,
                m->v[M_rf_dynamic_mj] + value_or_none(m, M_rf_shift_mj) + m->v[M_rf_static_mj] +
                    value_or_none(m, M_rf_front_mj));
}

/* The parts are not known where a timing set gives only an energy per bit. */
static void account_dram_dynamic(struct metrics *m)
{
    if (!m->has[M_energy_dram] || !m->has[M_dram_activate_mj]) return;
    metrics_set(m, M_energy_dram_dynamic,
                m->v[M_dram_activate_mj] + m->v[M_dram_read_mj] + m->v[M_dram_write_mj] +
                    m->v[M_dram_io_mj]);
}

static void account_total(const struct energy_costs *c, struct metrics *m)
{
    bool l1 = !c->l1.enabled || m->has[M_energy_l1];
    account_dram_dynamic(m);
    if (!m->has[M_energy_dram] || !m->has[M_energy_l2_dynamic]) return;
    if (c->frc.enabled && !m->has[M_energy_frc_static]) return;
    double frc = value_or_none(m, M_energy_frc_access) + value_or_none(m, M_energy_frc_fetch) +
                 value_or_none(m, M_energy_frc_swap) + value_or_none(m, M_energy_frc_static);
    double l2 = m->v[M_energy_l2_dynamic] + m->v[M_energy_l2_static] + frc;
    if (m->has[M_energy_dram_dynamic] && !energy_costs_lack(c, "energy_mj.l2_memory"))
        metrics_set(m, M_energy_l2_memory, l2 + m->v[M_energy_dram_dynamic]);
    if (!l1 || energy_costs_lack(c, "energy_mj.total")) return;
    if (c->l3.enabled && !m->has[M_energy_l3]) return;
    if (c->write_caches_on && !m->has[M_energy_write_caches]) return;
    if (c->registers.on && !m->has[M_energy_register_file]) return;
    metrics_set(m, M_energy_total,
                value_or_none(m, M_energy_l1) + l2 + value_or_none(m, M_energy_mshr) +
                    value_or_none(m, M_energy_noc) + m->v[M_energy_dram] +
                    value_or_none(m, M_energy_l3) + value_or_none(m, M_energy_write_caches) +
                    value_or_none(m, M_energy_register_file));
}

void energy_account(const struct energy_costs *c, struct metrics *m)
{
    if (!c->on) return;
    account_l1(&c->l1, m);
    account_l2(&c->l2, m);
    account_frc(c, m);
    account_mshrs(c, m);
    account_network(c, m);
    account_l3(c, m);
    account_write_caches(c, m);
    account_registers(&c->registers, m);
    account_total(c, m);
}

static bool set_area(struct metrics *m, enum metric id, double mm2)
{
    if (isnan(mm2)) return false;
    metrics_set(m, id, mm2);
    return true;
}

static double write_caches_mm2(const struct energy_costs *c)
{
    double sum = 0;
    for (uint32_t i = 0; i < WRITE_CACHE_N; i++)
        sum += c->write_cache[i].cache.area_mm2 + c->write_cache[i].fifo.area_mm2;
    return sum;
}

/* Sets the areas of the L3, the write caches and the register files; false: one that the machine
 * has is unknown. */
static bool other_areas(const struct energy_costs *c, struct metrics *m)
{
    bool l3 = !c->l3.enabled, writes = !c->write_caches_on, registers = !c->registers.on;
    if (c->l3.enabled && c->l3.known) l3 = set_area(m, M_area_l3, c->l3.area_mm2);
    if (write_caches_known(c)) writes = set_area(m, M_area_write_caches, write_caches_mm2(c));
    if (c->registers.on) registers = set_area(m, M_area_register_file, c->registers.area_mm2);
    return l3 && writes && registers;
}

void energy_areas(const struct energy_costs *c, struct metrics *m)
{
    double total = 0;
    bool l1 = !c->l1.enabled, l2 = false, mshrs = mshrs_known(c);
    if (!c->on) return;
    if (c->l1.enabled && c->l1.known) l1 = set_area(m, M_area_l1, c->l1.area_mm2);
    if (c->l2.known) l2 = set_area(m, M_area_l2, c->l2.area_mm2);
    if (c->frc.enabled) l2 = c->frc.known && set_area(m, M_area_frc, c->frc.area_mm2) && l2;
    if (mshrs)
        mshrs = set_area(m, M_area_mshr,
                         (c->l1_mshr.known ? c->l1_mshr.area_mm2 : 0) +
                             (c->l2_mshr.known ? c->l2_mshr.area_mm2 : 0));
    bool others = other_areas(c, m);
    if (!l1 || !l2 || !others || energy_costs_lack(c, "area_mm2.total")) return;
    total = value_or_none(m, M_area_l1) + m->v[M_area_l2] + value_or_none(m, M_area_frc) +
            (mshrs ? m->v[M_area_mshr] : 0) + value_or_none(m, M_area_l3) +
            value_or_none(m, M_area_write_caches) + value_or_none(m, M_area_register_file);
    metrics_set(m, M_area_total, total);
}

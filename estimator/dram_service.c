/* dram_service.c - see dram_service.h. */
#include "estimator/dram_service.h"

#include "estimator/arith.h"

#include <math.h>
#include <string.h>

enum { MAX_CHANNELS = 256, MAX_BANKS = 128, DEEPEST = 64, SAMPLE_TOGETHER = 8 };
static const double depths[ROW_DEPTHS] = {1, 8, 64};
static const uint32_t windows[LOAD_WINDOWS] = {32, 256, 2048};
#define NO_ROW UINT32_MAX

static uint16_t bucket_of(double lines)
{
    return lines < 1 ? 0 : (uint16_t)histogram_bucket((uint64_t)lines);
}

static bool reaches(const struct sampled *s, uint16_t l1, uint16_t l2)
{
    return (s->kind != SAMPLED_READ || s->l1 >= l1) && s->l2 >= l2;
}

/* --- unequal load --- */

struct load {
    double n, clump; /* transactions; sum of squared clump sizes */
    double at[MAX_CHANNELS];
};

static void load_add(struct load *l, uint32_t queue, double n)
{
    l->at[queue % MAX_CHANNELS] += n;
    l->n += n;
    l->clump += n * n;
}

/* Hottest queue over the mean; the scatter that chance alone would give is taken out. */
struct unevenness {
    double n, most, scatter, chance;
};

static void uneven_add(struct unevenness *u, const struct load *l, uint32_t queues)
{
    double mean = l->n / queues, most = 0;
    for (uint32_t i = 0; i < queues; i++) {
        double off = l->at[i] - mean;
        if (l->at[i] > most) most = l->at[i];
        u->scatter += off * off / queues;
    }
    u->n += l->n;
    u->most += most;
    u->chance += l->clump / queues;
}

static double uneven_ratio(const struct unevenness *u, uint32_t queues)
{
    double real = u->scatter > 0 ? 1 - u->chance / u->scatter : 0;
    if (u->n <= 0 || real <= 0) return 1;
    return 1 + (u->most / (u->n / queues) - 1) * sqrt(real);
}

static double hottest(const struct load *l, uint32_t queues)
{
    struct unevenness u = {0};
    uneven_add(&u, l, queues);
    return uneven_ratio(&u, queues);
}

double even_slices(const struct spread_sample *s, const struct map *map, double l1_lines)
{
    struct load l = {0};
    uint16_t l1 = bucket_of(l1_lines);
    if (map->slices > MAX_CHANNELS) return map->slices;
    for (uint32_t i = 0; i < s->n; i++)
        if (reaches(&s->at[i], l1, 0))
            load_add(&l, map_slice(map, s->at[i].addr), s->at[i].sectors);
    return map->slices / hottest(&l, map->slices);
}

double even_channels(const struct spread_sample *s, const struct map *map, double l1_lines,
                     double l2_lines)
{
    struct load l = {0};
    uint16_t l1 = bucket_of(l1_lines), l2 = bucket_of(l2_lines);
    if (map->channels > MAX_CHANNELS) return map->channels;
    for (uint32_t i = 0; i < s->n; i++)
        if (reaches(&s->at[i], l1, l2))
            load_add(&l, map_addr(map, s->at[i].addr).channel, s->at[i].sectors);
    return map->channels / hottest(&l, map->channels);
}

/* --- rows --- */

struct placed { /* a sampled access on its way to memory */
    uint32_t channel, bank, row;
    bool next; /* a neighbour of the one before */
    double bursts;
};

/* Requests that a channel's scheduler sees together are a group.  Each has a number of its own,
 * that of no other stream either, so that nothing has to be wiped: what bears another number is
 * over. */
struct bank_rows {
    uint32_t open, last;   /* rows: left open by the groups before, of the latest request */
    uint32_t group, fresh; /* the group that last came here; its fresh rows */
};
enum { SEEN_ROWS = 2 * DEEPEST };
struct channel_rows {
    uint32_t first, group, n, fresh; /* first: of this stream */
    double bursts;
    struct bank_rows bank[MAX_BANKS];
    struct {
        uint32_t group, bank, row;
    } seen[SEEN_ROWS]; /* hashed */
};

struct row_count {
    double bursts, fresh;
    double pairs, same; /* of fresh rows in a group; those in one bank */
};

enum row_state { ROW_OPEN, ROW_CLOSED, ROW_UNKNOWN };

/* Whether the group has asked for the row before; from now on it has. */
static bool asked_before(struct channel_rows *c, uint32_t bank, uint32_t row)
{
    uint32_t i = (row * 0x9E3779B1u + bank * 0x85EBCA6Bu) >> 16 & (SEEN_ROWS - 1);
    for (; c->seen[i].group == c->group; i = (i + 1) & (SEEN_ROWS - 1))
        if (c->seen[i].bank == bank && c->seen[i].row == row) return true;
    c->seen[i].group = c->group;
    c->seen[i].bank = bank;
    c->seen[i].row = row;
    return false;
}

/* What a request finds.  In order, only the request before it in its bank counts. */
static enum row_state row_of(struct channel_rows *c, uint32_t bank, uint32_t row, bool in_order)
{
    struct bank_rows *b = &c->bank[bank];
    bool met = b->group == c->group;
    if (!met) {
        b->open = b->group >= c->first ? b->last : NO_ROW;
        b->group = c->group;
        b->fresh = 0;
    }
    uint32_t last = b->last;
    b->last = row;
    if (in_order && met) return last == row ? ROW_OPEN : ROW_CLOSED;
    if (asked_before(c, bank, row) || b->open == row) return ROW_OPEN;
    return b->open == NO_ROW && !met ? ROW_UNKNOWN : ROW_CLOSED;
}

static void group_add(struct channel_rows *c, const struct placed *p, bool in_order,
                      struct row_count *t)
{
    enum row_state s = row_of(c, p->bank, p->row, in_order);
    c->n++;
    c->bursts += p->bursts;
    if (s == ROW_UNKNOWN) t->bursts -= 1;
    if (s != ROW_CLOSED) return;
    c->fresh++;
    t->same += 2 * c->bank[p->bank].fresh++;
}

/* The group is served. */
static void group_end(struct channel_rows *c, uint32_t next, struct row_count *t)
{
    t->fresh += c->fresh;
    t->pairs += (double)c->fresh * (c->fresh - 1.0);
    t->bursts += c->bursts;
    c->group = next;
    c->n = c->fresh = 0;
    c->bursts = 0;
}

static void place(struct placed *to, uint64_t addr, const struct map *map, double bursts)
{
    struct coord at = map_addr(map, addr);
    *to = (struct placed){at.channel, at.flat_bank % MAX_BANKS, at.row, false, bursts};
}

static bool goes_to_memory(const struct sampled *a, const struct row_stream *f)
{
    return a->kind != SAMPLED_WRITE || f->stores_fetch || f->stores_go;
}

/* Reads, and stores that go down, as sampled; neighbouring ones are followed by their share of
 * write-backs of what the stream pushes out. */
static uint32_t place_block(const struct block_sample *s, uint32_t b, const struct map *map,
                            const struct row_stream *f, struct placed *to, double *runs)
{
    uint16_t l1 = bucket_of(f->l1_lines), l2 = bucket_of(f->l2_lines);
    uint64_t pushed[SAMPLE_TOGETHER], block = 0;
    double due = 0.5;
    uint32_t n = 0, waiting = 0;
    for (uint32_t i = 0; i < s->n[b]; i++) {
        const struct sampled *a = &s->at[b][i];
        if (!reaches(a, l1, l2)) continue;
        bool next = a->addr / f->together == block;
        bool apart = !next || waiting == SAMPLE_TOGETHER;
        for (; apart && waiting; waiting--)
            place(&to[n++], pushed[waiting - 1], map, f->bursts_per_sector);
        if (!next || !n) *runs += 1;
        block = a->addr / f->together;
        if (goes_to_memory(a, f)) {
            place(&to[n], a->addr, map, a->sectors * f->bursts_per_sector);
            to[n++].next = next;
        }
        due += smaller(1, f->writebacks);
        if (due < 1) continue;
        due -= 1;
        pushed[waiting++] = a->addr >= f->behind ? a->addr - f->behind : a->addr + f->behind;
    }
    return n;
}

static void rows_at_depth(const struct placed *p, uint32_t n, uint32_t channels, double depth,
                          bool in_order, struct row_count *t)
{
    static _Thread_local struct channel_rows channel[MAX_CHANNELS];
    static _Thread_local uint32_t group; /* the last one given out */
    if (group > UINT32_MAX / 2) {
        memset(channel, 0, sizeof channel);
        group = 0;
    }
    for (uint32_t k = 0, first = group + 1; k < channels; k++) {
        channel[k].first = first;
        channel[k].group = ++group;
        channel[k].n = channel[k].fresh = 0;
        channel[k].bursts = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        struct channel_rows *c = &channel[p[i].channel];
        group_add(c, &p[i], in_order, t);
        if (c->bursts >= depth || c->n == DEEPEST) group_end(c, ++group, t);
    }
    for (uint32_t k = 0; k < channels; k++)
        group_end(&channel[k], ++group, t);
}

static void count_add(struct row_count *to, const struct row_count *from, double weight)
{
    to->bursts += weight * from->bursts;
    to->fresh += weight * from->fresh;
    to->pairs += weight * from->pairs;
    to->same += weight * from->same;
}

/* The load of accesses one after the other: neighbours are a clump. */
static void uneven_window(struct unevenness *u, const struct placed *p, uint32_t n,
                          uint32_t channels)
{
    struct load l;
    double clump = l.n = l.clump = 0;
    memset(l.at, 0, channels * sizeof *l.at);
    for (uint32_t i = 0; i < n; i++) {
        if (!p[i].next) {
            l.clump += clump * clump;
            clump = 0;
        }
        clump += p[i].bursts;
        l.at[p[i].channel] += p[i].bursts;
        l.n += p[i].bursts;
    }
    l.clump += clump * clump;
    uneven_add(u, &l, channels);
}

static void uneven_windows(struct unevenness u[LOAD_WINDOWS], const struct placed *p, uint32_t n,
                           uint32_t channels)
{
    for (uint32_t k = 0; k < LOAD_WINDOWS; k++)
        for (uint32_t i = 0; i < n; i += windows[k])
            uneven_window(&u[k], p + i, n - i < windows[k] ? n - i : windows[k], channels);
}

void row_locality_find(struct row_locality *r, const struct block_sample *s, const struct map *map,
                       const struct row_stream *f)
{
    static _Thread_local struct placed placed[2 * SAMPLE_BLOCK];
    struct row_count t[ROW_DEPTHS] = {{0}};
    struct unevenness u[LOAD_WINDOWS] = {{0}};
    double runs = 0, bursts = 0,
           banks = (double)map->ranks * map->bankgroups * map->banks_per_group;
    for (uint32_t b = 0; b < s->blocks && map->channels <= MAX_CHANNELS; b++) {
        double weight = b ? 1 : SAMPLE_BLOCK / s->stride, block_runs = 0;
        uint32_t n = place_block(s, b, map, f, placed, &block_runs);
        for (uint32_t i = 0; i < n; i++)
            bursts += weight * placed[i].bursts;
        runs += weight * block_runs;
        uneven_windows(u, placed, n, map->channels);
        for (uint32_t k = 0; k < ROW_DEPTHS; k++) {
            struct row_count one = {0};
            rows_at_depth(placed, n, map->channels, depths[k], f->in_order, &one);
            count_add(&t[k], &one, weight);
        }
    }
    for (uint32_t k = 0; k < LOAD_WINDOWS; k++)
        r->hottest[k] = uneven_ratio(&u[k], map->channels);
    r->run = runs > 0 ? larger(1, bursts / runs / (1 + smaller(1, f->writebacks))) : 1;
    for (uint32_t k = 0; k < ROW_DEPTHS; k++) {
        r->hit[k] = t[k].bursts > 0 ? 1 - t[k].fresh / t[k].bursts : 0;
        r->banks[k] = t[k].same > 0 ? smaller(banks, t[k].pairs / t[k].same) : banks;
    }
}

static double at_depth(const double v[ROW_DEPTHS], double depth)
{
    double t = log(depth) / log(8);
    if (t <= 0) return v[0];
    if (t >= ROW_DEPTHS - 1) return v[ROW_DEPTHS - 1];
    uint32_t i = (uint32_t)t;
    return v[i] + (t - i) * (v[i + 1] - v[i]);
}

double row_locality_hottest(const struct row_locality *r, double together)
{
    _Static_assert((int)ROW_DEPTHS == (int)LOAD_WINDOWS, "both in steps of eight");
    return at_depth(r->hottest, together / windows[0]);
}

/* Clocks between two row activations that the rank allows on average. */
static double activate_gap(const struct dram_timing *t)
{
    return larger(larger(t->tRRD_S, t->tFAW / 4.0), t->t32AW / 32.0);
}

/* Clocks of a bank for a row that is opened for `bursts` of `column` clocks each. */
static double row_cycle(const struct dram_timing *t, double bursts, double column)
{
    double least = t->tRC ? t->tRC : t->tRAS + t->tRP;
    return larger(least, t->tRP + t->tRCDRD + bursts * column);
}

/* The largest of three, with soft corners: groups of requests differ in what holds them up. */
static double slowest(double a, double b, double c)
{
    double most = larger(a, larger(b, c));
    return most * pow(pow(a / most, 8) + pow(b / most, 8) + pow(c / most, 8), 1.0 / 8);
}

/* Clocks lost per burst to the bus turning round. */
static double turns(const struct dram_params *d, double writes, double data, double depth,
                    double heads)
{
    const struct dram_timing *t = &d->t;
    double to_write = t->tRTW ? t->tRTW : larger(0, (double)t->tCL + data + 2 - t->tCWL) - data;
    double to_read = t->tCWL + data + t->tWTR_L - data;
    /* reads and writes in one queue: the scheduler goes on in one direction while it can; FCFS sees
     * of each bank only the oldest and its neighbours */
    double batch = larger(1, 2 * (1 - writes));
    double seen = d->scheduler != DRAM_FR_FCFS ? smaller(depth, heads) : depth;
    /* requests of its kind that come meanwhile make it longer */
    batch = larger(batch, seen * writes / larger(0.1, 1 - writes));
    if (d->write_queue) batch = larger(batch, (double)d->write_high - d->write_low);
    if (writes <= 0) return 0;
    return larger(0, to_write + to_read) * writes / larger(batch, 1);
}

static double refresh_share(const struct dram_params *d)
{
    if (!d->t.tREFI) return 0;
    if (!d->per_bank_refresh) return (double)d->t.tRFC / d->t.tREFI;
    double banks = d->bankgroups * d->banks_per_group;
    double interval = d->t.tREFIb ? d->t.tREFIb * banks : d->t.tREFI;
    return (d->t.tRFCb ? d->t.tRFCb : d->t.tRFC) / (interval * banks);
}

/* Clocks of a burst's commands on the busier command bus. */
static double command_bus(const struct dram_params *d, double misses, bool closed)
{
    double cmd = d->t.tCMD, act = d->t.tCMD_ACT ? d->t.tCMD_ACT : cmd;
    double row = misses * (act + (closed ? 0 : cmd));
    return d->dual_command ? larger(cmd, row) : cmd + row;
}

/* Wait of a request whose row is closed for its bank to finish what it does, by how busy banks are.
 */
static double bank_conflict(const struct dram_load *load, double misses, double cycle, double banks)
{
    double busy = smaller(0.95, load->rate * misses * cycle / banks);
    double others = (load->most - 1) / load->most;
    return misses * others * 0.5 * cycle * busy / (1 - others * busy);
}

void burst_time_find(struct burst_time *b, const struct row_locality *r,
                     const struct dram_params *d, const struct dram_load *load)
{
    const struct dram_timing *t = &d->t;
    bool closed = d->page_policy == PAGE_CLOSED;
    double groups = d->bankgroups, misses = closed ? 1 : 1 - at_depth(r->hit, load->most);
    double banks = larger(1, at_depth(r->banks, load->most));
    b->data = dram_burst_clocks(d);
    b->row_hits = closed ? 0 : at_depth(r->hit, load->depth);
    double column = larger(t->tCCD_S, t->tCCD_L / smaller(banks, groups));
    double bus = larger(b->data, column);
    double cycle = row_cycle(t, misses > 0 ? 1 / misses - 1 : 0, bus);
    double rows = larger(1, load->room * misses);
    double bank = misses * cycle * (rows + banks - 1) / (rows * banks);
    double halves = dram_pseudo_channels(d); /* each with a bus and activates of its own */
    double shared = larger(bus / halves, command_bus(d, misses, closed));
    double even = slowest(shared, misses * activate_gap(t) / halves, bank);
    double spread = misses * (1 - misses) * bank * bank / (even * even);
    b->c = 0.5 * (1 + spread);
    double turn = turns(d, load->writes, b->data, load->most, banks * r->run) / halves;
    b->service = (even + turn) / (1 - refresh_share(d));
    b->open = larger(0, (double)t->tRCDRD - t->tAL) + (closed ? 0 : t->tRP);
    b->column = t->tAL + t->tCL + b->data;
    b->latency = b->column + (1 - b->row_hits) * b->open;
    b->after_write = t->tCWL + b->data + t->tWTR_L;
    b->conflict = bank_conflict(load, 1 - b->row_hits, cycle, banks);
}

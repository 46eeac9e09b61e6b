/* dram_service.c - see dram_service.h. */
#include "estimator/dram_service.h"

#include <math.h>
#include <string.h>

enum { MAX_CHANNELS = 256, MAX_BANKS = 128, DEEPEST = 64 };
static const double depths[ROW_DEPTHS] = {1, 8, 64};

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static uint16_t bucket_of(double lines)
{
    return lines < 1 ? 0 : (uint16_t)histogram_bucket((uint64_t)lines);
}

static bool reaches(const struct sampled *s, uint16_t l1, uint16_t l2)
{
    return (s->write || s->l1 >= l1) && s->l2 >= l2;
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
static double hottest(const struct load *l, uint32_t queues)
{
    double mean = l->n / queues, most = 0, scatter = 0;
    for (uint32_t i = 0; i < queues; i++) {
        double off = l->at[i] - mean;
        if (l->at[i] > most) most = l->at[i];
        scatter += off * off / queues;
    }
    double chance = l->clump / queues, real = scatter > 0 ? 1 - chance / scatter : 0;
    if (l->n <= 0 || real <= 0) return 1;
    return 1 + (most / mean - 1) * sqrt(real);
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

struct channel_rows {
    uint32_t n, bank[DEEPEST], row[DEEPEST]; /* waiting, one per line */
    double bursts;
    uint32_t open[MAX_BANKS];
};

struct row_count {
    double bursts, fresh, groups, banks;
    double pairs, same; /* of fresh rows in a group; those in one bank */
};

/* Does request i need its row opened?  In order, only the request before it in its bank counts. */
static bool opens_row(const struct channel_rows *c, uint32_t i, bool in_order)
{
    for (uint32_t j = i; j-- > 0;) {
        if (c->bank[j] != c->bank[i]) continue;
        if (c->row[j] == c->row[i]) return false;
        if (in_order) return true;
    }
    return c->open[c->bank[i]] != c->row[i];
}

/* The waiting requests are served. */
static void serve(struct channel_rows *c, bool in_order, struct row_count *t)
{
    uint8_t rows[MAX_BANKS] = {0};
    uint64_t seen[2] = {0, 0};
    uint32_t fresh = 0;
    if (!c->n) return;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t bank = c->bank[i];
        seen[bank / 64] |= (uint64_t)1 << bank % 64;
        if (!opens_row(c, i, in_order)) continue;
        fresh++;
        t->same += 2 * rows[bank]++;
    }
    for (uint32_t i = 0; i < c->n; i++)
        c->open[c->bank[i]] = c->row[i];
    t->fresh += fresh;
    t->pairs += (double)fresh * (fresh - 1.0);
    t->banks += __builtin_popcountll(seen[0]) + __builtin_popcountll(seen[1]);
    t->groups++;
    t->bursts += c->bursts;
    c->n = 0;
    c->bursts = 0;
}

struct placed { /* a sampled access on its way to memory */
    uint32_t channel, bank, row;
    double bursts;
};

static uint32_t place_block(const struct block_sample *s, uint32_t b, const struct map *map,
                            uint16_t l1, uint16_t l2, double per_sector, struct placed *to)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n[b]; i++) {
        const struct sampled *a = &s->at[b][i];
        if (!reaches(a, l1, l2)) continue;
        struct coord at = map_addr(map, a->addr);
        to[n++] =
            (struct placed){at.channel, at.flat_bank % MAX_BANKS, at.row, a->sectors * per_sector};
    }
    return n;
}

static void rows_at_depth(const struct placed *p, uint32_t n, uint32_t channels, double depth,
                          bool in_order, struct row_count *t)
{
    static _Thread_local struct channel_rows channel[MAX_CHANNELS];
    for (uint32_t k = 0; k < channels; k++) {
        channel[k].n = 0;
        channel[k].bursts = 0;
        memset(channel[k].open, 0xff, sizeof channel[k].open);
    }
    for (uint32_t i = 0; i < n; i++) {
        struct channel_rows *c = &channel[p[i].channel];
        c->bank[c->n] = p[i].bank;
        c->row[c->n++] = p[i].row;
        c->bursts += p[i].bursts;
        if (c->bursts >= depth || c->n == DEEPEST) serve(c, in_order, t);
    }
    for (uint32_t k = 0; k < channels; k++)
        serve(&channel[k], in_order, t);
}

/* Rows of the busiest bank per burst: n rows that choose among b banks are a closed network of b
 * equal queues, where the busiest server is busy (n + b - 1) / n times as long as an even share.  b
 * from the chance that two rows of a group meet in one bank. */
static double serial_rows(const struct row_count *t, double banks)
{
    if (t->fresh <= 0) return 0;
    double n = larger(1, t->fresh / t->groups), b = banks;
    if (t->same > 0 && t->pairs / t->same < banks) b = t->pairs / t->same;
    return t->fresh / t->bursts * (n + b - 1) / (n * b);
}

void row_locality_find(struct row_locality *r, const struct block_sample *s, const struct map *map,
                       double l1_lines, double l2_lines, uint32_t bursts_per_sector, bool in_order)
{
    static _Thread_local struct placed placed[SAMPLE_BLOCK];
    struct row_count t[ROW_DEPTHS] = {{0}};
    for (uint32_t b = 0; b < s->blocks && map->channels <= MAX_CHANNELS; b++) {
        uint32_t n = place_block(s, b, map, bucket_of(l1_lines), bucket_of(l2_lines),
                                 bursts_per_sector, placed);
        for (uint32_t k = 0; k < ROW_DEPTHS; k++)
            rows_at_depth(placed, n, map->channels, depths[k], in_order, &t[k]);
    }
    for (uint32_t k = 0; k < ROW_DEPTHS; k++) {
        r->hit[k] = t[k].bursts > 0 ? 1 - t[k].fresh / t[k].bursts : 0;
        r->serial[k] =
            serial_rows(&t[k], (double)map->ranks * map->bankgroups * map->banks_per_group);
        r->banks[k] = t[k].groups > 0 ? t[k].banks / t[k].groups : 1;
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
static double turns(const struct dram_params *d, double writes, double data, double depth)
{
    const struct dram_timing *t = &d->t;
    double to_write = t->tRTW ? t->tRTW : larger(0, (double)t->tCL + data + 2 - t->tCWL) - data;
    double to_read = t->tCWL + data + t->tWTR_L - data;
    /* reads and writes in one queue: FR-FCFS goes on in one direction while it has requests */
    double batch = larger(1, 2 * (1 - writes));
    if (d->scheduler != DRAM_FCFS) batch = larger(batch, depth * writes);
    if (d->write_queue) batch = larger(batch, (double)d->write_high - d->write_low);
    if (writes <= 0) return 0;
    return larger(0, to_write + to_read) * writes / larger(batch, 1);
}

static double refresh_share(const struct dram_params *d)
{
    if (!d->t.tREFI) return 0;
    double banks = d->per_bank_refresh ? d->bankgroups * d->banks_per_group : 1;
    return d->t.tRFC / (d->t.tREFI * banks);
}

void burst_time_find(struct burst_time *b, const struct row_locality *r,
                     const struct dram_params *d, double depth, double full, double writes)
{
    const struct dram_timing *t = &d->t;
    bool closed = d->page_policy == PAGE_CLOSED;
    double groups = d->bankgroups, misses = closed ? 1 : 1 - at_depth(r->hit, full);
    double banks = larger(1, at_depth(r->banks, full));
    b->data = (double)d->burst_length / d->beats_per_clock;
    b->banks = larger(1, at_depth(r->banks, depth));
    b->row_hits = closed ? 0 : at_depth(r->hit, depth);
    double same_group = 1 / (banks < groups ? banks : groups);
    double column = t->tCCD_S + same_group * larger(0, (double)t->tCCD_L - t->tCCD_S);
    double bus = larger(b->data, column), serial = closed ? 1 / banks : at_depth(r->serial, full);
    double bank = serial * row_cycle(t, misses > 0 ? 1 / misses - 1 : 0, bus);
    double even = slowest(bus, misses * activate_gap(t), bank);
    double spread = misses * (1 - misses) * bank * bank / (even * even);
    b->c = 0.5 * (1 + spread);
    b->service = (even + turns(d, writes, b->data, full)) / (1 - refresh_share(d));
    b->open = larger(0, (double)t->tRCDRD - t->tAL) + (closed ? 0 : t->tRP);
    b->latency = t->tAL + t->tCL + b->data + (1 - b->row_hits) * b->open;
}

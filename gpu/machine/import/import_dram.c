/* import_dram.c - the memory: its channels, the address mapping and the timings, written out into
 * the group dram; see importer.h. */
#include "gpu/machine/import/import_additions.h"
#include "gpu/machine/import/importer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the address ------------------------------------------------------------------------------ */

/* The masks that GPGPU-Sim has where no file gives a mapping (addrdec.cc). */
static const char default_map[] = "dramid@10;RRRR.RRRRRRRR.CCCBBCCC.CSSSS";

static const struct option *address_option(struct machine_importer *im)
{
    const struct option *mask = option_list_find(&im->options, "gpgpu_mem_address_mask");
    bool plain = !mask || strcmp(mask->value, "0") == 0;
    return importer_take(im, "gpgpu_mem_addr_mapping", plain ? default_map : NULL);
}

static bool add_bit(struct address_bits *b, char letter, uint32_t *n)
{
    static const char letters[] = "RBCS0.";
    const char *at = strchr(letters, letter);
    if (!letter || !at || *n >= sizeof b->field - 1) return false;
    if (*at == '.') return true;
    if (*at == '0') return *n == 0; /* above all fields */
    b->field[(*n)++] = *at == 'S' ? 'C' : *at;
    b->row += *at == 'R';
    b->bank += *at == 'B';
    b->column += *at == 'C' || *at == 'S';
    return true;
}

void importer_address(struct machine_importer *im, struct address_bits *b)
{
    const struct option *o = address_option(im);
    const char *bits = strchr(o->value, ';');
    uint32_t n = 0;
    *b = (struct address_bits){.channel_at = 8};
    bool fine = sscanf(o->value, "dramid@%2u;", &b->channel_at) == 1 && bits && b->channel_at < 21;
    for (const char *s = bits ? bits + 1 : ""; *s && fine; s++)
        fine = add_bit(b, *s, &n);
    if (!fine || b->row == 0 || b->column == 0 || b->row > 24 || b->bank > 10 || b->column > 20) {
        importer_fault(im, o,
                       "%.90s; dramid@N; with N up to 20, then a bit for each of R (row), B "
                       "(bank), C and S (column), from high to low, is allowed",
                       o->value);
        *b = (struct address_bits){.channel_at = 8, .row = 1, .column = 8, .lowest_bank = 8};
        memcpy(b->field, "RCCCCCCCC", sizeof "RCCCCCCCC");
        return;
    }
    const char *last = strrchr(b->field, 'B');
    b->lowest_bank = last ? n - 1 - (uint32_t)(last - b->field) : n;
}

/* dram.mapping: runs of bits; the last run of a field has no number. */
struct mapping_text {
    struct text out;
    const char *name;      /* of the run that is being counted */
    uint32_t run, left[4]; /* bits that the fields still have: row, bank, group, column */
};

static void end_run(struct mapping_text *m, uint32_t field)
{
    m->left[field] -= m->run;
    text_add(&m->out, "%s%s", m->out.len ? ":" : "", m->name);
    if (m->left[field] > 0) text_add(&m->out, "[%u]", m->run);
    m->run = 0;
}

/* Banks choose their group by the low or by the high bits of their number. */
static void mapping_of(const struct address_bits *b, uint32_t group_bits, bool low_bits,
                       struct text *out)
{
    static const char *const names[] = {"row", "bank", "bankgroup", "column"};
    struct mapping_text m = {.left = {b->row, b->bank - group_bits, group_bits, b->column}};
    uint32_t bank = b->bank, last = 0;
    for (const char *s = b->field; *s; s++) {
        uint32_t field = *s == 'R' ? 0 : 3;
        if (*s == 'B') {
            bank--;
            field = (low_bits ? bank < group_bits : bank >= b->bank - group_bits) ? 2 : 1;
        }
        if (m.run && field != last) end_run(&m, last);
        m.name = names[field];
        m.run++;
        last = field;
    }
    end_run(&m, last);
    *out = m.out;
}

/* --- timings ---------------------------------------------------------------------------------- */

enum timing_name {
    NBK,
    CCD,
    RRD,
    RCD,
    RAS,
    RP,
    RC,
    CL,
    WL,
    CDLR,
    WR,
    NBKGRP,
    CCDL,
    RTPL,
    TIMING_N
};
static const char *const timing_names[] = {"nbk", "CCD", "RRD",  "RCD", "RAS",    "RP",   "RC",
                                           "CL",  "WL",  "CDLR", "WR",  "nbkgrp", "CCDL", "RTPL"};

static bool read_clocks(const char **s, uint32_t *v)
{
    uint64_t n;
    *s += strspn(*s, " ");
    if (!text_whole(s, 10, &n) || n > 1000000) return false;
    *s += strspn(*s, " ");
    *v = (uint32_t)n;
    return true;
}

/* The place of a "NAME=" in the list, past which *s moves; TIMING_N: none. */
static uint32_t read_name(const char **s)
{
    *s += strspn(*s, " ");
    for (uint32_t i = 0; i < TIMING_N; i++) {
        size_t n = strlen(timing_names[i]), gap;
        if (strncmp(*s, timing_names[i], n) != 0) continue;
        gap = strspn(*s + n, " ");
        if ((*s)[n + gap] != '=') continue;
        *s += n + gap + 1;
        return i;
    }
    return TIMING_N;
}

/* NAME=CLOCKS, or the clocks alone in the order of the names; in both ':' between them. */
static bool read_timings(const char *s, uint32_t t[TIMING_N])
{
    bool named = strchr(s, '=') != NULL;
    uint32_t got = 0;
    for (uint32_t i = 0; *s; i++) {
        uint32_t at = named ? read_name(&s) : i;
        if (at >= TIMING_N || !read_clocks(&s, &t[at])) return false;
        got |= 1u << at;
        if (*s && *s++ != ':') return false;
        s += strspn(s, " ");
    }
    return got == (1u << TIMING_N) - 1;
}

static void timing(struct machine_importer *im, const char *name, uint32_t clocks, const char *note)
{
    char path[40];
    snprintf(path, sizeof path, "dram.timing.%s", name);
    importer_set(im, NULL, note, path, "%u", clocks);
}

static void timing_rows(struct machine_importer *im, const uint32_t t[TIMING_N])
{
    static const char *const none[] = {"tAL", "tFAW", "t32AW", "tRTRS", "tRTW", "tRFC", "tREFI"};
    bool turns = importer_flag(im, "dram_elimnate_rw_turnaround", "0");
    uint32_t wtr = turns ? 0 : t[CDLR], rc = t[RAS] + t[RP] > t[RC] ? t[RAS] + t[RP] : t[RC];
    timing(im, "tRCDRD", t[RCD], "RCD");
    timing(im, "tRCDWR", t[RCD], NULL);
    timing(im, "tRP", t[RP], NULL);
    timing(im, "tRAS", t[RAS], NULL);
    timing(im, "tRC", rc, rc > t[RC] ? "RAS + RP, which is more than its RC" : NULL);
    timing(im, "tCL", t[CL], NULL);
    timing(im, "tCWL", t[WL], "WL");
    timing(im, "tCCD_S", t[CCD], "CCD");
    /* 0 stands there for the same in a group as out of it; one group has no other. */
    timing(im, "tCCD_L", t[CCDL] && t[NBKGRP] > 1 ? t[CCDL] : t[CCD], "CCDL");
    timing(im, "tRRD_S", t[RRD], "RRD");
    timing(im, "tRRD_L", t[RRD], NULL);
    timing(im, "tWTR_S", wtr, turns ? "-dram_elimnate_rw_turnaround" : "CDLR");
    timing(im, "tWTR_L", wtr, NULL);
    timing(im, "tWR", t[WR], NULL);
    timing(im, "tRTP", t[RTPL], "RTPL");
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        timing(im, none[i], 0, i == 0 ? "0: not in its model, as all that follow" : NULL);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* false: no power of two, which was told. */
static bool log2_of(struct machine_importer *im, const struct option *o, const char *what,
                    uint32_t n, uint32_t *bits)
{
    *bits = n ? (uint32_t)__builtin_ctz(n) : 0;
    if (n && (n & (n - 1)) == 0) return true;
    importer_fault(im, o, "%s=%u; a power of two is allowed", what, n);
    return false;
}

static void bank_rows(struct machine_importer *im, const struct option *o,
                      const uint32_t t[TIMING_N])
{
    struct address_bits b;
    uint32_t banks, groups;
    struct text mapping = {0};
    importer_address(im, &b);
    if (!log2_of(im, o, "nbk", t[NBK], &banks) || !log2_of(im, o, "nbkgrp", t[NBKGRP], &groups))
        return;
    if (banks != b.bank || groups > banks) {
        importer_fault(im, o,
                       "%u banks in %u groups, and %u bank bits in -gpgpu_mem_addr_mapping; "
                       "as many banks as those bits count are allowed",
                       t[NBK], t[NBKGRP], b.bank);
        return;
    }
    bool low = importer_whole(im, "dram_bnkgrp_indexing_policy", "0", 0, 1) == 1;
    importer_set(im, NULL, "nbkgrp", "dram.bankgroups", "%u", t[NBKGRP]);
    importer_set(im, NULL, "nbk over nbkgrp", "dram.banks_per_group", "%u", t[NBK] / t[NBKGRP]);
    importer_set(im, NULL, "R", "dram.rows", "%u", 1u << b.row);
    importer_set(im, NULL, "C and S", "dram.row_bytes", "%u", 1u << b.column);
    mapping_of(&b, groups, low, &mapping);
    importer_set(im, address_option(im), low ? "groups by the low bank bits" : NULL, "dram.mapping",
                 "%s", text_str(&mapping));
    text_fini(&mapping);
}

static void hash_row(struct machine_importer *im)
{
    static const char *const names[] = {"none", "xor", "xor", "xor"};
    const struct option *o = importer_take(im, "dram_bnk_indexing_policy", "0");
    uint32_t way = (uint32_t)importer_whole(im, "dram_bnk_indexing_policy", "0", 0, 3);
    if (way > 1)
        importer_replaces(im, o, "another hash of the bank stands for it: dram.bank_hash = xor");
    importer_set(im, o, NULL, "dram.bank_hash", "%s", names[way]);
}

static void queue_rows(struct machine_importer *im)
{
    const struct option *queue = importer_take(im, "gpgpu_frfcfs_dram_sched_queue_size", "0");
    const struct option *writes = importer_take(im, "dram_write_queue_size", "32:28:16");
    uint32_t entries = (uint32_t)importer_whole(im, queue->key, "0", 0, 65536);
    bool fr_fcfs = importer_flag(im, "gpgpu_dram_scheduler", "1");
    double size[3];
    importer_set(im, importer_take(im, "gpgpu_dram_scheduler", "1"), NULL, "dram.scheduler", "%s",
                 fr_fcfs ? "fr_fcfs" : "fcfs");
    importer_set(im, NULL, NULL, "dram.page_policy", "open");
    importer_set(im, queue, entries ? NULL : "0 is without a limit", "dram.queue", "%u",
                 entries ? entries : 65536);
    importer_set(im, NULL, "the scheduler sees the whole queue", "dram.per_bank_queue", "0");
    if (!importer_flag(im, "dram_seperate_write_queue_enable", "0")) {
        importer_set(im, NULL, "one queue for both", "dram.write_queue", "0");
        return;
    }
    if (importer_numbers(im, writes, ':', 3, size) != 3) return;
    importer_set(im, writes, NULL, "dram.write_queue", "%.0f", size[0]);
    importer_set(im, NULL, NULL, "dram.write_high", "%.0f", size[1]);
    importer_set(im, NULL, NULL, "dram.write_low", "%.0f", size[2]);
}

static void bus_rows(struct machine_importer *im)
{
    const struct option *clocks =
        importer_take(im, "gpgpu_clock_domains", "500.0:2000.0:2000.0:2000.0");
    const char *last = strrchr(clocks->value, ':');
    uint32_t chips = (uint32_t)importer_whole(im, "gpgpu_n_mem_per_ctrlr", "1", 1, 64);
    uint32_t bytes = (uint32_t)importer_whole(im, "gpgpu_dram_buswidth", "4", 1, 256);
    importer_set(im, importer_take(im, "gpgpu_n_mem", "8"), NULL, "dram.channels", "%u",
                 (uint32_t)importer_whole(im, "gpgpu_n_mem", "8", 1, 256));
    if (last)
        importer_set(im, NULL, "the fourth of -gpgpu_clock_domains", "dram.clock_mhz", "%.12g",
                     strtod(last + 1, NULL));
    importer_set(im, importer_take(im, "gpgpu_dram_buswidth", "4"), "x -gpgpu_n_mem_per_ctrlr",
                 "dram.bus_bytes", "%u", bytes * chips);
    importer_set(im, importer_take(im, "gpgpu_dram_burst_length", "4"), NULL, "dram.burst_length",
                 "%u", (uint32_t)importer_whole(im, "gpgpu_dram_burst_length", "4", 1, 64));
    importer_set(im, importer_take(im, "dram_data_command_freq_ratio", "2"), NULL,
                 "dram.beats_per_clock", "%u",
                 (uint32_t)importer_whole(im, "dram_data_command_freq_ratio", "2", 1, 16));
    importer_set(im, NULL, NULL, "dram.ranks", "1");
}

void import_dram(struct machine_importer *im)
{
    const struct option *o =
        importer_take(im, "gpgpu_dram_timing_opt", "4:2:8:12:21:13:34:9:4:5:13:1:0:0");
    uint32_t t[TIMING_N] = {0};
    bool timings = read_timings(o->value, t);
    if (!timings)
        importer_fault(im, o,
                       "%.60s; nbk, CCD, RRD, RCD, RAS, RP, RC, CL, WL, CDLR, WR, nbkgrp, "
                       "CCDL and RTPL, as NAME=CLOCKS or in this order, are allowed",
                       o->value);
    bus_rows(im);
    if (timings) bank_rows(im, o, t);
    hash_row(im);
    queue_rows(im);
    bool dual = importer_flag(im, "dram_dual_bus_interface", "0");
    importer_set(im, importer_take(im, "dram_dual_bus_interface", "0"), NULL, "dram.dual_command",
                 "%s", dual ? "true" : "false");
    importer_set(im, importer_take(im, "dram_latency", "30"), "and the addition",
                 "dram.extra_latency", "%u",
                 (uint32_t)importer_whole(im, "dram_latency", "30", 0, 99999) + IMPORT_DRAM_CYCLES);
    if (timings) timing_rows(im, t);
}

/* sheet.c - see sheet.h. */
#include "gpu/machine/sheet/sheet_internal.h"

#include "base/memory/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* In powers of two: matrix units may have a clock of their own that is lower by some per cent. */
static const double RATE_CLOSE = 0.15;
static const char units_group[] = "sm.units";

void sheet_set(struct card_making *m, enum evidence_grade grade, const char *source,
               const char *path, const char *fmt, ...)
{
    struct sheet_value *v = &m->value[m->n++];
    va_list args;
    *v = (struct sheet_value){.grade = grade};
    snprintf(v->path, sizeof v->path, "%s", path);
    snprintf(v->source, sizeof v->source, "%s", source);
    va_start(args, fmt);
    vsnprintf(v->value, sizeof v->value, fmt, args);
    va_end(args);
}

bool sheet_try(const struct card_making *m, const char *const *more, uint32_t n,
               struct machine *out, struct errors *all)
{
    char text[SHEET_VALUES][SHEET_TEXT];
    const char *sets[SHEET_VALUES + 4];
    struct errors why = {0};
    for (uint32_t i = 0; i < m->n; i++) {
        const char *v = m->value[i].value;
        size_t n_v = strlen(v), quotes = v[0] == '"'; /* a file quotes texts, a set does not */
        snprintf(text[i], sizeof text[i], "%s=%.*s", m->value[i].path, (int)(n_v - 2 * quotes),
                 v + quotes);
        sets[i] = text[i];
    }
    for (uint32_t i = 0; i < n; i++)
        sets[m->n + i] = more[i];
    bool ok = machine_load(out, m->sheet->like, sets, m->n + n, &why);
    for (size_t i = 0; !ok && all && i < why.n; i++)
        errors_add_error(all, &why.item[i]);
    errors_fini(&why);
    return ok;
}

/* --- the core --------------------------------------------------------------------------------- */

/* In whole steps: clocks need a common multiple. */
static double core_clock(const struct card_sheet *s)
{
    enum { STEP_MHZ = 25 };
    double mean = sqrt(s->base_mhz * s->core_mhz);
    return s->base_mhz > 0 ? STEP_MHZ * round(mean / STEP_MHZ) : s->core_mhz;
}

double sheet_boost(const struct card_making *m)
{
    return m->sheet->core_mhz > 0 ? m->sheet->core_mhz / core_clock(m->sheet) : 1;
}

static void set_clocks(struct card_making *m)
{
    const struct clock_params *c = &m->base.clock;
    const struct card_sheet *s = m->sheet;
    double core = core_clock(s), ratio = core / c->core_mhz;
    static const char rule[] = "its ratio to the core's clock is the other card's";
    char between[SHEET_TEXT];
    if (core <= 0) return;
    snprintf(between, sizeof between,
             "geometric mean of base and boost clock, %g and %g MHz: power holds it between them",
             s->base_mhz, s->core_mhz);
    if (s->base_mhz > 0)
        sheet_set(m, EVIDENCE_DERIVED, between, "clock.core_mhz", "%.3f", core);
    else
        sheet_set(m, EVIDENCE_VENDOR, "data sheet", "clock.core_mhz", "%.3f", core);
    sheet_set(m, EVIDENCE_DERIVED, rule, "clock.noc_mhz", "%.3f", c->noc_mhz * ratio);
    sheet_set(m, EVIDENCE_DERIVED, rule, "clock.l2_mhz", "%.3f", c->l2_mhz * ratio);
    if (c->sustained_mhz > 0)
        sheet_set(m, EVIDENCE_GUESSED, "no power limit is known", "clock.sustained_mhz", "%.0f",
                  0.0);
    /* it counts core cycles, and is the memory's */
    if (m->base.dram.extra_latency > 0 && ratio != 1)
        sheet_set(m, EVIDENCE_DERIVED, "the other card's in ns", "dram.extra_latency", "%.0f",
                  m->base.dram.extra_latency * ratio);
}

/* Lanes and matrix units come at full, half or double the other card's rate. */
static bool set_rate(struct card_making *m, const char *unit, const char *figure, double said)
{
    static const char rule[] = "TFLOP/s of the data sheet, half or twice the other card's an SM";
    char path[64];
    struct machine made;
    double interval = 0;
    snprintf(path, sizeof path, "%s.%s.interval", units_group, unit);
    machine_get_number(&m->base, path, &interval);
    if (said <= 0 || interval <= 0) return true;
    if (!sheet_try(m, NULL, 0, &made, m->all)) return false;
    double ratio = machine_derived_value(&made, figure) * sheet_boost(m) / said,
           step = exp2(round(log2(ratio)));
    if (step != 1 && fabs(log2(ratio / step)) < RATE_CLOSE && interval * step >= 1)
        sheet_set(m, EVIDENCE_DERIVED, rule, path, "%.0f", interval * step);
    return true;
}

static bool set_core(struct card_making *m)
{
    if (m->sheet->sms > 0)
        sheet_set(m, EVIDENCE_VENDOR, "data sheet", "sm.count", "%.0f", m->sheet->sms);
    set_clocks(m);
    return set_rate(m, "fp32", "fp32_tflops", m->sheet->tflops) &&
           set_rate(m, "tensor", "matrix_tflops", m->sheet->matrix_tflops);
}

/* --- the L1 ----------------------------------------------------------------------------------- */

/* The number nearest to `usual`, in turns below and above it; 0: all up to `most` were had. */
static uint32_t nearest(uint32_t usual, uint32_t most, uint32_t turn)
{
    uint32_t step = (turn + 1) / 2;
    if (turn % 2 == 0) return usual + step <= most ? usual + step : 0;
    return step < usual ? usual - step : 0;
}

/* The ways nearest to the other card's with which the lines fill whole sets; false: there are
 * none. */
static bool set_ways(struct card_making *m, const char *path, uint32_t usual,
                     const char *const *more, uint32_t n)
{
    enum { WAYS_MOST = 256 };
    const char *sets[4] = {NULL};
    char set[48];
    struct machine made;
    for (uint32_t i = 0; i < n; i++)
        sets[i] = more[i];
    sets[n] = set;
    for (uint32_t turn = 0; turn < 2 * WAYS_MOST; turn++) {
        uint32_t ways = nearest(usual, WAYS_MOST, turn);
        snprintf(set, sizeof set, "%s=%" PRIu32, path, ways);
        if (ways == 0 || !sheet_try(m, sets, n + 1, &made, NULL)) continue;
        if (ways != usual)
            sheet_set(m, EVIDENCE_DERIVED, "the lines fill whole sets", path, "%" PRIu32, ways);
        return true;
    }
    return false;
}

static bool set_l1_ways(struct card_making *m)
{
    struct machine made;
    return set_ways(m, "l1.ways", m->base.l1.cache.ways, NULL, 0) ||
           sheet_try(m, NULL, 0, &made, m->all);
}

static bool set_l1_apart(struct card_making *m)
{
    static const char sheet[] = "data sheet: an L1 apart from shared memory";
    sheet_set(m, EVIDENCE_VENDOR, sheet, "l1.adaptive", "false");
    sheet_set(m, EVIDENCE_VENDOR, sheet, "l1.kb", "%.0f", m->sheet->l1_kb);
    sheet_set(m, EVIDENCE_VENDOR, sheet, "sm.shared_kb", "%.0f", m->sheet->shared_kb);
    return set_l1_ways(m);
}

/* The other card's capacities of shared memory, as far as the pool holds them; the largest of them
 * leaves the least L1. */
static bool set_pool(struct card_making *m)
{
    static const char rule[] = "the other card's, as far as the pool holds them";
    const struct param_list *l = &m->base.l1.shared_options_kb;
    struct text t = {0};
    uint32_t n = 0, largest = 0;
    double pool = m->sheet->l1_kb - m->base.l1.reserved_kb;
    for (uint32_t i = 0; i < l->n && l->v[i] < pool; i++, n++) {
        largest = l->v[i];
        text_add(&t, "%s%" PRIu32, n ? ", " : "", largest);
    }
    sheet_set(m, EVIDENCE_VENDOR, "data sheet: L1 and shared memory", "l1.unified_kb", "%.0f",
              m->sheet->l1_kb);
    sheet_set(m, EVIDENCE_DERIVED, "what the most shared memory leaves", "l1.kb", "%.0f",
              pool - largest);
    if (n < l->n) {
        sheet_set(m, EVIDENCE_DERIVED, rule, "l1.shared_options_kb", "[%s]", text_str(&t));
        sheet_set(m, EVIDENCE_DERIVED, rule, "sm.shared_kb", "%" PRIu32, largest);
    }
    text_fini(&t);
    return set_l1_ways(m);
}

static bool set_l1(struct card_making *m)
{
    const struct card_sheet *s = m->sheet;
    if (s->l1_kb <= 0 && s->shared_kb <= 0) return true;
    if (s->l1_kb <= 0) {
        errors_add(m->all, "--shared %g: say --l1 too: of an L1 apart from shared memory",
                   s->shared_kb);
        return false;
    }
    if (s->shared_kb > 0) return set_l1_apart(m);
    if (!m->base.l1.adaptive) {
        sheet_set(m, EVIDENCE_VENDOR, "data sheet", "l1.kb", "%.0f", s->l1_kb);
        return set_l1_ways(m);
    }
    return set_pool(m);
}

/* --- memory and L2 ---------------------------------------------------------------------------- */

/* Rows, from the capacity of a channel: a power of two at least. */
static bool set_rows(struct card_making *m, const struct sheet_memory *mem)
{
    struct machine with;
    if (!sheet_try(m, NULL, 0, &with, m->all)) return false;
    double mb = machine_derived_value(&with, "memory_mb"),
           rows = with.dram.rows * (mem->channels * mem->gbit * 128) / mb;
    sheet_set(m, EVIDENCE_DERIVED, "capacity of a channel, as a power of two of rows", "dram.rows",
              "%.0f", exp2(ceil(log2(fmax(1, rows)) - 1e-9)));
    return true;
}

/* The set of timings: the other card's where its memory is of the kind. */
static void name_set(const struct card_making *m, const char *kind, char out[64])
{
    static const char *const others[][2] = {{"gddr6x", "gddr6x-19500"},
                                            {"hbm3e", "hbm3e-6264"},
                                            {"ddr5", "ddr5-4800"},
                                            {"lpddr5", "lpddr5-6400"}};
    const struct dram_params *d = &m->base.dram;
    snprintf(out, 64, "%s", kind);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i][0], kind) == 0) snprintf(out, 64, "%s", others[i][1]);
    if (d->set[0] && strcmp(dram_kind_row(d->kind).name, kind) == 0)
        snprintf(out, 64, "%.*s", (int)strcspn(d->set, "@"), d->set);
}

static void set_memory(struct card_making *m, const struct sheet_memory *mem)
{
    char set[64];
    name_set(m, mem->kind, set);
    sheet_set(m, EVIDENCE_VENDOR, "data sheet: kind and rate of a pin", "dram.set", "\"%s@%g\"",
              set, mem->rate);
    sheet_set(m, EVIDENCE_VENDOR, "data sheet", "dram.channels", "%" PRIu32, mem->channels);
}

/* So many slices, if they have whole KB and sets and go with the channels; dealt by the other
 * card's rule, or by the one for any number where that wants a power of two. */
static bool set_slices(struct card_making *m, double kb, uint32_t banks, const char *capacity)
{
    bool any = m->base.l2.slice_hash == SLICE_IPOLY && (banks & (banks - 1)) != 0;
    char set[2][48];
    const char *more[] = {set[0], set[1], "l2.slice_hash=xor"};
    if (fmod(kb, banks) != 0) return false;
    snprintf(set[0], sizeof set[0], "l2.banks=%" PRIu32, banks);
    snprintf(set[1], sizeof set[1], "l2.bank_kb=%.0f", kb / banks);
    if (!set_ways(m, "l2.ways", m->base.l2.cache.ways, more, 2 + any)) return false;
    sheet_set(m, EVIDENCE_DERIVED, "slices per channel nearest to the other card's", "l2.banks",
              "%" PRIu32, banks);
    sheet_set(m, EVIDENCE_DERIVED, capacity, "l2.bank_kb", "%.0f", kb / banks);
    if (any)
        sheet_set(m, EVIDENCE_DERIVED,
                  "for any number of slices; the other card's wants a power "
                  "of two",
                  "l2.slice_hash", "\"xor\"");
    return true;
}

/* How many slices: the other card's per channel, as nearly as the capacity goes into them, and
 * within a factor of two. */
static bool set_l2(struct card_making *m, uint32_t channels)
{
    const struct l2_params *l = &m->base.l2;
    const char *capacity = m->sheet->l2_mb > 0 ? "the data sheet's capacity over the slices"
                                               : "the other card's capacity over the slices";
    double kb = m->sheet->l2_mb > 0 ? 1024 * m->sheet->l2_mb : (double)l->banks * l->bank_kb,
           usual = fmax(1, round((double)l->banks * channels / m->base.dram.channels));
    m->usual_slices = (uint32_t)usual;
    for (uint32_t turn = 0; turn <= 2 * m->usual_slices; turn++) {
        uint32_t banks = nearest(m->usual_slices, 2 * m->usual_slices, turn);
        if (2 * banks >= m->usual_slices && set_slices(m, kb, banks, capacity)) return true;
    }
    errors_add(m->all,
               "an L2 of %g MB goes into no number of slices near %" PRIu32 " beside %" PRIu32
               " channels (so many are those of %s): is it the --l2 of the data sheet, and are "
               "these its channels?",
               kb / 1024, m->usual_slices, channels, m->sheet->like);
    return false;
}

static bool set_delivered(struct card_making *m)
{
    double reached = m->sheet->stream_gbps;
    struct machine with;
    if (reached <= 0) return true;
    if (!sheet_try(m, NULL, 0, &with, m->all)) return false;
    double peak = machine_derived_value(&with, "peak_gbps");
    if (reached > peak) {
        errors_add(m->all, "--stream-gbps %g: more than the memory's peak of %g GB/s", reached,
                   peak);
        return false;
    }
    sheet_set(m, EVIDENCE_DERIVED, "what streams were measured to reach, over the peak",
              "dram.delivered", "%.3f", reached / peak);
    return true;
}

static bool set_memory_side(struct card_making *m)
{
    struct sheet_memory mem = {.channels = m->base.dram.channels};
    const char *said = m->sheet->memory;
    if (said && !sheet_read_memory(m, &mem)) return false;
    if (said) set_memory(m, &mem);
    bool new_l2 = m->sheet->l2_mb > 0 || mem.channels != m->base.dram.channels;
    return (!new_l2 || set_l2(m, mem.channels)) && (!said || set_rows(m, &mem)) && set_delivered(m);
}

/* --- the file --------------------------------------------------------------------------------- */

static bool is_in(const char *path, const char *group)
{
    size_t n = strlen(group);
    return strncmp(path, group, n) == 0 && path[n] == '.';
}

/* The rates of units, which are groups of their own: "fp32.interval". */
static void write_units(const struct card_making *m, struct text *out)
{
    text_add(out, "    units : {");
    for (uint32_t i = 0; i < m->n; i++) {
        if (!is_in(m->value[i].path, units_group)) continue;
        const char *unit = m->value[i].path + sizeof units_group, *dot = strchr(unit, '.');
        text_add(out, " %.*s : { %s = %s; };", (int)(dot - unit), unit, dot + 1, m->value[i].value);
    }
    text_add(out, " };\n");
}

static void write_group(const struct card_making *m, const char *group, struct text *out)
{
    bool open = false, units = false;
    for (uint32_t i = 0; i < m->n; i++) {
        const struct sheet_value *v = &m->value[i];
        if (!is_in(v->path, group)) continue;
        if (!open) text_add(out, "\n%s : {\n", group);
        open = true;
        if (!is_in(v->path, units_group))
            text_add(out, "    %s = %s;\n", v->path + strlen(group) + 1, v->value);
        else if (!units)
            write_units(m, out);
        units = units || is_in(v->path, units_group);
    }
    if (open) text_add(out, "};\n");
}

static void write_evidence(const struct card_making *m, enum evidence_grade grade, struct text *out)
{
    const char *between = "";
    text_add(out, "    %s : (", evidence_grade_name(grade));
    for (uint32_t i = 0; i < m->n; i++) {
        const struct sheet_value *v = &m->value[i];
        if (v->grade != grade) continue;
        text_add(out, "%s\n        { of = [\"%s\"]; source = \"%s\"; }", between, v->path,
                 v->source);
        between = ",";
    }
    text_add(out, "\n    );\n");
}

/* Of the memory, all but what the data sheet says comes with the set. */
static void write_memory_evidence(const struct card_making *m, struct text *out)
{
    if (m->sheet->memory)
        text_add(out,
                 "    %s : ({ of = [\"dram.\"]; source = \"the memory set's: its controller "
                 "and mapping are assumptions\"; });\n",
                 evidence_grade_name(EVIDENCE_GUESSED));
}

static void write_file(const struct card_making *m, struct text *out)
{
    static const char *const groups[] = {"clock", "sm", "l1", "l2", "dram"};
    const struct card_sheet *s = m->sheet;
    text_add(out, "# %s, from its data sheet; what it does not say is as on the %s.\n", s->name,
             m->base.name);
    text_add(out, "base        = \"%s\";\nname        = \"%s\";\n", s->like, s->name);
    text_add(out, "description = \"%s from its data sheet, like %s\";\n", s->name, m->base.name);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        write_group(m, groups[i], out);
    text_add(out, "\nevidence : {\n    curves = [];\n    sheet  = true;\n");
    write_evidence(m, EVIDENCE_VENDOR, out);
    write_evidence(m, EVIDENCE_DERIVED, out);
    write_memory_evidence(m, out);
    text_add(out, "};\n");
}

static bool make(struct card_making *m, struct card_made *out)
{
    if (!sheet_is_sane(m)) return false;
    if (!set_core(m) || !set_l1(m) || !set_memory_side(m)) return false;
    if (m->n == 0) {
        errors_add(m->all, "nothing differs from %s: say what the data sheet says, such as --sms",
                   m->sheet->like);
        return false;
    }
    if (!sheet_try(m, NULL, 0, &m->made, m->all)) return false;
    write_file(m, &out->file);
    sheet_report(m, &out->report);
    sheet_doubts(m, &out->report);
    return true;
}

bool card_sheet_make(const struct card_sheet *s, struct card_made *out, struct errors *all)
{
    *out = (struct card_made){0};
    struct card_making *m = mem_new(1, sizeof *m);
    if (!m) return errors_add(all, "out of memory"), false;
    m->sheet = s;
    m->all = all;
    bool ok = machine_load_evidence(&m->base, &m->evidence, s->like, NULL, 0, all);
    if (ok) {
        ok = make(m, out);
        machine_evidence_fini(&m->evidence);
    }
    mem_free(m);
    if (ok && (out->file.failed || out->report.failed)) errors_add(all, "out of memory");
    return ok && !out->file.failed && !out->report.failed;
}

void card_made_fini(struct card_made *m)
{
    text_fini(&m->file);
    text_fini(&m->report);
}

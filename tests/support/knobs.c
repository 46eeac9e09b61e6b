#include "tests/support/knobs.h"

#include "sampler/strata/est_params.h"

#include <math.h>
#include <stdlib.h>

/* --- what both engines say --- */

void bench_fini(struct bench *b)
{
    profile_free(b->profile);
    program_close(b->p);
    free(b->memo);
}

bool bench_profile(struct bench *b, const struct machine *m, struct error *e)
{
    struct profile_view v = est_view_of(m);
    if (b->profile && profile_view_equal(&v, &b->view)) return true;
    profile_free(b->profile);
    b->view = v;
    b->profile = profile_build(b->p, &v, PROFILE_SAMPLED, 1, NULL, e);
    return b->profile != NULL;
}

static void knob_ask(struct bench *b, enum engine engine, const struct machine *m, struct said *s)
{
    struct answer a = {0};
    struct error e = {0};
    struct run_opts o;
    run_opts_default(&o);
    o.no_cache = true;
    o.threads = 1;
    *s = (struct said){0};
    if (engine == ENGINE_ESTIMATE && !bench_profile(b, m, &e)) return;
    s->fits = engine_run(engine, m, b->p, NULL, engine == ENGINE_ESTIMATE ? b->profile : NULL, &o,
                         &a, &e);
    if (s->fits) {
        s->cycles = run_value(&a.m, "cycles");
        metrics_value(&a.m, "energy_mj.total", &s->energy);
        s->x = a.x;
    }
    answer_fini(&a);
}

const struct said *said_by(struct bench *b, enum engine engine, const struct machine *m)
{
    struct digest d = machine_digest(m);
    uint32_t at = (uint32_t)(d.lo % MEMO);
    while (b->memo[at].used && !digest_equal(b->memo[at].machine, d))
        at = (at + 1) % MEMO;
    struct memo *k = &b->memo[at];
    k->used = true;
    k->machine = d;
    if (!k->has[engine]) knob_ask(b, engine, m, &k->by[engine]);
    k->has[engine] = true;
    return &k->by[engine];
}

/* --- turning one parameter --- */

/* A value that is refused alone: what else is set with it ("" = none). */
static const struct {
    const char *path, *with;
} COMPANIONS[] = {
    {"dram.timing.tRP", "dram.timing.tRC=0"},       {"dram.timing.tRAS", "dram.timing.tRC=0"},
    {"dram.timing.tRCDRD", "dram.timing.tRAS=80"},  {"l1.line_bytes", "l1.sector_bytes=32"},
    {"dram.bank_hash_rows", "dram.bank_hash=bits"}, {"cpu.cache_kb", "l3.kb=4096"},
    {"dram.cpu_first", "cpu.programs=mcf lbm"},     {"cpu.rob", "cpu.programs=mcf lbm"},
    {"cpu.clock_mhz", "cpu.programs=mcf lbm"},
};

static bool set_one(struct machine *m, const char *path, const char *value)
{
    char text[160];
    const char *set = text;
    struct errors all = {0};
    snprintf(text, sizeof text, "%s=%s", path, value);
    bool ok = machine_set(m, &set, 1, &all);
    errors_fini(&all);
    return ok;
}

bool set_text(struct machine *m, const char *set)
{
    struct errors all = {0};
    bool ok = machine_set(m, &set, 1, &all);
    errors_fini(&all);
    return ok;
}

bool make_apply(struct machine *m, const struct param *p)
{
    char path[PARAM_TEXT_MAX];
    if (!p->when || param_applies(m, p)) return true;
    size_t n = strcspn(p->when, "!=");
    snprintf(path, sizeof path, "%.*s", (int)n, p->when);
    const struct param *selector = machine_find_param(path, NULL, NULL);
    if (!make_apply(m, selector)) return false;
    if (p->when[n] == '=') {
        set_one(m, path, p->when + n + 1);
    } else {
        for (uint32_t i = 0; selector->type == PARAM_ENUM && selector->choices[i].name; i++)
            if (!param_applies(m, p)) set_one(m, path, selector->choices[i].name);
        if (!param_applies(m, p)) set_one(m, path, "8");
    }
    return param_applies(m, p);
}

static bool try_value(struct variants *v, const struct machine *base, const char *path,
                      const char *value)
{
    struct machine m = *base;
    if (v->n == VARIANTS) return false;
    bool ok = set_one(&m, path, value);
    for (uint32_t i = 0; !ok && i < sizeof COMPANIONS / sizeof *COMPANIONS; i++) {
        if (strcmp(COMPANIONS[i].path, path) != 0) continue;
        m = *base;
        ok = set_text(&m, COMPANIONS[i].with) && set_one(&m, path, value);
    }
    if (!ok || digest_equal(machine_digest(&m), machine_digest(base))) return false;
    v->m[v->n] = m;
    snprintf(v->value[v->n++], PARAM_TEXT_MAX, "%s", value);
    return true;
}

bool try_number(struct variants *v, const struct machine *base, const char *path,
                const struct param *p, double x)
{
    char text[PARAM_TEXT_MAX];
    if (x < p->lo || x > p->hi) return false;
    snprintf(text, sizeof text, p->type == PARAM_REAL ? "%.1f" : "%.0f", x);
    return try_value(v, base, path, text);
}

/* The first of the factors that the machine takes, to each side. */
static void turn_number(struct variants *v, const struct machine *base, const char *path,
                        const struct param *p, double now)
{
    const double up[] = {4, 2, 1.5}, down[] = {0.25, 0.5, 2 / 3.0};
    bool real = p->type == PARAM_REAL;
    if (now == 0) {
        try_number(v, base, path, p, real ? 10 : 2);
        try_number(v, base, path, p, real ? 100 : 16);
        try_number(v, base, path, p, real ? 1000 : 200);
        return;
    }
    for (uint32_t i = real, done = 0; i < 3 && !done; i++)
        done = try_number(v, base, path, p, real ? now * up[i] : ceil(now * up[i]));
    for (uint32_t i = real, done = 0; i < 3 && !done; i++)
        done = try_number(v, base, path, p, real ? now * down[i] : floor(now * down[i]));
    if (p->lo == 0) try_number(v, base, path, p, 0);
}

static void turn_parameter(struct variants *v, const struct machine *base, const char *path)
{
    static const char *const truth[] = {"false", "true"};
    static const char *const sets[] = {"gddr5", "hbm2", "ddr4_3200"};
    static const char *const maps[] = {"row:bank[3]:column[3]:bank[1]:column", "bank:row:column",
                                       "row:column[3]:bank:column"};
    static const char *const lists[] = {"0,1", "4,5,6,7", "3"};
    const struct part *part;
    const struct param *p = machine_find_param(path, &part, NULL);
    double now = 0;
    v->n = 0;
    switch (p->type) {
    case PARAM_BOOL:
        for (uint32_t i = 0; i < 2; i++)
            try_value(v, base, path, truth[i]);
        return;
    case PARAM_ENUM:
        for (uint32_t i = 0; p->choices[i].name; i++)
            try_value(v, base, path, p->choices[i].name);
        return;
    case PARAM_INT:
    case PARAM_SIZE:
    case PARAM_REAL:
        param_number(p, (const char *)base + part->offset, &now);
        turn_number(v, base, path, p, now);
        return;
    case PARAM_FRAGMENT:
        for (uint32_t i = 0; i < 3; i++)
            try_value(v, base, path, sets[i]);
        return;
    case PARAM_LIST:
        for (uint32_t i = 0; i < 3; i++)
            try_value(v, base, path, lists[i]);
        return;
    case PARAM_TEXT:
        for (uint32_t i = 0; i < 3 && strcmp(path, "dram.mapping") == 0; i++)
            try_value(v, base, path, maps[i]);
        if (strcmp(path, "cpu.programs") == 0) try_value(v, base, path, "mcf lbm");
        return;
    }
}

/* --- where they are turned --- */

#define QV_SMALL                                            \
    {                                                       \
        "sm.count=8", "l2.banks=8", "dram.channels=4", NULL \
    }

const struct place knob_places[] = {
    {"rx540 gather", "rx540", {NULL}, KNOB_GATHER},
    {"rx540 units", "rx540", {NULL}, UNITS},
    {"qv100 gather", "qv100", QV_SMALL, KNOB_GATHER},
    {"rx540 partial", "rx540", {NULL}, KNOB_PARTIAL},
    {"rx540 handoff", "rx540", {NULL}, KNOB_HANDOFF},
    {"rx540 files",
     "rx540",
     {"l1.mshr.entries=8", "l2.mshr.entries=16", "sm.vmb_entries=16", "l2.ways=16"},
     KNOB_GATHER},
    {"rx540 drains",
     "rx540",
     {"dram.write_queue=32", "dram.write_high=24", "dram.write_low=8", "l2.bank_kb=32"},
     KNOB_STREAM},
    {"qv100 stream", "qv100", QV_SMALL, KNOB_STREAM},
    {"qv100 stencil", "qv100", QV_SMALL, KNOB_STENCIL},
    {"qv100 partial", "qv100", QV_SMALL, KNOB_PARTIAL},
    {"qv100 tree", "qv100", QV_SMALL, KNOB_TREE},
    {"hd7870 gather", "hd7870", {NULL}, KNOB_GATHER},
};

void bench_init(struct bench *b, const struct place *at)
{
    size_t n = 0;
    while (n < KNOB_SETS && at->sets[n])
        n++;
    *b = (struct bench){.base = run_machine(at->preset, at->sets, n)};
    b->p = knob_program(at->program, b->base.sm.warp_width);
    b->memo = calloc(MEMO, sizeof *b->memo);
    assert_non_null(b->memo);
}

/* The machine with one latency a few cycles longer, `more` or twice as many: what meets whom
 * changes, and little else. */
enum { NUDGES = 8, NUDGE = 1, WIDE_NUDGE = 5 };

static bool nudge_machine(struct machine *m, uint32_t k, uint32_t more)
{
    static const char *const path[] = {"dram.extra_latency", "l2.extra_latency",
                                       "sm.memory_latency", "l1.latency"};
    const uint32_t now[] = {m->dram.extra_latency, m->l2.extra_latency, m->sm.memory_latency,
                            m->l1.latency};
    char value[24];
    snprintf(value, sizeof value, "%u", now[k / 2] + more * (k % 2 + 1));
    return set_one(m, path[k / 2], value);
}

/* How much the cycle model moves for reasons of order alone: a cycle more here or there. */
static double bench_noise(struct bench *b)
{
    double base = said_by(b, ENGINE_SIMULATE, &b->base)->cycles, most = 0;
    for (uint32_t k = 0; k < NUDGES; k++) {
        struct machine m = b->base;
        if (!nudge_machine(&m, k, NUDGE)) continue;
        most = fmax(most, fabs(said_by(b, ENGINE_SIMULATE, &m)->cycles / base - 1));
    }
    return most;
}

enum verdict judge_signs(double simulated, double estimated, double noise)
{
    double moves = fmax(0.03, 2 * noise);
    if (fabs(simulated) > moves)
        return simulated * estimated > 0 && fabs(estimated) >= 0.005 ? SIGNS_AGREE : SIGNS_WRONG;
    if (fabs(simulated) < 0.01) return fabs(estimated) <= 0.03 + noise ? SIGNS_STILL : SIGNS_JUMP;
    return SIGNS_BETWEEN;
}

/* --- all of them --- */

void knobs_init(struct knobs *k, bool tell)
{
    *k = (struct knobs){.tell = tell};
    k->paths = machine_paths(&k->n);
    /* the second memory's are the first's again, and few machines have it */
    uint32_t kept = 0;
    for (uint32_t i = 0; i < k->n; i++)
        if (strncmp(k->paths[i], "dram[", 5) != 0) k->paths[kept++] = k->paths[i];
    k->n = kept;
    k->at = calloc(k->n, sizeof *k->at);
    assert_non_null(k->at);
    for (uint32_t i = 0; i < k->n; i++)
        k->at[i].path = k->paths[i];
}

void knobs_fini(struct knobs *k)
{
    free(k->at);
    mem_free(k->paths);
}

static bool is_named(const struct said *s, const char *path)
{
    char selector[PARAM_TEXT_MAX];
    for (uint32_t i = 0; i < s->x.n_not_modelled; i++)
        if (strcmp(s->x.not_modelled[i], path) == 0) return true;
    const struct param *p = machine_find_param(path, NULL, NULL);
    if (!p->when) return false;
    snprintf(selector, sizeof selector, "%.*s", (int)strcspn(p->when, "!="), p->when);
    return is_named(s, selector);
}

/* Parameters of energy are judged by energy. */
static double change_of(const char *path, const struct said *from, const struct said *to)
{
    if (!strstr(path, "energy.")) return to->cycles / from->cycles - 1;
    return from->energy > 0 ? to->energy / from->energy - 1 : 0;
}

/* The change that the cycle model has on average over the same turn on machines that differ by a
 * nudge (both sides of the turn by the same, so that it may be wider), and its standard error.
 * What a turn does by itself is in each of them; what it does by chance to who meets whom is not.
 */
static double mean_change(struct bench *b, const char *path, const struct machine *from,
                          const struct machine *to, double *error)
{
    double sum = 0, squares = 0;
    uint32_t n = 0;
    for (uint32_t k = 0; k <= NUDGES; k++) {
        struct machine m0 = *from, m1 = *to;
        if (k < NUDGES &&
            (!nudge_machine(&m0, k, WIDE_NUDGE) || !nudge_machine(&m1, k, WIDE_NUDGE)))
            continue;
        const struct said *s0 = said_by(b, ENGINE_SIMULATE, &m0),
                          *s1 = said_by(b, ENGINE_SIMULATE, &m1);
        if (!s0->fits || !s1->fits) continue;
        double s = change_of(path, s0, s1);
        sum += s;
        squares += s * s;
        n++;
    }
    double mean = sum / n;
    *error = n > 1 ? sqrt(fmax(0, squares / n - mean * mean) / (n - 1)) : INFINITY;
    return mean;
}

static void judge_turn(struct knobs *all, struct knob *k, struct bench *b, const char *place,
                       const struct machine *from, const struct machine *to, const char *value,
                       double noise)
{
    static const char *const word[] = {"agrees", "still", "between", "WRONG", "JUMP"};
    const struct said *s0 = said_by(b, ENGINE_SIMULATE, from),
                      *s1 = said_by(b, ENGINE_SIMULATE, to),
                      *e0 = said_by(b, ENGINE_ESTIMATE, from),
                      *e1 = said_by(b, ENGINE_ESTIMATE, to);
    if (!s0->fits || !s1->fits || !e0->fits || !e1->fits) return;
    double s = change_of(k->path, s0, s1), e = change_of(k->path, e0, e1);
    enum verdict v = judge_signs(s, e, noise);
    if (v >= SIGNS_WRONG) {
        double error;
        s = mean_change(b, k->path, from, to, &error);
        v = judge_signs(s, e, error);
    }
    k->named |= is_named(e0, k->path) || is_named(e1, k->path);
    k->turned++;
    k->n[v]++;
    if (all->tell && v >= SIGNS_WRONG)
        printf("%s: %s = %s: %s: simulated %+.1f %%, estimated %+.1f %%%s\n", place, k->path, value,
               word[v], 100 * s, 100 * e, k->named ? " (named)" : "");
}

void turn_all(struct knobs *all, const struct place *place)
{
    struct bench b;
    bench_init(&b, place);
    double noise = bench_noise(&b);
    for (uint32_t i = 0; i < all->n; i++) {
        struct machine m = b.base;
        struct variants v;
        if (!make_apply(&m, machine_find_param(all->paths[i], NULL, NULL))) continue;
        turn_parameter(&v, &m, all->paths[i]);
        for (uint32_t k = 0; k < v.n; k++)
            judge_turn(all, &all->at[i], &b, place->name, &m, &v.m[k], v.value[k], noise);
    }
    bench_fini(&b);
}

bool knob_fails(const struct knob *k)
{
    uint32_t moves = k->n[SIGNS_AGREE] + k->n[SIGNS_WRONG],
             rests = k->n[SIGNS_STILL] + k->n[SIGNS_JUMP];
    return (k->n[SIGNS_WRONG] > 1 && 2 * k->n[SIGNS_WRONG] > moves) ||
           (k->n[SIGNS_JUMP] > 1 && 5 * k->n[SIGNS_JUMP] > rests);
}

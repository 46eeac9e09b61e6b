#include "tests/support/random_draw.h"

#include "gpu/machine/rows/param.h"

/* --- numbers --- */

static double by_magnitude(struct rng *r, double lo, double hi)
{
    return lo * pow(hi / lo, rng_unit(r));
}

static double draw_anywhere(struct rng *r, const struct param *p)
{
    double least = p->type == PARAM_REAL ? fmin(1, p->hi / 1e6) : 1, lo = fmax(p->lo, least);
    if (rng_below(r, 12) == 0) return rng_below(r, 2) ? p->lo : p->hi;
    return p->hi > lo ? by_magnitude(r, lo, p->hi) : p->hi;
}

static double draw_nearby(struct rng *r, const struct param *p, double now)
{
    double v = now > 0 ? now * by_magnitude(r, 0.25, 4) : by_magnitude(r, 1, 64);
    return fmax(p->lo, fmin(v, p->hi));
}

/* Half of the whole numbers are powers of two: many may be nothing else. */
static void draw_number_text(struct rng *r, const struct param *p, double now, bool anywhere,
                             char *out, size_t size)
{
    double v = anywhere ? draw_anywhere(r, p) : draw_nearby(r, p, now);
    if (p->type == PARAM_REAL) {
        snprintf(out, size, "%.6g%s", v, v == floor(v) && v < 1e5 ? ".0" : "");
        return;
    }
    if (rng_below(r, 2) && v > 1) v = exp2(round(log2(v)));
    snprintf(out, size, "%.0f", fmax(p->lo, fmin(floor(v), p->hi)));
}

/* --- a machine --- */

bool draw_selectors(const struct name_lists *l, struct rng *r, const struct machine *m,
                    const char *when, char text[SELECTORS][DRAW_TEXT], uint32_t *n)
{
    char path[PARAM_TEXT_MAX], value[PARAM_TEXT_MAX];
    if (!when || machine_meets(m, when)) return true;
    size_t at = strcspn(when, "!=");
    snprintf(path, sizeof path, "%.*s", (int)at, when);
    const struct param *p = machine_find_param(path, NULL, NULL);
    if (!p || !draw_selectors(l, r, m, p->when, text, n) || *n == SELECTORS) return false;
    if (when[at] == '=')
        snprintf(value, sizeof value, "%s", when + at + 1);
    else if (!draw_named(l, r, p, value, sizeof value))
        draw_number_text(r, p, 0, false, value, sizeof value);
    snprintf(text[(*n)++], DRAW_TEXT, "%s=%s", path, value);
    return true;
}

/* Sets one parameter, with what it needs; false: the machine refuses. */
static bool draw_set(const struct name_lists *l, struct rng *r, struct random_draw *d,
                     bool anywhere)
{
    const char *path = l->paths[rng_below(r, l->n_paths)], *sets[SELECTORS + 1];
    char text[SELECTORS + 1][DRAW_TEXT], value[PARAM_TEXT_MAX];
    const struct part *part;
    const struct param *p = machine_find_param(path, &part, NULL);
    struct errors all = {0};
    double now = 0;
    uint32_t n = 0;
    if (!draw_selectors(l, r, &d->m, p->when, text, &n)) return false;
    if (!draw_named(l, r, p, value, sizeof value)) {
        if (!param_number(p, (const char *)&d->m + part->offset, &now)) return false;
        draw_number_text(r, p, now, anywhere, value, sizeof value);
    }
    snprintf(text[n++], DRAW_TEXT, "%s=%s", path, value);
    for (uint32_t i = 0; i < n; i++)
        sets[i] = text[i];
    bool ok = d->sets + n <= DRAW_SETS && machine_set(&d->m, sets, n, &all);
    errors_fini(&all);
    for (uint32_t i = 0; ok && i < n; i++)
        memcpy(d->set[d->sets++], text[i], DRAW_TEXT);
    return ok;
}

bool draw_random_machine(const struct name_lists *l, struct rng *r, uint64_t number,
                         struct random_draw *d)
{
    static const uint32_t least[] = {1, 2, 5, 12}, most[] = {1, 4, 12, 24}, far[] = {1, 2, 6, 10};
    struct errors all = {0};
    uint32_t kind = number % 4, moved = 0;
    uint32_t wanted = least[kind] + (uint32_t)rng_below(r, most[kind] - least[kind] + 1);
    snprintf(d->preset, sizeof d->preset, "%s", l->presets[rng_below(r, l->n_presets)]);
    d->sets = 0;
    bool ok = machine_load(&d->m, d->preset, NULL, 0, &all);
    errors_fini(&all);
    for (uint32_t i = 0; ok && moved < wanted && i < DRAW_TRIES; i++)
        moved += draw_set(l, r, d, rng_below(r, far[kind]) == 0);
    return ok;
}

/* --- a program --- */

/* %s: CTAs, warps of a CTA and steps. */
static const char *const draw_specs[] = {
    "stream %s kernel=copy element_bytes=16 unroll=4",
    "stream %s kernel=triad footprint=65536",
    "stream %s kernel=triad",
    "stride %s stride=8",
    "stride %s stride=1 footprint=4194304",
    "gather %s footprint=67108864",
    "gather %s footprint=1048576 distribution=zipf",
    "gather %s footprint=32768 unroll=4",
    "pointer_chase %s footprint=131072",
    "pointer_chase %s footprint=4194304 order=random",
    "reduction %s",
    "stencil %s n=256",
    "stencil %s n=1024 footprint=524288",
    "transpose %s n=256",
    "transpose %s n=512 kernel=naive",
    "matmul %s n=64",
    "tiled_matmul %s n=64 tile=16",
    "partial %s stride=16",
    "partial %s stride=64 kernel=once",
    "handoff %s",
    "elementwise %s kernel=triad",
    "block_read %s footprint=262144",
    "offset_read %s stride=1025",
    "offset_read %s stride=4",
    "ml/gemm M=48 N=16 K=64 type=bf16 split_k=2",
    "ml/gemm M=128 N=128 K=64 type=fp32",
    "ml/moe-scatter tokens=8 width=64 experts=4 top_k=2",
    "ml/softmax rows=64 width=512",
    "ml/layernorm rows=64 width=1024",
    "ml/elementwise n=65536 type=fp16",
    "quick/bfs",
    "quick/histogram",
    "quick/lud",
    "quick/mersenne",
    "quick/kmeans",
};

enum { DRAW_SPECS = sizeof draw_specs / sizeof *draw_specs };

struct program *draw_program(struct rng *r, struct random_draw *d)
{
    struct program_opts o = {.warp_width = d->m.sm.warp_width};
    struct program *p = NULL;
    for (uint32_t i = 0; !p && i < DRAW_TRIES; i++) {
        char size[96];
        const char *spec = draw_specs[rng_below(r, DRAW_SPECS)], *at = strstr(spec, "%s");
        struct error e = {0};
        snprintf(size, sizeof size, "ctas=%.0f warps_per_cta=%.0f iterations=%.0f",
                 floor(by_magnitude(r, 1, 96)), floor(by_magnitude(r, 1, 9)),
                 floor(by_magnitude(r, 1, 17)));
        if (at)
            snprintf(d->program, sizeof d->program, "%.*s%s%s", (int)(at - spec), spec, size,
                     at + 2);
        else
            snprintf(d->program, sizeof d->program, "%s", spec);
        p = program_open(d->program, &o, &e);
    }
    return p;
}

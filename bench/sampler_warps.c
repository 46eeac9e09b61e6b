/* sampler_warps.c - does the estimator put warp schedulers, throttles and dispatch in the cycle
 * model's order?
 *
 * Usage: sampler_warps CACHE.csv PROGRAM...    (environment: VERBOSE=1: a line per policy)
 * Runs every program on fermi-vws under each of the policies below, simulated and estimated,
 * uncalibrated.  Simulations are kept in CACHE.csv as sampler_designs keeps them.
 * A line per program: |error| of cycles (mean, median, p90, worst), bias, and Kendall's tau over
 * pairs of policies whose simulated cycles differ by more than 2 %; then tau of those that lie more
 * than 10 % apart. */
#include "bench/support/designs.h"

enum { POLICY_SETS = 6 };
struct policy {
    const char *name, *set[POLICY_SETS];
};
#define FIXED(n, which) "sm.throttle=fixed", "sm.active_warps=" n, "sm.active_set=" which
#define IWL "sm.throttle=iwl", "sm.iwl.accesses=instructions"
static const struct policy policies[] = {
    {"lrr", {NULL}},
    {"gto", {"sm.scheduler=gto"}},
    {"two_level", {"sm.scheduler=two_level"}},
    {"intercl", {"sm.scheduler=intercl"}},
    {"owl", {"sm.scheduler=owl"}},
    {"serial", {"sm.dispatch=serial"}},
    {"2 of a CTA", {FIXED("2", "cta")}},
    {"4 of a CTA", {FIXED("4", "cta")}},
    {"8 of a CTA", {FIXED("8", "cta")}},
    {"16 of a CTA", {FIXED("16", "cta")}},
    {"24 of a CTA", {FIXED("24", "cta")}},
    {"4 spread", {FIXED("4", "spread")}},
    {"16 spread", {FIXED("16", "spread")}},
    {"ccws", {"sm.scheduler=gto", "sm.throttle=ccws"}},
    {"iwl", {IWL}},
    {"vws", {IWL, "sm.scheduler=intercl", "sm.active_set=cta", "sm.dispatch=serial"}},
};
enum { POLICIES = sizeof policies / sizeof policies[0] };

static bool fail(const struct error *e)
{
    fprintf(stderr, "sampler_warps: %s\n", e->text);
    return false;
}

static bool load(struct design *d, const struct policy *p)
{
    struct errors all = {0};
    size_t n = 0, used = 0;
    for (; n < POLICY_SETS && p->set[n]; n++)
        used += (size_t)snprintf(d->sets + used, sizeof d->sets - used, " %s", p->set[n]);
    d->key = digest_join(digest_text("fermi-vws"), digest_text(d->sets));
    if (machine_load(&d->m, "fermi-vws", p->set, n, &all)) return true;
    fprintf(stderr, "sampler_warps: %s\n", all.item[0].text);
    return false;
}

static void print_far(struct pairs k)
{
    if (k.n > 0)
        printf("%-16s tau of pairs 10 %% apart %.3f, %.0f pairs\n", "", k.agree / k.n, k.n);
    else
        printf("%-16s no pairs are 10 %% apart\n", "");
}

static void add(struct pairs *to, struct pairs k)
{
    to->agree += k.agree;
    to->n += k.n;
}

/* pairs: at 2 and at 10 %. */
static bool one(const char *spec, struct truths *kept, struct point *all, struct pairs pairs[2])
{
    struct error e = {0};
    struct program_opts o = {.warp_width = designs[0].m.sm.warp_width};
    struct program *p = program_open(spec, &o, &e);
    bool ok = p != NULL;
    for (uint32_t i = 0; ok && i < POLICIES; i++) {
        struct metrics r;
        ok = design_simulated(kept, designs[i].key, &designs[i].m, p, &all[i].simulated, &e) &&
             design_estimated(&designs[i].m, p, &r, NULL, &e) &&
             metrics_value(&r, "cycles", &all[i].estimated);
        if (ok && getenv("VERBOSE"))
            printf("%-16s %-12s %9.0f %9.0f %.3f\n", program_name(p), policies[i].name,
                   all[i].simulated, all[i].estimated, all[i].estimated / all[i].simulated);
    }
    if (!ok) return fail(&e);
    struct pairs own = pairs_of(all, POLICIES), far = pairs_apart(all, POLICIES, 1.1);
    print_errors(program_name(p), "warps", all, POLICIES, own);
    print_far(far);
    add(&pairs[0], own);
    add(&pairs[1], far);
    program_close(p);
    return true;
}

int main(int argc, char **argv)
{
    static const char *const metric[] = {"cycles"};
    struct truths kept;
    struct pairs pairs[2] = {{0}};
    struct point *at = calloc((size_t)POLICIES * MOST_PROGRAMS, sizeof *at);
    designs = calloc(POLICIES, sizeof *designs);
    n_designs = POLICIES;
    if (argc < 3 || argc - 2 > MOST_PROGRAMS) {
        fprintf(stderr, "usage: sampler_warps CACHE.csv PROGRAM...\n");
        return 2;
    }
    bool ok = at && designs;
    for (uint32_t i = 0; ok && i < POLICIES; i++)
        ok = load(&designs[i], &policies[i]);
    ok = ok && truths_open(&kept, argv[1], metric, 1);
    for (int i = 2; ok && i < argc; i++)
        ok = one(argv[i], &kept, at + (size_t)(i - 2) * POLICIES, pairs);
    if (ok) print_errors("all", "warps", at, POLICIES * ((uint32_t)argc - 2), pairs[0]);
    if (ok) print_far(pairs[1]);
    if (ok) truths_close(&kept);
    free(designs);
    free(at);
    return ok ? 0 : 1;
}

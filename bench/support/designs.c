#include "bench/support/designs.h"

#include "base/memory/sort.h"
#include "base/text/digest.h"
#include "detailed/core/sim.h"
#include "engine/engine.h"
#include "estimator/model/estimate.h"
#include "gpu/machine/machine.h"
#include "sampler/strata/est_params.h"

const char *const base_name[BASES] = {"rx540", "qv100"};

struct design *designs;

uint32_t n_designs;

bool truths_open(struct truths *t, const char *path, const char *const *metric, uint32_t metrics)
{
    FILE *f = fopen(path, "r");
    char line[512];
    *t = (struct truths){
        .at = calloc(MOST_KEPT, sizeof *t->at), .metric = metric, .metrics = metrics};
    while (t->at && f && t->n < MOST_KEPT && fgets(line, sizeof line, f)) {
        struct kept *k = &t->at[t->n];
        const char *more = line;
        if (sscanf(line, "%32[0-9a-f],%lf", k->key, &k->v[0]) != 2) continue;
        for (uint32_t i = 0; i < 3 && more; i++)
            more = strchr(more + 1, ',');
        for (uint32_t i = 1; i < metrics; i++) {
            k->v[i] = more ? strtod(more + 1, NULL) : NAN;
            more = more ? strchr(more + 1, ',') : NULL;
        }
        t->n++;
    }
    if (f) fclose(f);
    t->out = fopen(path, "a");
    return t->at && t->out;
}

void truths_close(struct truths *t)
{
    if (t->out) fclose(t->out);
    free(t->at);
}

static bool simulate(const struct machine *m, const struct program *p, const struct truths *t,
                     double *v, struct error *e)
{
    struct metrics r;
    struct sim *s = sim_new(m, p, e);
    bool ok = s && sim_run(s, NULL, NULL, NULL, e) == SIM_DONE;
    if (ok) sim_metrics(s, &r);
    sim_free(s);
    for (uint32_t i = 0; ok && i < t->metrics; i++)
        if (!metrics_value(&r, t->metric[i], &v[i])) v[i] = NAN;
    return ok;
}

bool design_simulated(struct truths *t, struct digest design, const struct machine *m,
                      const struct program *p, double *v, struct error *e)
{
    char version[32], key[33];
    snprintf(version, sizeof version, "%d", SIM_MODEL_VERSION);
    digest_hex(digest_join(digest_join(design, program_digest(p)), digest_text(version)), key);
    for (uint32_t i = 0; i < t->n; i++)
        if (strcmp(t->at[i].key, key) == 0) {
            memcpy(v, t->at[i].v, t->metrics * sizeof *v);
            return true;
        }
    if (!simulate(m, p, t, v, e)) return false;
    fprintf(t->out, "%s,%.0f,%s", key, v[0], program_name(p));
    for (uint32_t i = 1; i < t->metrics; i++)
        fprintf(t->out, ",%.6g", v[i]);
    fprintf(t->out, "\n");
    fflush(t->out);
    return true;
}

bool design_estimated(const struct machine *m, const struct program *p, struct metrics *r,
                      struct explanation *x, struct error *e)
{
    struct est_params ep = est_params_of(m);
    struct profile_view view = est_view_of(m);
    struct profile *f =
        profile_get(p, &view, profile_detail_for(p, &view, PROFILE_TIMES_ONE), 1, true, NULL, e);
    bool ok = f && estimate(f, NULL, &ep, r, x, e);
    profile_free(f);
    return ok;
}

/* --- what comes out --- */

struct pairs pairs_apart(const struct point *p, uint32_t n, double times)
{
    struct pairs k = {0};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++) {
            double ratio = log(p[i].simulated / p[j].simulated);
            double told = ratio * log(p[i].estimated / p[j].estimated);
            if (fabs(ratio) < log(times)) continue;
            k.n++;
            k.agree += told > 0 ? 1 : told < 0 ? -1 : 0;
        }
    return k;
}

struct pairs pairs_of(const struct point *p, uint32_t n)
{
    return pairs_apart(p, n, 1.02);
}

void print_errors(const char *name, const char *base, const struct point *p, uint32_t n,
                  struct pairs k)
{
    double *error = malloc((n + 1) * sizeof *error), sum = 0, bias = 0;
    if (!error || !n) {
        free(error);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        error[i] = fabs(p[i].estimated / p[i].simulated - 1);
        sum += error[i];
        bias += log(p[i].estimated / p[i].simulated);
    }
    sort_doubles(error, n);
    printf("%-16s %-6s n %4u  mean %5.1f%% median %5.1f%% p90 %5.1f%% worst %6.1f%%  bias %+6.1f%%"
           "  tau %6.3f  pairs %.0f\n",
           name, base, n, 100 * sum / n, 100 * error[n / 2],
           100 * error[(uint32_t)(0.9 * (n - 1) + 0.5)], 100 * error[n - 1],
           100 * (exp(bias / n) - 1), k.n > 0 ? k.agree / k.n : NAN, k.n);
    free(error);
}

void totals_add(struct totals *t, const char *program, uint32_t base, uint32_t n)
{
    struct pairs k = pairs_of(t->at + t->n, n);
    print_errors(program, base_name[base], t->at + t->n, n, k);
    fflush(stdout);
    t->n += n;
    t->pairs.n += k.n;
    t->pairs.agree += k.agree;
    if (k.n > 0 && k.agree / k.n < t->least_tau) t->least_tau = k.agree / k.n;
}

/* range_file.c - reads and writes how far estimates may be off, as a small libconfig text. */
#include "base/io/file.h"
#include "calibration/range_model.h"
#include "calibration/setting_reader.h"

#include <stdio.h>

enum { FORMAT = 1 };

/* --- writing --- */

static void write_reals(struct outfile *f, const char *name, const double *v, uint32_t n)
{
    outfile_printf(f, "%s = [", name);
    for (uint32_t i = 0; i < n; i++)
        outfile_printf(f, "%s %.6g", i ? "," : "", v[i]);
    outfile_printf(f, " ]; ");
}

static void write_metric(struct outfile *f, const char *key, const struct range_scale *s)
{
    outfile_printf(f, "    { name = \"%s\"; cases = %u; base = %.6g;\n      ", key, s->cases,
                   s->base);
    write_reals(f, "weights", s->weight, RANGE_FEATURES);
    outfile_printf(f, "\n      ");
    write_reals(f, "quantiles", s->quantile, RANGE_LEVELS);
    outfile_printf(f, "}\n");
}

static void write_metrics(struct outfile *f, const struct range_model *r)
{
    const char *key, *between = "";
    outfile_printf(f, "metrics = (\n");
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        if (!r->metric[i].cases) continue;
        outfile_printf(f, "%s", between);
        write_metric(f, key, &r->metric[i]);
        between = "    ,\n";
    }
    outfile_printf(f, ");\n");
}

static void write_seen(struct outfile *f, const struct range_model *r)
{
    if (!r->n_seen) return;
    outfile_printf(f, "/* Parameters without a term, and their values that were learned, from and "
                      "to. */\nwithout_term = (\n");
    for (uint32_t i = 0; i < r->n_seen; i++)
        outfile_printf(f, "%s    { path = \"%s\"; values = [ %.6g, %.6g ]; }\n", i ? "    ,\n" : "",
                       r->seen[i].path, r->seen[i].lo, r->seen[i].hi);
    outfile_printf(f, ");\n");
}

bool range_model_save(const struct range_model *r, const char *path, struct error *e)
{
    struct outfile *f = outfile_open(path, e);
    if (!f) return false;
    outfile_printf(f, "/* Written by bench_sampler_ranges: how far estimates may be off.  A range "
                      "is quantile x exp(base + weights x features),\n"
                      "   the error a logarithm, or a difference for rates "
                      "(calibration/range_model.h). */\n");
    outfile_printf(f, "plumb_ranges = %d;\nestimator_model = %d;\ncycle_model = %d;\n", FORMAT,
                   r->est_version, r->sim_version);
    write_reals(f, "levels", range_levels, RANGE_LEVELS);
    outfile_printf(f, "\n/* What was learned, from and to. */\nfeatures = {\n");
    for (uint32_t i = 0; i < RANGE_FEATURES; i++)
        outfile_printf(f, "    %s = [ %.6g, %.6g ];\n", range_feature_name[i], r->lo[i], r->hi[i]);
    outfile_printf(f, "};\nratio = { still = %.6g; change = %.6g; ", r->ratio_still,
                   r->ratio_change);
    write_reals(f, "quantiles", r->ratio_quantile, RANGE_LEVELS);
    outfile_printf(f, "};\n");
    write_seen(f, r);
    write_metrics(f, r);
    return outfile_commit(f, e);
}

/* --- reading --- */

static void read_features(struct setting_reader *r, const struct conf_node *root,
                          struct range_model *out)
{
    const struct conf_node *n = setting_group(r, root, "features");
    for (uint32_t i = 0; n && i < RANGE_FEATURES; i++) {
        double ends[2] = {0};
        setting_reals(r, n, range_feature_name[i], 2, ends);
        out->lo[i] = ends[0];
        out->hi[i] = ends[1];
        if (ends[0] > ends[1])
            setting_fault(r, n, range_feature_name[i], "a list of two numbers, the smaller first");
    }
}

static void read_quantiles(struct setting_reader *r, const struct conf_node *n, double *out)
{
    setting_reals(r, n, "quantiles", RANGE_LEVELS, out);
    for (uint32_t i = 0; i < RANGE_LEVELS && !r->failed; i++)
        if (out[i] < (i ? out[i - 1] : 0))
            setting_fault(r, n, "quantiles", "numbers that rise from 0 or more");
}

static void read_ratio(struct setting_reader *r, const struct conf_node *root,
                       struct range_model *out)
{
    const struct conf_node *n = setting_group(r, root, "ratio");
    if (!n) return;
    out->ratio_still = setting_real(r, n, "still", 0, 100);
    out->ratio_change = setting_real(r, n, "change", 0, 100);
    read_quantiles(r, n, out->ratio_quantile);
}

static void read_metric(struct setting_reader *r, const struct conf_node *n,
                        struct range_model *out)
{
    uint32_t i = metrics_key_index(setting_text(r, n, "name"));
    if (!r->failed && i == METRICS_KEYS_MAX)
        setting_fault(r, conf_find(n, "name"), "name", "a metric that 'plumb metrics' lists");
    if (r->failed) return;
    struct range_scale *s = &out->metric[i];
    if (s->cases) setting_fault(r, n, "name", "a metric that was not there before");
    s->cases = (uint32_t)setting_int(r, n, "cases");
    s->base = setting_real(r, n, "base", -100, 100);
    setting_reals(r, n, "weights", RANGE_FEATURES, s->weight);
    read_quantiles(r, n, s->quantile);
}

/* A file may have none: its cases had no such parameter. */
static void read_seen(struct setting_reader *r, const struct conf_node *root,
                      struct range_model *out)
{
    const struct conf_node *list = conf_find(root, "without_term");
    uint32_t n = list ? conf_count(list) : 0;
    if (list && (conf_type(list) != CONF_LIST || n > RANGE_SEEN_MAX))
        setting_fault(r, list, "without_term", "a list of at most 64 parameters");
    for (uint32_t i = 0; i < n && !r->failed; i++) {
        struct range_seen *s = &out->seen[i];
        double ends[2] = {0};
        snprintf(s->path, sizeof s->path, "%s", setting_text(r, conf_child(list, i), "path"));
        setting_reals(r, conf_child(list, i), "values", 2, ends);
        s->lo = ends[0];
        s->hi = ends[1];
        out->n_seen = i + 1;
    }
}

static void read_levels(struct setting_reader *r, const struct conf_node *root)
{
    double level[RANGE_LEVELS];
    setting_reals(r, root, "levels", RANGE_LEVELS, level);
    for (uint32_t i = 0; i < RANGE_LEVELS && !r->failed; i++)
        if (level[i] != range_levels[i])
            setting_fault(r, conf_find(root, "levels"), "levels", "those of this plumb");
}

static void read_versions(struct setting_reader *r, const struct conf_node *root,
                          struct range_model *out)
{
    if (setting_int(r, root, "plumb_ranges") != FORMAT)
        setting_fault(r, conf_find(root, "plumb_ranges"), "plumb_ranges", "1, the known format");
    out->est_version = setting_int(r, root, "estimator_model");
    out->sim_version = setting_int(r, root, "cycle_model");
}

bool range_model_load(struct range_model *out, const char *path, struct error *e)
{
    struct conf *conf = conf_load(path, NULL, e);
    if (!conf) return false;
    const struct conf_node *root = conf_root(conf), *metrics;
    struct setting_reader r = {.path = path, .what = "a file of ranges", .e = e};
    *out = (struct range_model){0};
    read_versions(&r, root, out);
    if (!r.failed) read_levels(&r, root);
    if (!r.failed) read_features(&r, root, out);
    if (!r.failed) read_ratio(&r, root, out);
    if (!r.failed) read_seen(&r, root, out);
    metrics = r.failed ? NULL : setting_find(&r, root, "metrics");
    if (metrics && conf_type(metrics) != CONF_LIST)
        setting_fault(&r, metrics, "metrics", "a list of metrics");
    for (uint32_t i = 0; metrics && i < conf_count(metrics) && !r.failed; i++)
        read_metric(&r, conf_child(metrics, i), out);
    if (!r.failed && !out->metric[metrics_key_index("cycles")].cases)
        setting_fault(&r, metrics, "metrics", "a list with one named cycles");
    conf_free(conf);
    return !r.failed;
}

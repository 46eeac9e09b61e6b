/* range_file.c - reads and writes how far estimates may be off, as a small libconfig text. */
#include "base/io/file.h"
#include "calibration/range_model.h"
#include "calibration/setting_reader.h"

#include <stdio.h>

enum { FORMAT = 2 };

static const char table_name[][8] = {"bare", "known", "ratio"};

static struct range_table *table_of(struct range_model *r, uint32_t i)
{
    struct range_table *const of[] = {&r->bare, &r->known, &r->ratio};
    return of[i];
}

enum { TABLES = sizeof table_name / sizeof *table_name };

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
    outfile_printf(f, "        { name = \"%s\"; cases = %u; base = %.6g;\n          ", key,
                   s->cases, s->base);
    write_reals(f, "weights", s->weight, RANGE_FEATURES);
    outfile_printf(f, "\n          ");
    write_reals(f, "quantiles", s->quantile, RANGE_LEVELS);
    outfile_printf(f, "}\n");
}

static void write_table(struct outfile *f, const char *name, const struct range_table *t)
{
    const char *key, *between = "";
    outfile_printf(f, "%s = {\n    features = {\n", name);
    for (uint32_t i = 0; i < RANGE_FEATURES; i++)
        outfile_printf(f, "        %s = [ %.6g, %.6g ];\n", range_feature_name[i], t->lo[i],
                       t->hi[i]);
    outfile_printf(f, "    };\n    metrics = (\n");
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        if (!t->metric[i].cases) continue;
        outfile_printf(f, "%s", between);
        write_metric(f, key, &t->metric[i]);
        between = "        ,\n";
    }
    outfile_printf(f, "    );\n};\n");
}

static void write_kernel(struct outfile *f, const struct error_kernel *k)
{
    outfile_printf(f, "/* Of errors of one program: amplitude and length by group of parameters "
                      "(calibration/place.h). */\nkernel = {\n");
    outfile_printf(f, "    offset = %.6g; noise = %.6g; tail = %.6g;\n", k->offset, k->noise,
                   k->tail);
    for (uint32_t g = 0; g < PLACE_GROUPS; g++)
        outfile_printf(f, "    %s = [ %.6g, %.6g ];\n", place_group_name[g], k->amplitude[g],
                       k->length[g]);
    outfile_printf(f, "};\n");
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
    const struct range_table *const table[TABLES] = {&r->bare, &r->known, &r->ratio};
    struct outfile *f = outfile_open(path, e);
    if (!f) return false;
    outfile_printf(f, "/* Written by bench_error_model: how far estimates may be off.  A range is "
                      "quantile x exp(base + weights x features),\n"
                      "   the error a logarithm, or a difference for rates "
                      "(calibration/range_model.h).  Features are given from and to. */\n");
    outfile_printf(f, "plumb_ranges = %d;\nestimator_model = %d;\ncycle_model = %d;\n", FORMAT,
                   r->est_version, r->sim_version);
    write_reals(f, "levels", range_levels, RANGE_LEVELS);
    outfile_printf(f, "\n");
    write_kernel(f, &r->kernel);
    write_seen(f, r);
    for (uint32_t i = 0; i < TABLES; i++)
        write_table(f, table_name[i], table[i]);
    return outfile_commit(f, e);
}

/* --- reading --- */

static void read_features(struct setting_reader *r, const struct conf_node *group,
                          struct range_table *out)
{
    const struct conf_node *n = setting_group(r, group, "features");
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

static void read_kernel(struct setting_reader *r, const struct conf_node *root,
                        struct error_kernel *out)
{
    const struct conf_node *n = setting_group(r, root, "kernel");
    double pair[2] = {0};
    if (!n) return;
    out->offset = setting_real(r, n, "offset", 1e-6, 100);
    out->noise = setting_real(r, n, "noise", 1e-6, 100);
    out->tail = setting_real(r, n, "tail", 2.001, 1e6);
    for (uint32_t g = 0; g < PLACE_GROUPS; g++) {
        setting_reals(r, n, place_group_name[g], 2, pair);
        out->amplitude[g] = pair[0];
        out->length[g] = pair[1];
        if (!(pair[0] >= 0 && pair[0] <= 100 && pair[1] >= 1e-6))
            setting_fault(r, n, place_group_name[g],
                          "an amplitude up to 100 and a length of 1e-6 or more");
    }
}

static void read_metric(struct setting_reader *r, const struct conf_node *n,
                        struct range_table *out)
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
        setting_fault(r, conf_find(root, "plumb_ranges"), "plumb_ranges", "2, the known format");
    out->est_version = setting_int(r, root, "estimator_model");
    out->sim_version = setting_int(r, root, "cycle_model");
}

static void read_table(struct setting_reader *r, const struct conf_node *root, const char *name,
                       struct range_table *out)
{
    const struct conf_node *group = setting_group(r, root, name), *metrics;
    if (!group) return;
    read_features(r, group, out);
    metrics = r->failed ? NULL : setting_find(r, group, "metrics");
    if (metrics && conf_type(metrics) != CONF_LIST)
        setting_fault(r, metrics, "metrics", "a list of metrics");
    for (uint32_t i = 0; metrics && i < conf_count(metrics) && !r->failed; i++)
        read_metric(r, conf_child(metrics, i), out);
    if (!r->failed && !out->metric[metrics_key_index("cycles")].cases)
        setting_fault(r, metrics, "metrics", "a list with one named cycles");
}

bool range_model_load(struct range_model *out, const char *path, struct error *e)
{
    struct conf *conf = conf_load(path, NULL, e);
    if (!conf) return false;
    const struct conf_node *root = conf_root(conf);
    struct setting_reader r = {.path = path, .what = "a file of ranges", .e = e};
    *out = (struct range_model){0};
    read_versions(&r, root, out);
    if (!r.failed) read_levels(&r, root);
    if (!r.failed) read_kernel(&r, root, &out->kernel);
    if (!r.failed) read_seen(&r, root, out);
    for (uint32_t i = 0; i < TABLES && !r.failed; i++)
        read_table(&r, root, table_name[i], table_of(out, i));
    conf_free(conf);
    return !r.failed;
}

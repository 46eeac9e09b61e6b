/* calibration_file.c - reads and writes calibrations as libconfig texts; writes are atomic.
 *
 * A file has the runs: the parameters of each machine (those of the first run, and what others
 * change), the place of each estimate (place.h) and the errors of the metrics that designs are
 * compared by. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "base/text/version.h"
#include "calibration/calibrate.h"
#include "calibration/setting_reader.h"
#include "gpu/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FORMAT = 5 };

/* The metrics whose errors are written, if all runs have them. */
static const char *const written[] = {
    "cycles",      "l1.hit_rate",       "l2.hit_rate",          "dram.reads",
    "dram.writes", "dram.row_hit_rate", "dram.energy_mj.total", "latency.load_mean"};
enum { WRITTEN = sizeof written / sizeof *written };

/* --- writing ---------------------------------------------------------------------------------- */

static bool all_have(const struct calibration *c, uint32_t metric)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (!c->run[i].has[metric]) return false;
    return metric < METRICS_KEYS_MAX;
}

/* Of the metrics that are written; returns how many. */
static uint32_t find_metrics(const struct calibration *c, uint32_t out[WRITTEN])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < WRITTEN; i++)
        if (all_have(c, metrics_key_index(written[i]))) out[n++] = metrics_key_index(written[i]);
    return n;
}

/* All of today's: one that a file lacks came later, and its runs have its default. */
static uint32_t list_parameters(uint32_t out[PLACE_PARAMS_MAX])
{
    uint32_t n = place_params();
    for (uint32_t k = 0; k < n; k++)
        out[k] = k;
    return n;
}

static void write_numbers(struct outfile *f, const char *name, const double *v, uint32_t n)
{
    outfile_printf(f, "%s = [", name);
    for (uint32_t i = 0; i < n; i++)
        outfile_printf(f, "%s %.9g", i ? "," : "", v[i]);
    outfile_printf(f, " ]; ");
}

static void write_names(struct outfile *f, const char *name, const uint32_t *of, uint32_t n,
                        const char *(*name_of)(uint32_t))
{
    outfile_printf(f, "%s = [", name);
    for (uint32_t i = 0; i < n; i++)
        outfile_printf(f, "%s\"%s\"", i ? ", " : " ", name_of(of[i]));
    outfile_printf(f, " ];\n");
}

/* The parameters in which a run differs from the first: their positions in the list, and their
 * values. */
static void write_changes(struct outfile *f, const struct known_run *first,
                          const struct known_run *r, const uint32_t *param, uint32_t params)
{
    const char *between = "";
    outfile_printf(f, "changed = [");
    for (uint32_t i = 0; i < params; i++) {
        if (r->place.param[param[i]] == first->place.param[param[i]]) continue;
        outfile_printf(f, "%s %u", between, i);
        between = ",";
    }
    outfile_printf(f, " ]; to = [");
    between = "";
    for (uint32_t i = 0; i < params; i++) {
        if (r->place.param[param[i]] == first->place.param[param[i]]) continue;
        outfile_printf(f, "%s %.12g", between, place_value(param[i], r->place.param[param[i]]));
        between = ",";
    }
    outfile_printf(f, " ];\n      ");
}

static void write_run(struct outfile *f, const struct known_run *first, const struct known_run *r,
                      const uint32_t *param, uint32_t params, const uint32_t *metric,
                      uint32_t metrics)
{
    char program[33], machine[33];
    double error[WRITTEN];
    digest_hex(r->program, program);
    digest_hex(r->machine, machine);
    for (uint32_t i = 0; i < metrics; i++)
        error[i] = r->error[metric[i]];
    outfile_printf(f,
                   "    { program = \"%s\"; machine = \"%s\"; sd = %.6g; estimate = %.9g;\n      ",
                   program, machine, r->log_sd, r->place.estimate);
    write_changes(f, first, r, param, params);
    write_numbers(f, "use", r->place.feature, PLACE_FEATURES);
    outfile_printf(f, "\n      ");
    write_numbers(f, "errors", error, metrics);
    outfile_printf(f, "}");
}

static void write_runs(struct outfile *f, const struct calibration *c)
{
    uint32_t param[PLACE_PARAMS_MAX], metric[WRITTEN];
    uint32_t params = list_parameters(param), metrics = find_metrics(c, metric);
    double value[PLACE_PARAMS_MAX];
    for (uint32_t i = 0; i < params; i++)
        value[i] = place_value(param[i], c->run[0].place.param[param[i]]);
    write_names(f, "parameters", param, params, place_param_name);
    write_numbers(f, "first", value, params);
    outfile_printf(f, "\n");
    write_names(f, "metrics", metric, metrics, metrics_key);
    outfile_printf(f, "/* estimate, use: where the estimate lies (calibration/place.h); errors: of "
                      "the metrics above */\nruns = (\n");
    for (uint32_t i = 0; i < c->n; i++) {
        write_run(f, &c->run[0], &c->run[i], param, params, metric, metrics);
        outfile_printf(f, i + 1 < c->n ? ",\n" : "\n");
    }
    outfile_printf(f, ");\n");
}

bool calibration_save(const struct calibration *c, const char *path, struct error *e)
{
    struct outfile *f = outfile_open(path, e);
    if (!f) return false;
    char training[33];
    digest_hex(c->training, training);
    outfile_printf(
        f, "/* Written by plumb %s.  It says how estimates of one machine family are off. */\n",
        PLUMB_VERSION);
    outfile_printf(f, "plumb_calibration = %d;\nmachine = ", FORMAT);
    quote_conf_file(f, c->machine);
    outfile_printf(f, ";\n");
    outfile_printf(f, "estimator_model = %d;\ncycle_model = %d;\n", c->est_version, c->sim_version);
    outfile_printf(f, "training = \"%s\";\n", training);
    outfile_printf(f, "/* Mean |log(simulated / estimated)|; left_out: each run predicted from the "
                      "program's others. */\n");
    outfile_printf(f, "error = { raw = %.17g; left_out = %.17g; worst = %.17g; };\n", c->raw_error,
                   c->cv_error, c->cv_worst);
    if (c->n) write_runs(f, c);
    return outfile_commit(f, e);
}

/* --- reading ---------------------------------------------------------------------------------- */

static void read_errors(struct calibration *c, struct setting_reader *r,
                        const struct conf_node *root)
{
    const struct conf_node *n = setting_group(r, root, "error");
    if (!n) return;
    c->raw_error = setting_real(r, n, "raw", 0, 100);
    c->cv_error = setting_real(r, n, "left_out", 0, 100);
    c->cv_worst = setting_real(r, n, "worst", 0, 100);
}

static struct digest read_digest(struct setting_reader *r, const struct conf_node *group,
                                 const char *name)
{
    struct digest d = {0};
    const char *text = setting_text(r, group, name);
    if (!r->failed && !digest_parse(&d, text))
        setting_fault(r, conf_find(group, name), name, "a digest of 32 hexadecimal digits");
    return d;
}

static void read_provenance(struct calibration *c, struct setting_reader *r,
                            const struct conf_node *root)
{
    const struct conf_node *format = setting_find(r, root, "plumb_calibration");
    int64_t v;
    if (format && (!conf_int(format, &v) || v != FORMAT))
        setting_fault(r, format, "plumb_calibration", "5, the known format: calibrate again");
    snprintf(c->machine, sizeof(c->machine), "%s", setting_text(r, root, "machine"));
    c->est_version = setting_int(r, root, "estimator_model");
    c->sim_version = setting_int(r, root, "cycle_model");
    c->training = read_digest(r, root, "training");
}

/* The lists that all runs of a file share. */
struct file_lists {
    uint32_t param[PLACE_PARAMS_MAX], params, metric[METRICS_KEYS_MAX], metrics;
    struct place first;
};

/* Names in an array; index_of gives what they stand for, at least `none` for unknown ones. Files
 * mostly have all names, in the order of name_of. */
static uint32_t read_names(struct setting_reader *r, const struct conf_node *root, const char *name,
                           uint32_t most, uint32_t none, const char *(*name_of)(uint32_t),
                           uint32_t (*index_of)(const char *), uint32_t *out)
{
    const struct conf_node *list = setting_find(r, root, name);
    uint32_t n = list ? conf_count(list) : 0;
    if (n > most) setting_fault(r, list, name, "a shorter list");
    for (uint32_t i = 0; i < n && !r->failed; i++) {
        const char *text = conf_text(conf_child(list, i));
        bool in_order = text && i < none && name_of(i) && strcmp(text, name_of(i)) == 0;
        out[i] = !text ? none : in_order ? i : index_of(text);
        if (out[i] >= none) setting_fault(r, list, name, "a list of names that this plumb knows");
    }
    return n;
}

static void read_lists(struct setting_reader *r, const struct conf_node *root,
                       struct file_lists *out)
{
    double value[PLACE_PARAMS_MAX];
    struct machine usual;
    machine_defaults(&usual);
    place_of_machine(&out->first, &usual);
    out->params = read_names(r, root, "parameters", place_params(), place_params(),
                             place_param_name, place_param_index, out->param);
    out->metrics = read_names(r, root, "metrics", METRICS_KEYS_MAX, METRICS_KEYS_MAX, metrics_key,
                              metrics_key_index, out->metric);
    if (!r->failed) setting_reals(r, root, "first", out->params, value);
    for (uint32_t i = 0; i < out->params && !r->failed; i++)
        out->first.param[out->param[i]] = place_of_number(out->param[i], value[i]);
}

static void read_changes(struct setting_reader *r, const struct conf_node *n,
                         const struct file_lists *l, struct place *out)
{
    const struct conf_node *changed = setting_find(r, n, "changed");
    uint32_t count = changed ? conf_count(changed) : 0;
    double at[PLACE_PARAMS_MAX], to[PLACE_PARAMS_MAX];
    if (count > l->params) setting_fault(r, changed, "changed", "a shorter list");
    if (r->failed) return;
    setting_reals(r, n, "changed", count, at);
    setting_reals(r, n, "to", count, to);
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        if (!(at[i] >= 0 && at[i] < l->params)) {
            setting_fault(r, changed, "changed", "a list of positions in 'parameters'");
            return;
        }
        uint32_t k = l->param[(uint32_t)at[i]];
        out->param[k] = place_of_number(k, to[i]);
    }
}

/* Numbers whose squares and exponentials are numbers. */
static void read_small(struct setting_reader *r, const struct conf_node *n, const char *name,
                       uint32_t count, double *out)
{
    static const double MOST = 100;
    setting_reals(r, n, name, count, out);
    for (uint32_t i = 0; i < count && !r->failed; i++)
        if (fabs(out[i]) > MOST)
            setting_fault(r, conf_find(n, name), name, "numbers from -100 to 100");
}

static void read_run(struct setting_reader *r, const struct conf_node *n,
                     const struct file_lists *l, struct known_run *out)
{
    double error[METRICS_KEYS_MAX];
    out->place = l->first;
    out->program = read_digest(r, n, "program");
    out->machine = read_digest(r, n, "machine");
    out->log_sd = setting_real(r, n, "sd", 0, 100);
    out->place.estimate = setting_real(r, n, "estimate", -100, 100);
    if (!r->failed) read_changes(r, n, l, &out->place);
    if (!r->failed) read_small(r, n, "use", PLACE_FEATURES, out->place.feature);
    if (!r->failed) read_small(r, n, "errors", l->metrics, error);
    for (uint32_t i = 0; i < l->metrics && !r->failed; i++) {
        out->error[l->metric[i]] = error[i];
        out->has[l->metric[i]] = true;
    }
}

static void read_runs(struct calibration *c, struct setting_reader *r, const struct conf_node *root)
{
    const struct conf_node *runs = conf_find(root, "runs");
    uint32_t n = runs ? conf_count(runs) : 0;
    struct file_lists *l = mem_new(1, sizeof *l);
    if (!runs) {
        mem_free(l);
        return;
    }
    if (conf_type(runs) != CONF_LIST || n > CALIBRATE_POINTS_MAX)
        setting_fault(r, runs, "runs", "a list of runs");
    c->run = r->failed ? NULL : mem_new(n ? n : 1, sizeof *c->run);
    if (!r->failed && (!l || !c->run)) r->failed = !error_no_memory(r->e);
    if (!r->failed) read_lists(r, root, l);
    for (; !r->failed && c->n < n; c->n++)
        read_run(r, conf_child(runs, c->n), l, &c->run[c->n]);
    mem_free(l);
}

bool calibration_load(struct calibration *c, const char *path, struct error *e)
{
    struct conf *conf = conf_load(path, NULL, e);
    if (!conf) return false;
    const struct conf_node *root = conf_root(conf);
    struct setting_reader r = {.path = path, .what = "a calibration", .e = e};
    *c = (struct calibration){0};
    read_provenance(c, &r, root);
    if (!r.failed) read_errors(c, &r, root);
    if (!r.failed) read_runs(c, &r, root);
    if (r.failed) calibration_fini(c);
    conf_free(conf);
    return !r.failed;
}

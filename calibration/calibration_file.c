/* calibration_file.c - reads and writes calibrations as libconfig texts; writes are atomic.
 *
 * A file has the runs: the parameters of each machine (those of the first run, and what others
 * change), the place of each estimate (place.h), the errors of the metrics that designs are
 * compared by, and what was simulated of them.  Machines and programs are listed once; runs name
 * them by their position. */
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

enum { FORMAT = 6 };

const char *const calibration_metric[CALIBRATION_METRICS] = {
    "cycles",      "l1.hit_rate",       "l2.hit_rate",      "dram.reads",
    "dram.writes", "dram.row_hit_rate", "latency.load_mean"};

/* --- writing ---------------------------------------------------------------------------------- */

struct calibration_writer {
    struct outfile *f;
    const struct calibration *c;
    uint32_t params;
    uint32_t metric[CALIBRATION_METRICS], metrics; /* positions in calibration_metric */
    uint32_t *machine, *program;                   /* [c->n] the run's position in the lists */
};

static bool all_have(const struct calibration *c, uint32_t metric)
{
    uint32_t key = metrics_key_index(calibration_metric[metric]);
    for (uint32_t i = 0; i < c->n; i++)
        if (!c->run[i].has[key] || !isfinite(c->kept[i].simulated[metric])) return false;
    return true;
}

static void write_numbers(struct outfile *f, const char *name, const double *v, uint32_t n)
{
    outfile_printf(f, "%s = [", name);
    for (uint32_t i = 0; i < n; i++)
        outfile_printf(f, "%s %.9g", i ? "," : "", v[i]);
    outfile_printf(f, " ]; ");
}

static void write_names(struct outfile *f, const char *name, uint32_t n,
                        const char *(*name_of)(uint32_t))
{
    outfile_printf(f, "%s = [", name);
    for (uint32_t i = 0; i < n; i++)
        outfile_printf(f, "%s\"%s\"", i ? ", " : " ", name_of(i));
    outfile_printf(f, " ];\n");
}

static bool same_machine(const struct known_run *a, const struct known_run *b)
{
    return digest_equal(a->machine, b->machine) &&
           memcmp(a->place.param, b->place.param, place_params() * sizeof *a->place.param) == 0;
}

static bool same_program(const struct known_run *a, const struct known_run *b)
{
    return digest_equal(a->program, b->program);
}

/* The parameters in which a machine differs from the first: their positions in the list, and their
 * values. */
static void write_machine(const struct calibration_writer *w, const struct known_run *r)
{
    const struct place *first = &w->c->run[0].place;
    const char *between = "";
    char hex[33];
    digest_hex(r->machine, hex);
    outfile_printf(w->f, "    { digest = \"%s\"; changed = [", hex);
    for (uint32_t i = 0; i < w->params; i++) {
        if (r->place.param[i] == first->param[i]) continue;
        outfile_printf(w->f, "%s %u", between, i);
        between = ",";
    }
    outfile_printf(w->f, " ]; to = [");
    between = "";
    for (uint32_t i = 0; i < w->params; i++) {
        if (r->place.param[i] == first->param[i]) continue;
        outfile_printf(w->f, "%s %.12g", between, place_value(i, r->place.param[i]));
        between = ",";
    }
    outfile_printf(w->f, " ]; }");
}

static void write_program(const struct calibration_writer *w, uint32_t run)
{
    char hex[33];
    digest_hex(w->c->run[run].program, hex);
    outfile_printf(w->f, "    { digest = \"%s\"; name = ", hex);
    quote_conf_file(w->f, w->c->kept[run].program);
    outfile_printf(w->f, "; }");
}

static void write_run(const struct calibration_writer *w, uint32_t run)
{
    const struct known_run *r = &w->c->run[run];
    double error[CALIBRATION_METRICS], simulated[CALIBRATION_METRICS];
    for (uint32_t i = 0; i < w->metrics; i++) {
        error[i] = r->error[metrics_key_index(calibration_metric[w->metric[i]])];
        simulated[i] = w->c->kept[run].simulated[w->metric[i]];
    }
    outfile_printf(w->f, "    { program = %u; machine = %u; sd = %.6g; estimate = %.9g;\n      ",
                   w->program[run], w->machine[run], r->log_sd, r->place.estimate);
    write_numbers(w->f, "use", r->place.feature, PLACE_FEATURES);
    outfile_printf(w->f, "\n      ");
    write_numbers(w->f, "errors", error, w->metrics);
    outfile_printf(w->f, "\n      ");
    write_numbers(w->f, "simulated", simulated, w->metrics);
    outfile_printf(w->f, "}");
}

/* Numbers the different ones among the runs in the order of their first appearance. */
static void number_runs(const struct calibration *c,
                        bool (*same)(const struct known_run *, const struct known_run *),
                        uint32_t *number)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t k = 0;
        while (k < i && !same(&c->run[k], &c->run[i]))
            k++;
        number[i] = k < i ? number[k] : n++;
    }
}

static void write_lists(const struct calibration_writer *w)
{
    uint32_t machines = 0, programs = 0;
    outfile_printf(w->f, "machines = (\n");
    for (uint32_t i = 0; i < w->c->n; i++) {
        if (w->machine[i] != machines) continue;
        outfile_printf(w->f, "%s", machines++ ? ",\n" : "");
        write_machine(w, &w->c->run[i]);
    }
    outfile_printf(w->f, "\n);\nprograms = (\n");
    for (uint32_t i = 0; i < w->c->n; i++) {
        if (w->program[i] != programs) continue;
        outfile_printf(w->f, "%s", programs++ ? ",\n" : "");
        write_program(w, i);
    }
    outfile_printf(w->f, "\n);\n");
}

static void write_runs(struct calibration_writer *w)
{
    double value[PLACE_PARAMS_MAX];
    for (uint32_t i = 0; i < w->params; i++)
        value[i] = place_value(i, w->c->run[0].place.param[i]);
    for (uint32_t i = 0; i < CALIBRATION_METRICS; i++)
        if (all_have(w->c, i)) w->metric[w->metrics++] = i;
    number_runs(w->c, same_machine, w->machine);
    number_runs(w->c, same_program, w->program);
    write_names(w->f, "parameters", w->params, place_param_name);
    write_numbers(w->f, "first", value, w->params);
    outfile_printf(w->f, "\n");
    write_lists(w);
    outfile_printf(w->f, "metrics = [");
    for (uint32_t i = 0; i < w->metrics; i++)
        outfile_printf(w->f, "%s\"%s\"", i ? ", " : " ", calibration_metric[w->metric[i]]);
    outfile_printf(w->f, " ];\n/* estimate, use: where the estimate lies (calibration/place.h); "
                         "errors, simulated: of the metrics above */\nruns = (\n");
    for (uint32_t i = 0; i < w->c->n; i++) {
        write_run(w, i);
        outfile_printf(w->f, i + 1 < w->c->n ? ",\n" : "\n");
    }
    outfile_printf(w->f, ");\n");
}

static void write_head(struct outfile *f, const struct calibration *c)
{
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
}

bool calibration_save(const struct calibration *c, const char *path, struct error *e)
{
    struct calibration_writer w = {.c = c, .params = place_params()};
    w.machine = mem_new(c->n ? c->n : 1, sizeof *w.machine);
    w.program = mem_new(c->n ? c->n : 1, sizeof *w.program);
    bool ok = (w.machine && w.program) || error_no_memory(e);
    w.f = ok ? outfile_open(path, e) : NULL;
    if (w.f) write_head(w.f, c);
    if (w.f && c->n) write_runs(&w);
    ok = w.f && outfile_commit(w.f, e);
    mem_free(w.machine);
    mem_free(w.program);
    return ok;
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
        setting_fault(r, format, "plumb_calibration", "6, the known format: calibrate again");
    snprintf(c->machine, sizeof(c->machine), "%s", setting_text(r, root, "machine"));
    c->est_version = setting_int(r, root, "estimator_model");
    c->sim_version = setting_int(r, root, "cycle_model");
    c->training = read_digest(r, root, "training");
}

/* The lists that all runs of a file share. */
struct file_lists {
    uint32_t param[PLACE_PARAMS_MAX], params, metric[METRICS_KEYS_MAX], metrics;
    struct place first;
    const struct conf_node *machine, *program;
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
    out->machine = setting_find(r, root, "machines");
    out->program = setting_find(r, root, "programs");
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

/* The element of a list that the run names. */
static const struct conf_node *read_element(struct setting_reader *r, const struct conf_node *run,
                                            const char *name, const struct conf_node *list)
{
    uint32_t at = (uint32_t)setting_int(r, run, name);
    const struct conf_node *n = r->failed || at >= conf_count(list) ? NULL : conf_child(list, at);
    if (!n || conf_type(n) != CONF_GROUP)
        setting_fault(r, conf_find(run, name), name, "the position of a group in its list");
    return r->failed ? NULL : n;
}

static void keep_simulated(struct setting_reader *r, const struct conf_node *n,
                           const struct file_lists *l, struct kept_run *out)
{
    double simulated[METRICS_KEYS_MAX];
    setting_reals(r, n, "simulated", l->metrics, simulated);
    for (uint32_t k = 0; k < CALIBRATION_METRICS; k++)
        out->simulated[k] = NAN;
    for (uint32_t i = 0; i < l->metrics && !r->failed; i++)
        for (uint32_t k = 0; k < CALIBRATION_METRICS; k++)
            if (metrics_key_index(calibration_metric[k]) == l->metric[i])
                out->simulated[k] = simulated[i];
}

static void read_run(struct setting_reader *r, const struct conf_node *n,
                     const struct file_lists *l, struct known_run *out, struct kept_run *kept)
{
    double error[METRICS_KEYS_MAX];
    const struct conf_node *program = read_element(r, n, "program", l->program),
                           *machine = read_element(r, n, "machine", l->machine);
    if (r->failed) return;
    out->place = l->first;
    out->program = read_digest(r, program, "digest");
    snprintf(kept->program, sizeof kept->program, "%s", setting_text(r, program, "name"));
    out->machine = read_digest(r, machine, "digest");
    out->log_sd = setting_real(r, n, "sd", 0, 100);
    out->place.estimate = setting_real(r, n, "estimate", -100, 100);
    if (!r->failed) read_changes(r, machine, l, &out->place);
    if (!r->failed) read_small(r, n, "use", PLACE_FEATURES, out->place.feature);
    if (!r->failed) read_small(r, n, "errors", l->metrics, error);
    if (!r->failed) keep_simulated(r, n, l, kept);
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
    c->kept = r->failed ? NULL : mem_new(n ? n : 1, sizeof *c->kept);
    if (!r->failed && (!l || !c->run || !c->kept)) r->failed = !error_no_memory(r->e);
    if (!r->failed) read_lists(r, root, l);
    for (; !r->failed && c->n < n; c->n++)
        read_run(r, conf_child(runs, c->n), l, &c->run[c->n], &c->kept[c->n]);
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

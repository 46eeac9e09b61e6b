/* report_sweep.c - writes the page's data about the sweep itself: its file, own machine, rounds and
 * answers, and the machines' peaks. */
#include "sweeps/report/report_rows.h"

#include "base/memory/alloc.h"
#include "gpu/machine/machine.h"

#include <math.h>

static void index_member(struct json *j, const char *key, uint32_t v)
{
    json_integer(json_key(j, key), v == RESULTS_NONE ? -1 : (int64_t)v);
}

static void base(struct json *j, const struct results *r)
{
    const struct result_base *b = &r->sweep.base;
    json_object(json_key(j, "base"));
    json_string(json_key(j, "name"), b->name);
    report_row_names(j, "values", b->value, r->n_axes);
    index_member(j, "point", b->point);
    index_member(j, "nearest", b->nearest);
    json_end(j);
}

static void sweep(struct json *j, const struct results *r)
{
    const struct result_sweep *s = &r->sweep;
    json_object(json_key(j, "sweep"));
    json_string(json_key(j, "file"), s->file);
    json_string(json_key(j, "engine"), s->engine);
    json_string(json_key(j, "design"), s->design);
    index_member(j, "points", s->points);
    index_member(j, "others", s->others);
    if (s->base.name) base(j, r);
    json_end(j);
}

static void rounds(struct json *j, const struct results *r, struct report_row *row)
{
    json_array(json_key(j, "rounds"));
    for (uint32_t i = 0; i < r->n_rounds; i++) {
        const struct result_round *x = &r->round[i];
        json_object(j);
        json_string(json_key(j, "why"), x->why);
        json_key(j, "figures"); /* points, runs, error, worst, core hours so far */
        report_row_begin(row);
        report_row_index(row, x->points);
        report_row_index(row, x->runs);
        report_row_number(row, x->error);
        report_row_number(row, x->worst);
        report_row_number(row, x->core_hours);
        report_row_end(row, j);
        json_end(j);
    }
    json_end(j);
    json_key(j, "round_of");
    report_row_begin(row);
    for (uint32_t m = 0; r->n_rounds && m < r->n_machines; m++)
        report_row_index(row, r->round_of[m]);
    report_row_end(row, j);
}

/* Writes one metric's answers, machine by machine, program by program. */
static void answer(struct json *j, const struct results *r, uint32_t k, struct report_row *row)
{
    size_t cells = (size_t)r->n_machines * r->n_programs;
    json_object(j);
    json_string(json_key(j, "metric"), r->metric[r->answered[k]]);
    json_key(j, "value");
    report_row_begin(row);
    for (size_t i = 0; i < cells; i++)
        report_row_exact(row, r->answer[i * r->n_answered + k].value);
    report_row_end(row, j);
    json_key(j, "log_sd");
    report_row_begin(row);
    for (size_t i = 0; i < cells; i++)
        report_row_number(row, r->answer[i * r->n_answered + k].log_sd);
    report_row_end(row, j);
    json_key(j, "source");
    report_row_begin(row);
    for (size_t i = 0; i < cells; i++)
        report_row_index(row, (uint32_t)r->answer[i * r->n_answered + k].source);
    report_row_end(row, j);
    json_end(j);
}

/* For each objective that goes with the cycles: the best point, then those that may be better, each
 * with the range of its value over the best's. */
static void rivals(struct json *j, const struct results *r)
{
    json_array(json_key(j, "rivals"));
    for (uint32_t i = 0; i < r->n_rivals;) {
        uint32_t k = r->rival[i].objective;
        json_object(j);
        json_string(json_key(j, "metric"), r->objective[k].name);
        json_array(json_key(j, "points"));
        for (; i < r->n_rivals && r->rival[i].objective == k; i++) {
            json_array(j);
            json_integer(j, r->rival[i].machine);
            json_number(j, r->rival[i].low);
            json_number(j, r->rival[i].high);
            json_end(j);
        }
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

void report_sweep_data(struct json *j, const struct results *r, struct report_row *row)
{
    if (r->sweep.file) sweep(j, r);
    rounds(j, r, row);
    json_array(json_key(j, "answers"));
    for (uint32_t k = 0; k < r->n_answered; k++)
        answer(j, r, k, row);
    json_end(j);
    rivals(j, r);
}

/* A machine whose configuration this version cannot read has no peak. */
static double peak_gbps(const struct result_machine *m, struct machine *space)
{
    struct errors faults = {0};
    bool ok = machine_parse(space, m->config, m->name, NULL, 0, &faults);
    errors_fini(&faults);
    return ok ? machine_derived_value(space, "peak_gbps") : NAN;
}

bool report_peaks_data(struct json *j, const struct results *r, struct report_row *row)
{
    struct machine *space = mem_new(1, sizeof *space);
    if (!space) return false;
    json_key(j, "peak_gbps");
    report_row_begin(row);
    for (uint32_t m = 0; m < r->n_machines; m++)
        report_row_number(row, peak_gbps(&r->machine[m], space));
    report_row_end(row, j);
    mem_free(space);
    return true;
}

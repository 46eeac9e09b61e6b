/* answer_json.c - writes an answer as the JSON object that answer_schema.h specifies. */
#include "base/text/version.h"
#include "engine/answer_sites.h"
#include "engine/causes.h"
#include "engine/difference.h"
#include "engine/engine.h"
#include "estimator/model/estimate.h"
#include "gpu/mechanisms/mechanisms.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_DEPTH = 4, PATH_PART = 48 };

/* The names of the open JSON objects: "l2.miss_latency.total" lies in l2 and in miss_latency. */
struct nesting {
    char open[PATH_DEPTH][PATH_PART];
    uint32_t depth;
};

static void close_to(struct nesting *n, uint32_t depth, struct json *j)
{
    for (; n->depth > depth; n->depth--)
        json_end(j);
}

/* Closes the objects that the path does not share and opens those that it needs; returns the path's
 * last part. */
static const char *open_path(struct nesting *n, const char *path, struct json *j)
{
    uint32_t level = 0;
    for (const char *dot; (dot = strchr(path, '.')); path = dot + 1, level++) {
        char part[PATH_PART];
        assert(level < PATH_DEPTH && (size_t)(dot - path) < sizeof(part));
        snprintf(part, sizeof(part), "%.*s", (int)(dot - path), path);
        if (level < n->depth && strcmp(n->open[level], part) == 0) continue;
        close_to(n, level, j);
        json_object(json_key(j, part));
        memcpy(n->open[n->depth++], part, sizeof(part));
    }
    close_to(n, level, j);
    return path;
}

static void write_metrics(const struct metrics *m, struct json *j)
{
    struct nesting n = {.depth = 0};
    const char *key;
    double v;
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        if (!metrics_value(m, key, &v)) continue;
        json_number(json_key(j, open_path(&n, key, j)), v);
    }
    close_to(&n, 0, j);
}

void answer_station_rows(const struct answer *a, double least, struct rows *r)
{
    for (uint32_t i = 0; i < a->x.n; i++) {
        const struct station *s = &a->x.station[i];
        if (s->utilization < least && s->gain < least) continue;
        rows_item(r);
        rows_text(r, "name", "station", s->name);
        rows_number(r, "utilization", "busy", "1", s->utilization);
        rows_number(r, "queue", "queue", "%.1f", s->queue);
        rows_number(r, "latency", "latency", "%.1f", s->latency);
        rows_number(r, "gain", "would save", "1", s->gain);
        rows_text(r, NULL, "what it is", estimate_station_meaning(s->name));
        rows_end(r);
    }
}

static void write_stations(const struct answer *a, struct json *j)
{
    const struct explanation *x = &a->x;
    struct rows r = {.json = j};
    if (x->n == 0) return;
    json_array(json_key(j, "stations"));
    answer_station_rows(a, 0, &r);
    json_end(j);
    if (x->bottleneck) json_string(json_key(j, "bottleneck"), x->bottleneck);
}

static void write_sites(const struct site_counters *x, struct json *j)
{
    struct rows r = {.json = j};
    if (!x) return;
    rows_list(&r, "loads");
    answer_sites_loads(&r, x);
    rows_end(&r);
    rows_list(&r, "buffers");
    answer_sites_buffers(&r, x);
    rows_end(&r);
}

/* With flat keys; means and percentiles of histograms have no half width. */
static void write_flat(const char *name, const double *v, const bool *has, struct json *j)
{
    const char *key;
    json_object(json_key(j, name));
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        int id = metrics_by_path(key);
        if (id >= 0 && has[id]) json_number(json_key(j, key), v[id]);
    }
    json_end(j);
}

static void write_control(const struct answer_control *c, struct json *j)
{
    if (!c->name) return;
    json_object(json_key(j, "control"));
    json_string(json_key(j, "variate"), c->name);
    json_number(json_key(j, "variance_ratio"), c->variance_ratio);
    json_integer(json_key(j, "intervals"), c->intervals);
    json_integer(json_key(j, "intervals_without"), c->intervals_without);
    json_end(j);
}

static void write_paired(const struct answer_paired *p, struct json *j)
{
    if (!p->known) return;
    json_object(json_key(j, "paired"));
    json_number(json_key(j, "ratio"), p->ratio);
    json_number(json_key(j, "half_width"), p->half_width);
    json_number(json_key(j, "half_width_apart"), p->apart);
    json_end(j);
}

static void write_parts(const struct answer_parts *p, struct json *j)
{
    if (!(p->placing > 0) && !(p->warming > 0)) return;
    json_object(json_key(j, "parts"));
    json_number(json_key(j, "sampling"), p->sampling);
    json_number(json_key(j, p->warming > 0 ? "warming" : "placing"), fmax(p->placing, p->warming));
    if (p->drain > 0) json_number(json_key(j, "drain"), p->drain);
    if (p->accesses > 0) json_number(json_key(j, "accesses"), p->accesses);
    if (p->phases > 0) json_number(json_key(j, "phases"), p->phases);
    json_end(j);
}

static void write_ranges(const struct answer_ranges *r, struct json *j)
{
    json_object(json_key(j, "ranges"));
    for (uint32_t i = 0; metrics_key(i); i++) {
        if (!r->has[i]) continue;
        json_array(json_key(j, metrics_key(i)));
        json_number(j, r->low[i]);
        json_number(j, r->high[i]);
        json_end(j);
    }
    json_end(j);
}

static void write_correction(const struct answer_correction *c, struct json *j)
{
    if (!c->file[0] && !c->runs) return;
    json_object(json_key(j, "calibration"));
    json_string(json_key(j, "file"), c->file);
    json_bool(json_key(j, "knows_program"), c->runs > 0);
    json_string(json_key(j, "correction"), c->runs ? "runs" : "none");
    json_number(json_key(j, "runs"), c->runs);
    if (c->banked) json_number(json_key(j, "banked"), c->banked);
    if (c->runs) {
        char digest[33];
        digest_hex(c->digest, digest);
        json_string(json_key(j, "digest"), digest);
    }
    if (c->apart) json_string(json_key(j, "beyond"), c->beyond[0].param);
    json_end(j);
}

static void write_ratio(const struct answer_ratio *r, struct json *j)
{
    if (!r->known) return;
    json_object(json_key(j, "ratio"));
    json_number(json_key(j, "value"), r->value);
    json_number(json_key(j, "low"), r->low);
    json_number(json_key(j, "high"), r->high);
    json_number(json_key(j, "half_width"), (r->high - r->low) / 2 / r->value);
    json_end(j);
}

static void write_confidence(const struct answer *a, struct json *j)
{
    uint32_t cycles = metrics_key_index("cycles");
    if (!a->has_confidence) return;
    json_object(json_key(j, "confidence"));
    json_number(json_key(j, "level"), a->level);
    if (a->ranges.has[cycles]) {
        json_number(json_key(j, "low"), a->ranges.low[cycles]);
        json_number(json_key(j, "high"), a->ranges.high[cycles]);
    }
    json_number(json_key(j, "half_width"), a->half_width);
    write_ranges(&a->ranges, j);
    write_ratio(&a->ratio, j);
    if (a->partial) {
        json_bool(json_key(j, "partial"), true);
    } else {
        write_parts(&a->parts, j);
    }
    if (a->intervals) {
        json_integer(json_key(j, "intervals"), a->intervals);
        json_number(json_key(j, "simulated_share"), a->simulated_share);
        json_number(json_key(j, "simulated_instructions"), (double)a->simulated_instructions);
        json_number(json_key(j, "warmup_instructions"), (double)a->warmup_instructions);
        write_control(&a->control, j);
        write_paired(&a->paired, j);
        write_flat("half_widths", a->half_widths.v, a->half_widths.has, j);
    }
    json_end(j);
}

/* Writes the whole simulation's value of every metric that has a half width. */
static void write_full(const struct answer *a, struct json *j)
{
    if (!a->full.has[M_cycles]) return;
    double truth = a->full.v[M_cycles], error = a->m.v[M_cycles] - truth;
    json_object(json_key(j, "compare_full"));
    json_number(json_key(j, "error"), error / truth);
    json_bool(json_key(j, "within"), fabs(error) <= a->half_width * a->m.v[M_cycles]);
    write_flat("values", a->full.v, a->full.has, j);
    json_end(j);
}

static void write_kernels(const struct answer *a, struct json *j)
{
    if (a->n_kernels == 0) return;
    json_array(json_key(j, "kernels"));
    for (uint32_t i = 0; i < a->n_kernels; i++) {
        json_object(j);
        json_string(json_key(j, "name"), a->kernel[i].name);
        json_integer(json_key(j, "launch"), a->kernel[i].launch);
        write_metrics(&a->kernel[i].m, j);
        json_end(j);
    }
    json_end(j);
}

static void write_lists(const struct answer *a, struct json *j)
{
    json_array(json_key(j, "not_modelled"));
    for (uint32_t i = 0; i < a->x.n_not_modelled; i++)
        json_string(j, a->x.not_modelled[i]);
    json_end(j);
    if (a->x.n_not_modelled) {
        json_object(json_key(j, "not_modelled_reasons"));
        for (uint32_t i = 0; i < a->x.n_not_modelled; i++)
            json_string(json_key(j, a->x.not_modelled[i]), mechanism_reason(a->x.not_modelled[i]));
        json_end(j);
    }
    json_array(json_key(j, "warnings"));
    for (uint32_t i = 0; i < a->n_warnings; i++)
        json_string(j, a->warnings[i]);
    json_end(j);
}

/* The rate counts all of the program's instructions, however few of them were run. */
static void write_host(const struct answer *a, struct json *j)
{
    json_object(json_key(j, "host"));
    json_number(json_key(j, "seconds"), a->seconds);
    json_integer(json_key(j, "threads"), a->threads);
    if (a->m.has[M_warp_instructions] && a->seconds > 0)
        json_number(json_key(j, "warp_instructions_per_second"),
                    a->m.v[M_warp_instructions] / a->seconds);
    json_number(json_key(j, "peak_rss_mb"), a->peak_rss_mb);
    json_end(j);
}

/* Writes what identifies this run: the digests of its inputs, the seed and the overrides. */
static void write_origin(const struct answer *a, struct json *j)
{
    char hex[33];
    digest_hex(a->machine_digest, hex);
    json_string(json_key(j, "machine_digest"), hex);
    digest_hex(a->program_digest, hex);
    json_string(json_key(j, "program_digest"), hex);
    json_integer(json_key(j, "seed"), (int64_t)a->seed);
    json_array(json_key(j, "set"));
    for (uint32_t i = 0; i < a->n_sets; i++)
        json_string(j, a->set[i]);
    json_end(j);
}

void answer_json(const struct answer *a, struct json *j)
{
    json_object(j);
    json_string(json_key(j, "plumb"), PLUMB_VERSION);
    json_string(json_key(j, "engine"), engine_name[a->engine]);
    json_string(json_key(j, "machine"), a->machine);
    json_string(json_key(j, "program"), a->program);
    write_origin(a, j);
    if (a->profile) json_string(json_key(j, "profile"), a->profile);
    write_metrics(&a->m, j);
    write_stations(a, j);
    causes_json(&a->helps, j);
    difference_json(&a->difference, j);
    write_correction(&a->correction, j);
    write_confidence(a, j);
    write_full(a, j);
    write_kernels(a, j);
    write_sites(a->sites, j);
    write_lists(a, j);
    write_host(a, j);
    json_end(j);
}

/* answer_json.c - writes an answer as the JSON object that docs/metrics.schema.json specifies. */
#include "base/text/version.h"
#include "engine/answer_sites.h"
#include "engine/causes.h"
#include "engine/difference.h"
#include "engine/engine.h"

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
        json_key(j, part);
        json_object(j);
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
        json_key(j, open_path(&n, key, j));
        json_number(j, v);
    }
    close_to(&n, 0, j);
}

static void write_number(struct json *j, const char *key, double v)
{
    json_key(j, key);
    json_number(j, v);
}

static void write_text(struct json *j, const char *key, const char *s)
{
    json_key(j, key);
    json_string(j, s);
}

static void write_stations(const struct explanation *x, struct json *j)
{
    if (x->n == 0) return;
    json_key(j, "stations");
    json_array(j);
    for (uint32_t i = 0; i < x->n; i++) {
        const struct station *s = &x->station[i];
        json_object(j);
        write_text(j, "name", s->name);
        write_number(j, "utilization", s->utilization);
        write_number(j, "queue", s->queue);
        write_number(j, "latency", s->latency);
        write_number(j, "gain", s->gain);
        json_end(j);
    }
    json_end(j);
    if (x->bottleneck) write_text(j, "bottleneck", x->bottleneck);
}

static void write_half_widths(const struct answer *a, struct json *j)
{
    const char *key;
    json_key(j, "half_widths");
    json_object(j);
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        int id = metrics_by_path(key);
        if (id >= 0 && a->half_widths.has[id]) write_number(j, key, a->half_widths.v[id]);
    }
    json_end(j);
}

static void write_control(const struct answer_control *c, struct json *j)
{
    if (!c->name) return;
    json_key(j, "control");
    json_object(j);
    write_text(j, "variate", c->name);
    write_number(j, "variance_ratio", c->variance_ratio);
    json_key(j, "intervals");
    json_integer(j, c->intervals);
    json_key(j, "intervals_without");
    json_integer(j, c->intervals_without);
    json_end(j);
}

static void write_paired(const struct answer_paired *p, struct json *j)
{
    if (!p->known) return;
    json_key(j, "paired");
    json_object(j);
    write_number(j, "ratio", p->ratio);
    write_number(j, "half_width", p->half_width);
    write_number(j, "half_width_apart", p->apart);
    json_end(j);
}

static void write_parts(const struct answer_parts *p, struct json *j)
{
    if (!(p->placing > 0) && !(p->warming > 0)) return;
    json_key(j, "parts");
    json_object(j);
    write_number(j, "sampling", p->sampling);
    write_number(j, p->warming > 0 ? "warming" : "placing", fmax(p->placing, p->warming));
    if (p->drain > 0) write_number(j, "drain", p->drain);
    if (p->accesses > 0) write_number(j, "accesses", p->accesses);
    json_end(j);
}

static void write_confidence(const struct answer *a, struct json *j)
{
    if (!a->has_confidence) return;
    json_key(j, "confidence");
    json_object(j);
    write_number(j, "level", a->level);
    write_number(j, "half_width", a->half_width);
    if (a->partial) {
        json_key(j, "partial");
        json_bool(j, true);
    } else {
        write_parts(&a->parts, j);
    }
    if (a->intervals) {
        json_key(j, "intervals");
        json_integer(j, a->intervals);
        write_number(j, "simulated_share", a->simulated_share);
        write_number(j, "simulated_instructions", (double)a->simulated_instructions);
        write_number(j, "warmup_instructions", (double)a->warmup_instructions);
        write_control(&a->control, j);
        write_paired(&a->paired, j);
        write_half_widths(a, j);
    }
    json_end(j);
}

/* Writes the whole simulation's value of every metric that has a half width, with the half widths'
 * flat keys. */
static void write_full(const struct answer *a, struct json *j)
{
    const char *key;
    if (!a->full.has[M_cycles]) return;
    double truth = a->full.v[M_cycles], error = a->m.v[M_cycles] - truth;
    json_key(j, "compare_full");
    json_object(j);
    write_number(j, "error", error / truth);
    json_key(j, "within");
    json_bool(j, fabs(error) <= a->half_width * a->m.v[M_cycles]);
    json_key(j, "values");
    json_object(j);
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        int id = metrics_by_path(key);
        if (id >= 0 && a->full.has[id]) write_number(j, key, a->full.v[id]);
    }
    json_end(j);
    json_end(j);
}

static void write_kernels(const struct answer *a, struct json *j)
{
    if (a->n_kernels == 0) return;
    json_key(j, "kernels");
    json_array(j);
    for (uint32_t i = 0; i < a->n_kernels; i++) {
        json_object(j);
        write_text(j, "name", a->kernel[i].name);
        json_key(j, "launch");
        json_integer(j, a->kernel[i].launch);
        write_metrics(&a->kernel[i].m, j);
        json_end(j);
    }
    json_end(j);
}

static void write_lists(const struct answer *a, struct json *j)
{
    json_key(j, "not_modelled");
    json_array(j);
    for (uint32_t i = 0; i < a->x.n_not_modelled; i++)
        json_string(j, a->x.not_modelled[i]);
    json_end(j);
    json_key(j, "warnings");
    json_array(j);
    for (uint32_t i = 0; i < a->n_warnings; i++)
        json_string(j, a->warnings[i]);
    json_end(j);
}

/* The rate counts all of the program's instructions, however few of them were run. */
static void write_host(const struct answer *a, struct json *j)
{
    json_key(j, "host");
    json_object(j);
    write_number(j, "seconds", a->seconds);
    json_key(j, "threads");
    json_integer(j, a->threads);
    if (a->m.has[M_warp_instructions] && a->seconds > 0)
        write_number(j, "warp_instructions_per_second", a->m.v[M_warp_instructions] / a->seconds);
    write_number(j, "peak_rss_mb", a->peak_rss_mb);
    json_end(j);
}

/* Writes what identifies this run: the digests of its inputs, the seed and the overrides. */
static void write_origin(const struct answer *a, struct json *j)
{
    char hex[33];
    digest_hex(a->machine_digest, hex);
    write_text(j, "machine_digest", hex);
    digest_hex(a->program_digest, hex);
    write_text(j, "program_digest", hex);
    json_key(j, "seed");
    json_integer(j, (int64_t)a->seed);
    json_key(j, "set");
    json_array(j);
    for (uint32_t i = 0; i < a->n_sets; i++)
        json_string(j, a->set[i]);
    json_end(j);
}

void answer_json(const struct answer *a, struct json *j)
{
    json_object(j);
    write_text(j, "plumb", PLUMB_VERSION);
    write_text(j, "engine", engine_name[a->engine]);
    write_text(j, "machine", a->machine);
    write_text(j, "program", a->program);
    write_origin(a, j);
    write_metrics(&a->m, j);
    write_stations(&a->x, j);
    causes_json(&a->helps, j);
    difference_json(&a->difference, j);
    write_confidence(a, j);
    write_full(a, j);
    write_kernels(a, j);
    answer_sites_json(a->sites, j);
    write_lists(a, j);
    write_host(a, j);
    json_end(j);
}

/* residual_file.c - the residual as a group of a calibration's file: the axes, the programs'
 * digests, the covariance, and the points themselves. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/conf.h"
#include "base/text/quote.h"
#include "calibration/residual_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- writing --- */

static void write_axis(const struct residual_axis *a, struct outfile *f, const char *end)
{
    outfile_printf(f, "        { path = ");
    quote_conf_file(f, a->path);
    outfile_printf(f, "; ");
    if (a->number)
        outfile_printf(f, "lo = %.17g; hi = %.17g; zero = %s; }%s\n", a->lo, a->hi,
                       a->zero ? "true" : "false", end);
    if (a->number) return;
    outfile_printf(f, "values = [ ");
    for (uint32_t i = 0; i < a->values; i++) {
        outfile_printf(f, i ? ", " : "");
        quote_conf_file(f, a->value[i]);
    }
    outfile_printf(f, " ]; }%s\n", end);
}

static void write_kernel(const struct residual *r, struct outfile *f)
{
    const struct gp_kernel *k = &r->gp.kernel;
    const double *length = k->length;
    outfile_printf(f, "    kernel = (\n");
    for (uint32_t i = 0; i < k->terms; i++) {
        outfile_printf(f, "        { amplitude = %.17g; lengths = [", k->term[i].amplitude);
        for (uint32_t j = 0; j < gp_lengths(&k->term[i]); j++)
            outfile_printf(f, "%s %.17g", j ? "," : "", *length++);
        outfile_printf(f, " ]; }%s\n", i + 1 < k->terms ? "," : "");
    }
    outfile_printf(f, "    );\n    noise = %.17g;\n    stretch = %.17g;\n", k->noise, r->stretch);
}

static void write_programs(const struct residual *r, struct outfile *f)
{
    outfile_printf(
        f, "    /* middle, spread, own: of the logarithms of the estimates; own, own_error: "
           "on the machine itself */\n"
           "    programs = (\n");
    for (uint32_t i = 0; i < r->programs; i++) {
        const struct residual_program *p = &r->program[i];
        char hex[33];
        digest_hex(p->digest, hex);
        outfile_printf(f, "        { program = \"%s\"; middle = %.9g; spread = %.9g; load = %.9g; ",
                       hex, p->middle, p->spread, r->gp.kernel.load[i]);
        if (isfinite(p->own))
            outfile_printf(f, "own = %.9g; own_error = %.9g; ", p->own, p->own_error);
        if (p->worse_order) outfile_printf(f, "worse_order = true; ");
        outfile_printf(f, "use = \"%s\"; level = %.9g; level_sd = %.9g; }%s\n",
                       residual_use_name[p->use], p->level, p->level_sd,
                       i + 1 < r->programs ? "," : "");
    }
    outfile_printf(f, "    );\n");
}

static void write_points(const struct gp *g, struct outfile *f)
{
    outfile_printf(
        f, "    /* program, log(simulated / estimated), its standard deviation, columns */\n"
           "    points = (\n");
    for (uint32_t i = 0; i < g->n; i++) {
        outfile_printf(f, "        ( %d, %.9g, %.9g", (int)g->group[i], g->y[i], g->sd[i]);
        for (uint32_t k = 0; k < g->width; k++)
            outfile_printf(f, ", %.6g", g->x[(size_t)i * g->width + k]);
        outfile_printf(f, " )%s\n", i + 1 < g->n ? "," : "");
    }
    outfile_printf(f, "    );\n");
}

void residual_write(const struct residual *r, struct outfile *f)
{
    outfile_printf(f, "residual = {\n    axes = (\n");
    for (uint32_t i = 0; i < r->axes; i++)
        write_axis(&r->axis[i], f, i + 1 < r->axes ? "," : "");
    outfile_printf(f, "    );\n");
    write_programs(r, f);
    write_kernel(r, f);
    write_points(&r->gp, f);
    outfile_printf(f, "};\n");
}

/* --- reading --- */

static bool refuse_node(const struct conf_node *n, const char *what, struct error *e)
{
    return error_input(e, "%s:%u: %s is not as 'plumb calibrate' writes it", conf_file(n),
                       conf_line(n), what);
}

static bool real_of(const struct conf_node *group, const char *name, double lo, double hi,
                    double *v)
{
    const struct conf_node *n = conf_find(group, name);
    return n && conf_real(n, v) && *v >= lo && *v <= hi;
}

static bool read_choices(struct residual_axis *a, const struct conf_node *n)
{
    if (!n || conf_count(n) > RESIDUAL_VALUES_MAX) return false;
    for (a->values = 0; a->values < conf_count(n); a->values++) {
        const char *s = conf_text(conf_child(n, a->values));
        if (!s || strlen(s) >= RESIDUAL_TEXT) return false;
        snprintf(a->value[a->values], RESIDUAL_TEXT, "%s", s);
    }
    return true;
}

static bool read_axis(struct residual_axis *a, const struct conf_node *n)
{
    const struct conf_node *path = conf_find(n, "path"), *zero = conf_find(n, "zero");
    const char *s = path ? conf_text(path) : NULL;
    *a = (struct residual_axis){.number = zero != NULL};
    if (!s || strlen(s) >= RESIDUAL_TEXT) return false;
    snprintf(a->path, sizeof(a->path), "%s", s);
    if (!zero) return read_choices(a, conf_find(n, "values"));
    return conf_bool(zero, &a->zero) && real_of(n, "lo", 0, 1e18, &a->lo) &&
           real_of(n, "hi", a->lo, 1e18, &a->hi);
}

static bool read_axes(struct residual *r, const struct conf_node *root, struct error *e)
{
    const struct conf_node *n = conf_find(root, "axes");
    if (!n || conf_count(n) > RESIDUAL_AXES_MAX) return refuse_node(n ? n : root, "'axes'", e);
    for (r->axes = 0; r->axes < conf_count(n); r->axes++)
        if (!read_axis(&r->axis[r->axes], conf_child(n, r->axes)))
            return refuse_node(conf_child(n, r->axes), "this axis", e);
    return true;
}

static bool read_use(const struct conf_node *group, const char *name, enum residual_use *use)
{
    const struct conf_node *n = conf_find(group, name);
    const char *s = n ? conf_text(n) : NULL;
    uint32_t i = 0;
    while (s && i < RESIDUAL_USES && strcmp(s, residual_use_name[i]) != 0)
        i++;
    *use = (enum residual_use)i;
    return s && i < RESIDUAL_USES;
}

/* false where it is not there. */
static bool read_flag(const struct conf_node *group, const char *name)
{
    const struct conf_node *n = conf_find(group, name);
    bool v;
    return n && conf_bool(n, &v) && v;
}

static bool read_program(struct residual_program *p, double *load, const struct conf_node *n)
{
    const struct conf_node *digest = conf_find(n, "program");
    const char *s = digest ? conf_text(digest) : NULL;
    p->own = NAN;
    p->worse_order = read_flag(n, "worse_order");
    return s && digest_parse(&p->digest, s) && real_of(n, "middle", -1e3, 1e3, &p->middle) &&
           real_of(n, "spread", 0, 1e3, &p->spread) && real_of(n, "load", 0, 1e3, load) &&
           (!conf_find(n, "own") || (real_of(n, "own", -1e3, 1e3, &p->own) &&
                                     real_of(n, "own_error", -1e3, 1e3, &p->own_error))) &&
           read_use(n, "use", &p->use) && real_of(n, "level", -1e3, 1e3, &p->level) &&
           real_of(n, "level_sd", 0, 1e3, &p->level_sd);
}

static bool read_programs(struct residual *r, const struct conf_node *root, struct gp_kernel *k,
                          struct error *e)
{
    const struct conf_node *n = conf_find(root, "programs");
    uint32_t count = n ? conf_count(n) : 0;
    if (count == 0 || count > RESIDUAL_POINTS_MAX)
        return refuse_node(n ? n : root, "'programs'", e);
    r->program = mem_new(count, sizeof(*r->program));
    if (!r->program) return error_no_memory(e);
    for (; r->programs < count; r->programs++)
        if (!read_program(&r->program[r->programs], &k->load[r->programs],
                          conf_child(n, r->programs)))
            return refuse_node(conf_child(n, r->programs), "this program", e);
    return true;
}

static bool read_term(const struct gp_term *t, double *amplitude, double *length,
                      const struct conf_node *n)
{
    const struct conf_node *list = conf_find(n, "lengths");
    if (!list || conf_count(list) != gp_lengths(t)) return false;
    for (uint32_t i = 0; i < gp_lengths(t); i++)
        if (!conf_real(conf_child(list, i), &length[i]) || !(length[i] >= 1e-9 && length[i] <= 1e9))
            return false;
    return real_of(n, "amplitude", 0, 100, amplitude);
}

static bool read_kernel(struct residual *r, const struct conf_node *root, struct gp_kernel *k,
                        struct error *e)
{
    const struct conf_node *n = conf_find(root, "kernel");
    double *length = k->length;
    bool ok = n && conf_count(n) == k->terms && real_of(root, "noise", 1e-9, 100, &k->noise) &&
              real_of(root, "stretch", 1e-3, 1e3, &r->stretch);
    for (uint32_t i = 0; ok && i < k->terms; i++) {
        ok = read_term(&k->term[i], &k->term[i].amplitude, length, conf_child(n, i));
        length += gp_lengths(&k->term[i]);
    }
    return ok || refuse_node(n ? n : root, "'kernel', 'noise' or 'stretch'", e);
}

struct residual_rows {
    double *x, *y, *sd;
    int32_t *group;
};

static bool read_point(const struct conf_node *n, uint32_t programs, uint32_t width, uint32_t i,
                       struct residual_rows *v)
{
    int64_t group;
    if (conf_count(n) != width + 3 || !conf_int(conf_child(n, 0), &group) || group < 0 ||
        group >= programs || !conf_real(conf_child(n, 1), &v->y[i]) ||
        !conf_real(conf_child(n, 2), &v->sd[i]))
        return false;
    v->group[i] = (int32_t)group;
    for (uint32_t k = 0; k < width; k++) {
        double *x = &v->x[(size_t)i * width + k];
        if (!conf_real(conf_child(n, k + 3), x) || !isfinite(*x)) return false;
    }
    return isfinite(v->y[i]) && v->sd[i] >= 0 && v->sd[i] < 100;
}

static bool read_points(struct residual *r, const struct conf_node *root, const struct gp_kernel *k,
                        struct error *e)
{
    const struct conf_node *list = conf_find(root, "points");
    uint32_t n = list ? conf_count(list) : 0, width = residual_width(r);
    if (n == 0 || n > RESIDUAL_POINTS_MAX) return refuse_node(list ? list : root, "'points'", e);
    double *all = mem_new((size_t)n * (width + 2), sizeof(double));
    struct residual_rows v = {.group = mem_new(n, sizeof(int32_t))};
    bool ok = (all && v.group) || error_no_memory(e);
    v.x = all;
    v.y = all + (size_t)n * width;
    v.sd = v.y + n;
    for (uint32_t i = 0; ok && i < n; i++)
        ok = read_point(conf_child(list, i), r->programs, width, i, &v) ||
             refuse_node(conf_child(list, i), "this point", e);
    const struct gp_data d = {
        .n = n, .width = width, .x = v.x, .group = v.group, .y = v.y, .sd = v.sd};
    ok = ok && gp_fit(&r->gp, &d, k, false, e);
    mem_free(all);
    mem_free(v.group);
    return ok;
}

bool residual_read(struct residual *r, const struct conf_node *n, struct error *e)
{
    struct gp_kernel *k = mem_new(1, sizeof(*k));
    *r = (struct residual){0};
    bool ok = k ? read_axes(r, n, e) : error_no_memory(e);
    if (ok) residual_kernel(k, residual_columns(r));
    ok = ok && read_programs(r, n, k, e) && read_kernel(r, n, k, e) && read_points(r, n, k, e);
    mem_free(k);
    return ok;
}

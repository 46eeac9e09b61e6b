/* chart_draw.c - see chart_draw.h. */
#include "base/plot/chart_draw.h"

#ifdef PLUMB_CAIRO

#include "base/io/file.h"
#include "base/text/text.h"

#include <cairo-svg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PNG_SCALE = 2.5;

const double chart_colour[CHART_SERIES_MAX][3] = {
    {0, 0, 0},        {0, .447, .698}, {.835, .369, 0},    {0, .62, .451},
    {.8, .475, .655}, {.902, .624, 0}, {.337, .706, .914}, {.45, .45, .45}};

/* --- text and lines --- */

/* 2500, 25k, 1.5M: longer ones would run into the axis' label. */
void chart_number(double v, char out[32])
{
    static const char letter[] = "kMGT";
    int p = -1;
    for (; fabs(v) >= (p < 0 ? 1e4 : 1e3) && p < 3; p++)
        v /= 1e3;
    if (p < 0)
        snprintf(out, 32, "%.5g", fabs(v) < 1e-12 ? 0 : v);
    else
        snprintf(out, 32, "%.4g%c", v, letter[p]);
}

void chart_font(cairo_t *to)
{
    cairo_select_font_face(to, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(to, CHART_FONT);
}

double chart_text_width(cairo_t *to, const char *s)
{
    cairo_text_extents_t t;
    cairo_text_extents(to, s, &t);
    return t.x_advance;
}

/* at: 0 = begins at x, 0.5 = centred, 1 = ends there. */
void chart_text(cairo_t *to, const char *s, double x, double y, double at)
{
    cairo_move_to(to, x - at * chart_text_width(to, s), y);
    cairo_show_text(to, s);
}

void chart_text_up(cairo_t *to, const char *s, double x, double y)
{
    cairo_save(to);
    cairo_translate(to, x, y);
    cairo_rotate(to, -M_PI / 2);
    chart_text(to, s, 0, 0, 0.5);
    cairo_restore(to);
}

/* Cut at a whole character where it is longer than CHART_NAME_BYTES. */
void chart_short_name(const char *s, char out[CHART_NAME_BYTES])
{
    size_t n = strlen(s);
    if (n < CHART_NAME_BYTES) {
        memcpy(out, s, n + 1);
        return;
    }
    n = CHART_NAME_BYTES - 4;
    while (n && ((unsigned char)s[n] & 0xC0) == 0x80)
        n--;
    memcpy(out, s, n);
    memcpy(out + n, "...", 4);
}

void chart_fitting_name(cairo_t *to, const char *s, double width, char out[CHART_NAME_BYTES])
{
    chart_short_name(s, out);
    for (size_t n = strlen(out); n > 3 && chart_text_width(to, out) > width;) {
        size_t cut = n - 4;
        while (cut && ((unsigned char)out[cut] & 0xC0) == 0x80)
            cut--;
        memcpy(out + cut, "...", 4);
        n = cut + 3;
    }
}

void chart_grey(cairo_t *to, double v)
{
    cairo_set_source_rgb(to, v, v, v);
}

void chart_line(cairo_t *to, double x0, double y0, double x1, double y1)
{
    cairo_move_to(to, x0, y0);
    cairo_line_to(to, x1, y1);
    cairo_stroke(to);
}

/* --- files --- */

static cairo_status_t pass_on(void *ctx, const unsigned char *bytes, unsigned n)
{
    text_add_bytes(ctx, (const char *)bytes, n);
    return CAIRO_STATUS_SUCCESS;
}

/* cairo numbers surfaces over a whole process; the same chart shall give the same bytes. */
static void write_without_number(struct outfile *f, const struct text *t)
{
    static const char id[] = "id=\"surface";
    const char *all = text_str(t), *at = strstr(all, id);
    if (at) {
        outfile_write(f, all, (size_t)(at - all) + strlen(id));
        at += strlen(id);
        at += strspn(at, "0123456789");
    }
    if (!at) at = all;
    outfile_write(f, at, t->len - (size_t)(at - all));
}

static cairo_surface_t *surface_for(enum chart_format format, double width, double height,
                                    struct text *t)
{
    switch (format) {
    case CHART_SVG: return cairo_svg_surface_create_for_stream(pass_on, t, width, height);
    case CHART_PNG: break;
    }
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(width * PNG_SCALE),
                                      (int)(height * PNG_SCALE));
}

/* The file's bytes into *t. */
static cairo_status_t render(const struct picture *p, enum chart_format format, struct text *t)
{
    cairo_surface_t *surface = surface_for(format, p->width, p->height, t);
    cairo_t *to = cairo_create(surface);
    if (format == CHART_PNG) cairo_scale(to, PNG_SCALE, PNG_SCALE);
    chart_font(to);
    chart_grey(to, 1);
    cairo_paint(to);
    p->draw(to, p->ctx);
    cairo_status_t status = cairo_status(to);
    cairo_destroy(to);
    if (status == CAIRO_STATUS_SUCCESS && format == CHART_PNG)
        status = cairo_surface_write_to_png_stream(surface, pass_on, t);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return t->failed ? CAIRO_STATUS_NO_MEMORY : status;
}

bool chart_file(const struct picture *p, enum chart_format format, const char *path,
                struct error *e)
{
    struct text t = {0};
    cairo_status_t status = render(p, format, &t);
    struct outfile *f = status == CAIRO_STATUS_SUCCESS ? outfile_open(path, e) : NULL;
    if (f && format == CHART_SVG) write_without_number(f, &t);
    if (f && format == CHART_PNG) outfile_write(f, t.s, t.len);
    text_fini(&t);
    if (f) return outfile_commit(f, e);
    if (status == CAIRO_STATUS_SUCCESS) return false;
    return error_run(e, "%s: drawing failed: %s", path, cairo_status_to_string(status));
}

void chart_measure(void (*measure)(cairo_t *to, void *ctx), void *ctx)
{
    cairo_surface_t *none = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, NULL);
    cairo_t *to = cairo_create(none);
    chart_font(to);
    measure(to, ctx);
    cairo_destroy(to);
    cairo_surface_destroy(none);
}

#else

bool chart_no_cairo(const char *path, struct error *e)
{
    return error_input(e,
                       "%s: this plumb was built without cairo, which draws charts; install"
                       " libcairo2-dev and build it again",
                       path);
}

#endif

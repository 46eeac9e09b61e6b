/* wp.c - weather: columns of the atmosphere with clouds, rain and snow, a work-item each.
 *
 * Usage: wp [COLUMNS [LEVELS [STEPS]]]      2048, 12, 2 if not given
 * A column's levels are mixed implicitly (a tridiagonal system each) and rain and snow fall
 * implicitly.  Compared with the same on the host in double precision: temperature, five kinds of
 * water, and what fell. */
#include "common/program.h"

#include <math.h>

enum { WORD = sizeof(float), COLUMNS = 64, LEVELS = 64, TABLE = 180, COLDEST = 170 };
enum { T, QV, QC, QI, QR, QS, CHANGING, P = CHANGING, DEN, DZ, MIX, WIND, ARRAYS };

static const double dt = 20, melts = 273.15, vapour = 2.49, fusion = 0.33;

struct air {
    cl_uint columns, levels, steps;
    size_t cells;
    float *of[ARRAYS]; /* a level after the other */
    float *table;      /* vapour pressures over water, then over ice, by K from COLDEST on */
};

/* One column of the host's. */
struct column {
    double v[ARRAYS][LEVELS], above[LEVELS], ground;
};

/* --- data --- */

static void fill_table(struct program *p, struct air *a)
{
    a->table = program_array(p, 2 * TABLE, WORD);
    for (int k = 0; k < TABLE; k++) {
        double t = COLDEST + k;
        a->table[k] = (float)(610.8 * exp(17.27 * (t - melts) / (t - 35.86)));
        a->table[TABLE + k] = (float)(610.8 * exp(21.87 * (t - melts) / (t - 7.66)));
    }
}

/* Air that rises here and sinks there, nearly saturated below, colder by 6.5 K per km. */
static void fill_level(struct air *a, cl_uint k, double height, double deep)
{
    for (size_t i = (size_t)k * a->columns; i < (size_t)(k + 1) * a->columns; i++) {
        double t = 300 - 0.0065 * height + 2 * a->of[T][i], p = 1e5 * exp(-height / 8000);
        double full = 380000 / p * exp(17.27 * (t - melts) / (t - 35.86)), den = p / (287 * t);
        a->of[T][i] = (float)t;
        a->of[P][i] = (float)p;
        a->of[DEN][i] = (float)den;
        a->of[DZ][i] = (float)deep;
        a->of[MIX][i] = k + 1 < a->levels ? (float)(den * a->of[MIX][i] / deep) : 0;
        a->of[QV][i] *= (float)full;
        if (t > melts) a->of[QI][i] = a->of[QS][i] = 0;
    }
}

static void fill(struct program *p, struct air *a)
{
    static const float
        low[ARRAYS] = {[QV] = 0.7F, [WIND] = -2},
        high[ARRAYS] = {
            [T] = 1, [QV] = 1.1F, [QC] = 2, [QI] = 1, [QR] = 1, [QS] = 1, [MIX] = 400, [WIND] = 4};
    double height = 0;
    for (cl_uint i = 0; i < ARRAYS; i++)
        a->of[i] = program_floats(p, a->cells, i + 1, low[i], high[i]);
    fill_table(p, a);
    for (cl_uint k = 0; k < a->levels; k++) {
        double deep = 12000.0 / a->levels;
        fill_level(a, k, height + deep / 2, deep);
        height += deep;
    }
}

/* --- the host's own --- */

static double within(double low, double x, double high)
{
    return fmin(fmax(x, low), high);
}

static double saturation(const float *table, double at, double p)
{
    int i = (int)at;
    double e = table[i] + (at - i) * ((double)table[i + 1] - table[i]);
    return 622 * e / (p - 0.378 * e);
}

/* Moves `x`, at most all of it, from one kind to another and returns how much. */
static double moved(double *from, double *to, double x)
{
    x = fmin(x, *from);
    *from -= x;
    *to += x;
    return x;
}

static void clouds(struct column *m, int k, double water, double ice)
{
    double *t = &m->v[T][k], *c = &m->v[QC][k], *i = &m->v[QI][k];
    double liquid = within(0, (*t - 253.15) * 0.05, 1), full = ice + liquid * (water - ice);
    double gain = fmax((m->v[QV][k] - full) / (1 + 14 * vapour * full / *t), -(*c + *i));
    if (gain < 0) liquid = *c / (*c + *i + 1e-6);
    m->v[QV][k] -= gain;
    *c = fmax(*c + liquid * gain, 0);
    *i = fmax(*i + (1 - liquid) * gain, 0);
    *t += vapour * gain + fusion * (1 - liquid) * gain;
}

static void growth(struct column *m, int k)
{
    double *t = &m->v[T][k], *c = &m->v[QC][k], *i = &m->v[QI][k], *r = &m->v[QR][k],
           *s = &m->v[QS][k];
    moved(c, r, dt * (0.001 * fmax(*c - 0.5, 0) + 0.0022 * *c * pow(*r + 1e-4, 0.875)));
    moved(i, s, dt * 0.001 * exp(0.025 * fmin(*t - melts, 0)) * fmax(*i - 0.6, 0));
    if (*t > melts) {
        *t -= fusion * moved(s, r, dt * 0.004 * (*t - melts) * *s);
        return;
    }
    double cold = fmin((melts - *t) * 0.1, 1), freezes = dt * 0.002 * cold * *r;
    *t += fusion * moved(c, s, dt * 0.001 * cold * *c * *s);
    *t += fusion * moved(r, s, freezes);
}

static void drying(struct column *m, int k, double water, double ice)
{
    double *v = &m->v[QV][k], root = sqrt(m->v[DEN][k]), wet = fmax(water - *v, 0),
           icy = fmax(ice - *v, 0);
    double dried = moved(&m->v[QR][k], v, dt * 0.0005 * wet * root * m->v[QR][k]);
    double gone = moved(&m->v[QS][k], v, dt * 0.0003 * icy * root * m->v[QS][k]);
    m->v[T][k] -= vapour * (dried + gone) + fusion * gone;
}

static void physics(struct column *m, const struct air *a, int k)
{
    m->v[T][k] -= 0.0098 * dt * m->v[WIND][k];
    double place = within(0, m->v[T][k] - COLDEST, TABLE - 2);
    double water = saturation(a->table, place, m->v[P][k]);
    double ice = saturation(a->table + TABLE, place, m->v[P][k]);
    clouds(m, k, water, ice);
    growth(m, k);
    drying(m, k, water, ice);
}

/* Thomas's algorithm; the matrix is that of all four quantities. */
static void mixing(struct column *m, int levels)
{
    double share = 0;
    for (int k = 0; k < levels; k++) {
        double rate = dt / (m->v[DEN][k] * m->v[DZ][k]), up = rate * m->v[MIX][k];
        double down = k ? rate * m->v[MIX][k - 1] : 0, over = 1 / (1 + up + down - down * share);
        m->above[k] = share = up * over;
        for (int q = T; q <= QI; q++)
            m->v[q][k] = (m->v[q][k] + (k ? down * m->v[q][k - 1] : 0)) * over;
    }
    for (int q = T; q <= QI; q++)
        for (int k = levels - 1; k-- > 0;)
            m->v[q][k] += m->above[k] * m->v[q][k + 1];
}

static double falling(struct column *m, int q, int levels, double speed)
{
    double flux = 0;
    for (int k = levels; k-- > 0;) {
        double den = m->v[DEN][k], mass = den * m->v[DZ][k], *x = &m->v[q][k];
        double rate = den * speed * pow(den * *x + 1e-6, 0.125);
        *x = (*x * mass + dt * flux) / (mass + dt * rate);
        flux = rate * *x;
    }
    return 0.001 * dt * flux;
}

static void simulate(struct column *m, const struct air *a)
{
    int levels = (int)a->levels;
    for (cl_uint step = 0; step < a->steps; step++) {
        for (int k = 0; k < levels; k++)
            physics(m, a, k);
        mixing(m, levels);
        m->ground += falling(m, QR, levels, 8);
        m->ground += falling(m, QS, levels, 2);
    }
}

/* Replaces what the arrays hold in the beginning by what they should in the end. */
static void reference(struct air *a, float *ground)
{
    for (size_t x = 0; x < a->columns; x++) {
        struct column m = {0};
        for (int q = 0; q < ARRAYS; q++)
            for (cl_uint k = 0; k < a->levels; k++)
                m.v[q][k] = a->of[q][k * a->columns + x];
        simulate(&m, a);
        for (int q = 0; q < CHANGING; q++)
            for (cl_uint k = 0; k < a->levels; k++)
                a->of[q][k * a->columns + x] = (float)m.v[q][k];
        ground[x] = (float)m.ground;
    }
}

/* --- the device's --- */

static void run(struct program *p, const struct air *a, const float *got[CHANGING],
                const float **fell)
{
    size_t bytes = a->cells * WORD, row = a->columns * WORD;
    cl_mem b[ARRAYS], table = program_buffer(p, 2 * TABLE * WORD, a->table);
    for (int i = 0; i < ARRAYS; i++)
        b[i] = program_buffer(p, bytes, a->of[i]);
    cl_mem ground = program_buffer(p, row, program_array(p, a->columns, WORD));
    cl_kernel step =
        program_kernel(p, "wp_step", "bbbbbbbbbbbbbuf", b[T], b[QV], b[QC], b[QI], b[QR], b[QS],
                       b[P], b[DEN], b[DZ], b[MIX], b[WIND], table, ground, a->levels, dt);
    for (cl_uint i = 0; i < a->steps; i++)
        host_launch(&p->host, step, a->columns, COLUMNS);
    for (int i = 0; i < CHANGING; i++)
        got[i] = program_read(p, b[i], bytes);
    *fell = program_read(p, ground, row);
}

int main(int argc, char **argv)
{
    struct program p;
    struct air a;
    const float *got[CHANGING], *fell;
    program_open(&p, "wp",
                 "wp [COLUMNS [LEVELS [STEPS <= 20]]], COLUMNS a multiple of 64 up to 1048576, "
                 "LEVELS from 2 to 64",
                 argc, argv);
    a.columns = program_step(&p, 2048, COLUMNS, 1 << 20, COLUMNS);
    a.levels = program_number(&p, 12, 2, LEVELS);
    a.steps = program_number(&p, 2, 1, 20);
    program_start(&p);
    a.cells = (size_t)a.columns * a.levels;
    fill(&p, &a);
    run(&p, &a, got, &fell);
    float *ground = program_array(&p, a.columns, WORD);
    reference(&a, ground);
    double near = 5e-5 * (1 + a.steps); /* a step's roundings grow in the next */
    size_t wrong = data_wrong_floats(fell, ground, a.columns, near);
    for (int i = 0; i < CHANGING; i++)
        wrong += data_wrong_floats(got[i], a.of[i], a.cells, near);
    return program_end(&p, wrong, "%u columns of %u levels, %u steps", a.columns, a.levels,
                       a.steps);
}

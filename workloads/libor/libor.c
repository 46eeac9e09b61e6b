/* libor.c - swaptions by Monte Carlo in the LIBOR market model, with what their value owes to each
 * of 40 rates, a path per work-item.
 *
 * Usage: libor [PATHS]      256 if not given
 * 3.7 KB of private arrays per path.  The host follows each path in double precision together with
 * a small change of all rates: its effect must be the sum of the device's derivatives. */
#include "common/program.h"

#include <math.h>

enum { WORD = sizeof(float), RATES = 40, STEPS = 20, EVERY = 4, STRIKES = 3 };

static const double span = 0.25;

struct dual { /* a value and how it changes */
    double x, d;
};

static struct dual product(struct dual a, struct dual b)
{
    return (struct dual){a.x * b.x, a.x * b.d + a.d * b.x};
}

/* 1 / (1 + span r) */
static struct dual discounted(struct dual r)
{
    double f = 1 / (1 + span * r.x);
    return (struct dual){f, -span * r.d * f * f};
}

static void follow(struct dual r[RATES], const float *normal, size_t paths, const float *volatility)
{
    for (size_t n = 0; n < STEPS; n++) {
        struct dual drift = {0, 0};
        for (size_t i = n + 1; i < RATES; i++) {
            double v = volatility[i - n - 1];
            struct dual part = product(r[i], discounted(r[i]));
            drift.x += span * v * part.x, drift.d += span * v * part.d;
            double shock = sqrt(span) * normal[n * paths] - 0.5 * span * v;
            double growth = exp(v * (drift.x + shock));
            r[i] = product(r[i], (struct dual){growth, growth * v * drift.d});
        }
    }
}

/* `near` is set where a payment is so small that rounding decides whether it is made. */
static struct dual portfolio(const struct dual r[RATES], bool *near)
{
    struct dual discount = {1, 0}, bond = {1, 0}, annuity = {0, 0}, paid = {0, 0};
    for (size_t i = 0; i < STEPS; i++)
        discount = product(discount, discounted(r[i]));
    for (size_t i = STEPS; i < RATES; i++) {
        bond = product(bond, discounted(r[i]));
        annuity.x += span * bond.x, annuity.d += span * bond.d;
        for (int k = 0; k < STRIKES && (i - STEPS) % EVERY == EVERY - 1; k++) {
            double strike = 0.045 + 0.005 * k, pays = 1 - bond.x - strike * annuity.x;
            *near |= fabs(pays) < 1e-5;
            if (pays <= 0) continue;
            paid.x += 100 * pays;
            paid.d -= 100 * (bond.d + strike * annuity.d);
        }
    }
    return product(discount, paid);
}

static double change(size_t i)
{
    return 1 + 0.3 * sin((double)i);
}

static size_t path_wrong(const float *normal, const float *volatility, float value,
                         const float *owed, size_t paths)
{
    struct dual r[RATES];
    bool near = false;
    double effect = 0;
    for (size_t i = 0; i < RATES; i++) {
        r[i] = (struct dual){0.04 + 0.0005 * (double)i, change(i)};
        effect += change(i) * owed[i * paths];
    }
    follow(r, normal, paths, volatility);
    struct dual want = portfolio(r, &near);
    bool right = fabs(value - want.x) <= 1e-4 * (1 + want.x) &&
                 (near || fabs(effect - want.d) <= 1e-4 * (1 + fabs(want.d)));
    return !right;
}

/* Normally distributed, by Box and Muller. */
static float *normals(struct program *p, size_t n)
{
    struct data_random r = {37};
    float *z = program_array(p, n, WORD);
    for (size_t i = 0; i < n; i++) {
        double size = sqrt(-2 * log(1 - (double)data_uniform(&r)));
        z[i] = (float)(size * cos(6.283185307179586 * data_uniform(&r)));
    }
    return z;
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "libor", "libor [PATHS], a multiple of 64, up to 2^20", argc, argv);
    cl_uint paths = program_step(&p, 256, 64, 1 << 20, 64);
    program_start(&p);
    size_t bytes = paths * (size_t)WORD, wrong = 0;
    const float *normal = normals(&p, (size_t)STEPS * paths);
    const float *volatility = program_floats(&p, RATES, 41, 0.1f, 0.3f);
    cl_mem z = program_buffer(&p, STEPS * bytes, normal);
    cl_mem v = program_buffer(&p, RATES * WORD, volatility);
    cl_mem value = program_buffer(&p, bytes, NULL), owed = program_buffer(&p, RATES * bytes, NULL);
    host_launch(&p.host, program_kernel(&p, "libor_path", "bbbb", z, v, value, owed), paths, 64);
    const float *got = program_read(&p, value, bytes);
    const float *adjoint = program_read(&p, owed, RATES * bytes);
    for (size_t i = 0; i < paths; i++)
        wrong += path_wrong(normal + i, volatility, got[i], adjoint + i, paths);
    return program_end(&p, wrong, "%u paths", paths);
}

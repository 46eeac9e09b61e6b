/* eigenvalue.c - all eigenvalues of a random symmetric tridiagonal matrix of N rows, by bisection
 * of intervals, two launches per round.
 *
 * Usage: eigenvalue [N]     N a multiple of 64
 * Each is compared with bisection for its index in double precision. */
#include "common/data.h"

#include <math.h>
#include <stdlib.h>

enum { GROUP = 64, ROUNDS = 100 };
static const float NARROW = 1e-4f;

struct matrix {
    float *diagonal, *side;
    size_t n;
};

struct interval {
    float low, high;
};

static size_t below(const struct matrix *m, double x)
{
    double pivot = (double)m->diagonal[0] - x;
    size_t count = pivot < 0;
    for (size_t i = 1; i < m->n; i++) {
        double e = (double)m->side[i - 1];
        if (fabs(pivot) < 1e-200) pivot = -1e-200;
        pivot = (double)m->diagonal[i] - x - e * e / pivot;
        count += pivot < 0;
    }
    return count;
}

static double eigenvalue(const struct matrix *m, size_t index, struct interval bounds)
{
    double low = (double)bounds.low, high = (double)bounds.high;
    while (high - low > 1e-9) {
        double middle = (low + high) / 2;
        if (below(m, middle) > index)
            high = middle;
        else
            low = middle;
    }
    return (low + high) / 2;
}

/* Gershgorin's discs, and a little room. */
static struct interval bounds_of(const struct matrix *m)
{
    struct interval b = {HUGE_VALF, -HUGE_VALF};
    for (size_t i = 0; i < m->n; i++) {
        float r = (i ? fabsf(m->side[i - 1]) : 0) + (i + 1 < m->n ? fabsf(m->side[i]) : 0);
        b.low = fminf(b.low, m->diagonal[i] - r - 0.01f);
        b.high = fmaxf(b.high, m->diagonal[i] + r + 0.01f);
    }
    return b;
}

/* Writes the middles of the intervals, each as often as it holds eigenvalues; false: some that
 * holds any is still wide. */
static bool take(const struct interval *v, const uint32_t *inside, size_t n, float *out)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (inside[i] && v[i].high - v[i].low > NARROW) return false;
        for (uint32_t c = 0; c < inside[i] && k < n; c++)
            out[k++] = (v[i].low + v[i].high) / 2;
    }
    return k == n;
}

/* The intervals are in buffer 0, what they hold in 1, the next ones in 2; the matrix in 3 and 4. */
static bool round_of(const struct host *h, const cl_kernel kernel[2], cl_mem buffer[5], size_t n,
                     float *out)
{
    host_buffers(kernel[0], 4, (cl_mem[]){buffer[0], buffer[1], buffer[3], buffer[4]});
    host_word(kernel[0], 4, (uint32_t)n);
    host_launch(h, kernel[0], n, GROUP);
    struct interval *v = host_fetch(h, buffer[0], n * sizeof *v);
    uint32_t *inside = host_fetch(h, buffer[1], n * sizeof *inside);
    bool done = take(v, inside, n, out);
    free(v);
    free(inside);
    if (done) return true;
    host_buffers(kernel[1], 5, buffer);
    host_word(kernel[1], 5, (uint32_t)n);
    host_launch(h, kernel[1], n, GROUP);
    cl_mem next = buffer[2];
    buffer[2] = buffer[0];
    buffer[0] = next;
    return false;
}

/* All in the first interval; the others are empty. */
static struct interval *first_intervals(struct interval bounds, size_t n)
{
    struct interval *v = data_new(n, sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = (struct interval){i ? bounds.high : bounds.low, bounds.high};
    return v;
}

static float *run(const struct matrix *m, struct interval bounds)
{
    struct host h = host_open("eigenvalue/eigenvalue.cl");
    size_t n = m->n, word = sizeof(float);
    struct interval *v = first_intervals(bounds, n);
    cl_mem buffer[] = {host_buffer(&h, n * sizeof *v, v), host_buffer(&h, n * word, NULL),
                       host_buffer(&h, n * sizeof *v, NULL), host_buffer(&h, n * word, m->diagonal),
                       host_buffer(&h, n * word, m->side)};
    cl_kernel kernel[] = {host_kernel(&h, "count_inside"), host_kernel(&h, "narrow")};
    float *out = data_new(n, word);
    int rounds = 0;
    while (rounds < ROUNDS && !round_of(&h, kernel, buffer, n, out))
        rounds++;
    if (rounds == ROUNDS) host_fail("the intervals do not become narrow");
    free(v);
    clReleaseKernel(kernel[0]);
    clReleaseKernel(kernel[1]);
    host_release(5, buffer);
    host_close(&h);
    return out;
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a multiple of 64", 128, GROUP, 4096, GROUP}};
    data_args(argc, argv, arg, 1);
    size_t n = arg[0].value, wrong = 0;
    struct matrix m = {data_floats(n, 1), data_floats(n, 2), n};
    struct interval bounds = bounds_of(&m);
    float *out = run(&m, bounds);
    for (size_t i = 0; i < n; i++)
        wrong += !(fabs((double)out[i] - eigenvalue(&m, i, bounds)) < 2 * (double)NARROW);
    free(m.diagonal);
    free(m.side);
    free(out);
    return data_verdict("eigenvalue", n, "eigenvalues", wrong);
}

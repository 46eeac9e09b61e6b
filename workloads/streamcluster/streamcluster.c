/* streamcluster.c - clustering of a stream by local search (facility location): for one candidate
 * after the other the device computes what a centre there would gain; the host opens it when that
 * pays, closes centres that no longer do, and moves the points.
 *
 * Usage: streamcluster [POINTS [DIMENSIONS [CANDIDATES]]]      4096, 16, 8 if not given
 * Every gain is compared with the host's in double precision. */
#include "common/program.h"

#include <math.h>
#include <string.h>

enum { WORD = sizeof(float), BLOBS = 6 };

struct search {
    cl_uint n, dimensions, centres;
    double price; /* of a centre */
    float *coordinate, *weight, *cost;
    cl_uint *centre_of; /* the point that is a point's centre */
    cl_uint *column_of; /* of a centre: its column in the rows of savings */
    size_t switched, wrong;
};

struct device {
    cl_kernel gain;
    cl_mem cost, centre_of, column_of, saving, switches;
};

static float distance(const struct search *s, size_t a, size_t b)
{
    float sum = 0;
    for (size_t d = 0; d < s->dimensions; d++) {
        float x = s->coordinate[d * s->n + a] - s->coordinate[d * s->n + b];
        sum += x * x;
    }
    return sum;
}

/* Points around a few middles, all with the first as their centre. */
static void set_up(struct program *p, struct search *s)
{
    struct data_random r = {9};
    s->coordinate = program_array(p, (size_t)s->n * s->dimensions, WORD);
    for (size_t d = 0; d < s->dimensions; d++) {
        float middle[BLOBS];
        for (int b = 0; b < BLOBS; b++)
            middle[b] = data_uniform(&r);
        for (size_t i = 0; i < s->n; i++)
            s->coordinate[d * s->n + i] = middle[i % BLOBS] + 0.2f * data_uniform(&r);
    }
    s->weight = program_floats(p, s->n, 4, 0.5f, 1.5f);
    s->cost = program_array(p, s->n, WORD);
    s->centre_of = program_array(p, s->n, WORD);
    s->column_of = program_array(p, s->n, WORD);
    s->centres = 1;
    for (size_t i = 0; i < s->n; i++) {
        s->cost[i] = distance(s, i, 0) * s->weight[i];
        s->price += s->cost[i];
    }
    s->price /= 2 * BLOBS;
}

static void open_device(struct program *p, const struct search *s, struct device *d,
                        cl_uint candidates)
{
    size_t bytes = s->n * (size_t)WORD;
    cl_mem coordinate = program_buffer(p, bytes * s->dimensions, s->coordinate);
    cl_mem weight = program_buffer(p, bytes, s->weight);
    d->cost = program_buffer(p, bytes, NULL);
    d->centre_of = program_buffer(p, bytes, NULL);
    d->column_of = program_buffer(p, bytes, NULL);
    d->saving = program_buffer(p, bytes * (candidates + 1), NULL);
    d->switches = program_buffer(p, bytes, NULL);
    d->gain = program_kernel(p, "streamcluster_gain", "bbbbbbb", coordinate, weight, d->cost,
                             d->centre_of, d->column_of, d->saving, d->switches);
    host_arg(d->gain, 7, s->dimensions * (size_t)WORD, NULL);
    program_set_uint(d->gain, 8, s->n);
    program_set_uint(d->gain, 9, s->dimensions);
}

/* The same on the host: sums per column.  Points that lie as near to either, up to rounding, may
 * go to either. */
static void compare(struct search *s, cl_uint candidate, const double *sum, const cl_uint *switches,
                    double *want)
{
    memset(want, 0, (s->centres + 1) * sizeof *want);
    for (size_t i = 0; i < s->n; i++) {
        float change = distance(s, i, candidate) * s->weight[i] - s->cost[i];
        want[change < 0 ? s->centres : s->column_of[s->centre_of[i]]] += change;
        s->switched += switches[i];
        s->wrong += switches[i] != (change < 0) && fabsf(change) > 1e-5f;
    }
    for (cl_uint c = 0; c <= s->centres; c++)
        s->wrong += !(fabs(sum[c] - want[c]) <= 1e-4 * (1 + fabs(want[c])));
}

static void columns(const struct search *s, const float *saving, double *sum)
{
    memset(sum, 0, (s->centres + 1) * sizeof *sum);
    for (size_t i = 0; i < s->n; i++)
        for (size_t c = 0; c <= s->centres; c++)
            sum[c] += saving[i * (s->centres + 1) + c];
}

static void move(struct search *s, cl_uint candidate, const bool *closes, const cl_uint *switches)
{
    cl_uint next = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!switches[i] && !closes[s->column_of[s->centre_of[i]]]) continue;
        s->centre_of[i] = candidate;
        s->cost[i] = distance(s, i, candidate) * s->weight[i];
    }
    s->centre_of[candidate] = candidate;
    s->cost[candidate] = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->centre_of[i] == i) s->column_of[i] = next++;
    s->centres = next;
}

/* Opens the candidate if that pays; closing centre c saves its price less sum[c]. */
static void decide(struct program *p, struct search *s, cl_uint candidate, const double *sum,
                   const cl_uint *switches)
{
    bool *closes = program_array(p, s->centres, sizeof *closes);
    double gain = -sum[s->centres] - s->price;
    for (cl_uint c = 0; c < s->centres; c++) {
        closes[c] = sum[c] < s->price;
        if (closes[c]) gain += s->price - sum[c];
    }
    if (gain > 0) move(s, candidate, closes, switches);
}

static void try_out(struct program *p, struct search *s, const struct device *d, cl_uint candidate)
{
    size_t bytes = s->n * (size_t)WORD, rows = bytes * (s->centres + 1);
    const void *zero = program_array(p, rows, 1);
    double *sum = program_array(p, 2 * (size_t)(s->centres + 1), sizeof *sum);
    program_write(p, d->cost, s->cost, bytes);
    program_write(p, d->centre_of, s->centre_of, bytes);
    program_write(p, d->column_of, s->column_of, bytes);
    program_write(p, d->saving, zero, rows);
    program_write(p, d->switches, zero, bytes);
    program_set_uint(d->gain, 10, s->centres);
    program_set_uint(d->gain, 11, candidate);
    program_launch(p, d->gain, s->n);
    const cl_uint *switches = program_read(p, d->switches, bytes);
    columns(s, program_read(p, d->saving, rows), sum);
    compare(s, candidate, sum, switches, sum + s->centres + 1);
    decide(p, s, candidate, sum, switches);
}

int main(int argc, char **argv)
{
    struct program p;
    struct device d;
    struct search s = {0};
    program_open(&p, "streamcluster",
                 "streamcluster [POINTS [DIMENSIONS [CANDIDATES <= 32]]], DIMENSIONS up to 256",
                 argc, argv);
    s.n = program_number(&p, 4096, BLOBS, 1 << 22);
    s.dimensions = program_number(&p, 16, 1, 256);
    cl_uint candidates = program_number(&p, 8, 1, 32);
    program_start(&p);
    set_up(&p, &s);
    open_device(&p, &s, &d, candidates);
    struct data_random r = {11};
    for (cl_uint i = 0; i < candidates; i++)
        try_out(&p, &s, &d, 1 + data_next(&r) % (s.n - 1));
    return program_end(&p, s.wrong, "%u points, %zu switched, %u centres", s.n, s.switched,
                       s.centres);
}

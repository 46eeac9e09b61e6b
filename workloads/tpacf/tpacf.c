/* tpacf.c - angular correlation of points on the sphere: histograms of the angles between all
 * pairs of a set of galaxies, of it and random sets, and of each of those.
 *
 * Usage: tpacf [POINTS [RANDOM]]      320 points per set, 2 random sets if not given
 * 2 RANDOM + 1 CTAs.  Every histogram is compared with a linear search in double precision; pairs
 * within rounding of a bin's end may be on either side. */
#include "common/program.h"

#include <math.h>

enum { WORD = sizeof(float), GROUP = 256, BINS = 32 };

struct sky {
    cl_uint n, sets;
    float *at[3];
    float bound[BINS];
};

/* Random ones anywhere, galaxies (set 0) around some of themselves. */
static void put_points(struct program *p, struct sky *s)
{
    struct data_random r = {43};
    size_t points = (size_t)s->n * s->sets;
    for (int k = 0; k < 3; k++)
        s->at[k] = program_array(p, points, WORD);
    for (size_t i = 0; i < points; i++) {
        bool follows = i < s->n && i % 8 != 0;
        double height = 2 * data_uniform(&r) - 1, turn = 6.283185307179586 * data_uniform(&r);
        double flat = sqrt(1 - height * height), length = 0;
        double at[3] = {flat * cos(turn), flat * sin(turn), height};
        for (int k = 0; k < 3; k++) {
            if (follows) at[k] = s->at[k][i - i % 8] + 0.05 * at[k];
            length += at[k] * at[k];
        }
        for (int k = 0; k < 3; k++)
            s->at[k][i] = (float)(at[k] / sqrt(length));
    }
}

/* Bins grow by a factor from 0.5 degrees to 180. */
static void put_bounds(struct sky *s)
{
    for (int k = 0; k < BINS; k++)
        s->bound[k] = (float)cos(3.141592653589793 * pow(360, (k + 1.0) / BINS - 1));
}

static double cosine(const struct sky *s, size_t a, size_t b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (double)s->at[k][a] * s->at[k][b];
    return sum;
}

/* Adds a set's pairs with another (or, each once, with itself); `unsure[k]` counts those near
 * bound[k]. */
static void count_pairs(const struct sky *s, size_t a, size_t b, double *want, double *unsure)
{
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j < (a == b ? i : s->n); j++) {
            double c = cosine(s, a * s->n + i, b * s->n + j);
            int bin = 0;
            while (bin < BINS - 1 && c < s->bound[bin])
                bin++;
            want[bin]++;
            for (int k = 0; k < BINS; k++)
                unsure[k] += fabs(c - s->bound[k]) < 2e-7;
        }
}

static size_t compare(const struct sky *s, cl_uint group, const cl_uint *got)
{
    double want[BINS] = {0}, unsure[BINS] = {0}, total = 0;
    size_t wrong = 0;
    if (group < s->sets)
        count_pairs(s, 0, group, want, unsure);
    else
        count_pairs(s, group - s->sets + 1, group - s->sets + 1, want, unsure);
    for (int k = 0; k < BINS; k++) {
        total += want[k] - got[k];
        wrong += fabs(got[k] - want[k]) > unsure[k] + (k ? unsure[k - 1] : 0);
    }
    return wrong + (total != 0);
}

int main(int argc, char **argv)
{
    struct program p;
    struct sky s;
    program_open(&p, "tpacf", "tpacf [POINTS <= 65536 [RANDOM <= 100]]", argc, argv);
    s.n = program_number(&p, 320, 1, 65536);
    s.sets = 1 + program_number(&p, 2, 1, 100);
    program_start(&p);
    put_points(&p, &s);
    put_bounds(&s);
    cl_uint groups = 2 * s.sets - 1;
    size_t bytes = (size_t)s.n * s.sets * WORD, wrong = 0;
    cl_mem at[3], bound = program_buffer(&p, sizeof s.bound, s.bound);
    for (int k = 0; k < 3; k++)
        at[k] = program_buffer(&p, bytes, s.at[k]);
    cl_mem histogram = program_buffer(&p, groups * BINS * sizeof(cl_uint), NULL);
    cl_kernel kernel = program_kernel(&p, "tpacf_count", "bbbbbuu", at[0], at[1], at[2], bound,
                                      histogram, s.n, s.sets);
    host_launch(&p.host, kernel, (size_t)groups * GROUP, GROUP);
    const cl_uint *got = program_read(&p, histogram, groups * BINS * sizeof *got);
    for (cl_uint g = 0; g < groups; g++)
        wrong += compare(&s, g, got + g * (size_t)BINS);
    return program_end(&p, wrong, "%u points in each of %u sets", s.n, s.sets);
}

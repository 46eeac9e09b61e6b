/* nn.c - nearest neighbours: distances of N places on the device, the nearest five found on the
 * host.
 *
 * Usage: nn [N]      42764 if not given
 * Distances are compared with the host's, and so are the five. */
#include "common/program.h"

#include <math.h>
#include <stdlib.h>

enum { NEAREST = 5, WORD = sizeof(float) };
static const float latitude = 30, longitude = 90;

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The smallest NEAREST of n, by insertion. */
static void nearest(const float *distance, size_t n, float *best)
{
    for (size_t i = 0; i < NEAREST; i++)
        best[i] = INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (distance[i] >= best[NEAREST - 1]) continue;
        best[NEAREST - 1] = distance[i];
        qsort(best, NEAREST, sizeof *best, ascending);
    }
}

int main(int argc, char **argv)
{
    struct program p;
    float got_best[NEAREST];
    program_open(&p, "nn", "nn [N], N from 5 to 2^26", argc, argv);
    cl_uint n = program_number(&p, 42764, NEAREST, 1 << 26);
    program_start(&p);
    const float *place = program_floats(&p, 2 * (size_t)n, 1, 0, 180);
    float *expected = program_array(&p, n, WORD);
    cl_mem places = program_buffer(&p, 2 * (size_t)n * WORD, place);
    cl_mem distance = program_buffer(&p, n * (size_t)WORD, NULL);
    program_launch(&p,
                   program_kernel(&p, "nn_distances", "bbffu", places, distance, (double)latitude,
                                  (double)longitude, n),
                   n);
    const float *got = program_read(&p, distance, n * (size_t)WORD);
    for (size_t i = 0; i < n; i++)
        expected[i] = hypotf(place[2 * i] - latitude, place[2 * i + 1] - longitude);
    size_t wrong = data_wrong_floats(got, expected, n, 1e-5f);
    nearest(got, n, got_best);
    qsort(expected, n, WORD, ascending);
    wrong += data_wrong_floats(got_best, expected, NEAREST, 1e-5f);
    return program_end(&p, wrong, "%u places, the nearest %.4f away", n, (double)got_best[0]);
}

/* kmeans.c - clustering (Lloyd's algorithm): points are assigned on the device, centres moved on
 * the host.
 *
 * Usage: kmeans [POINTS [DIMENSIONS [CENTRES [ROUNDS]]]]      2048, 8, 5, 3 if not given
 * In each round each point's centre is compared with the nearest on the host. */
#include "common/program.h"

struct clusters {
    cl_uint n, dimensions, k;
    const float *point;
    float *centre;
};

static float distance(const struct clusters *s, size_t point, cl_uint centre)
{
    float sum = 0;
    for (cl_uint f = 0; f < s->dimensions; f++) {
        float d = s->point[point * s->dimensions + f] - s->centre[centre * s->dimensions + f];
        sum += d * d;
    }
    return sum;
}

/* Centres equally near up to rounding are as good. */
static size_t count_wrong(const struct clusters *s, const cl_uint *member)
{
    size_t wrong = 0;
    for (size_t i = 0; i < s->n; i++) {
        float least = distance(s, i, 0);
        for (cl_uint c = 1; c < s->k; c++) {
            float d = distance(s, i, c);
            if (d < least) least = d;
        }
        wrong += member[i] >= s->k || distance(s, i, member[i]) > least * 1.0001f;
    }
    return wrong;
}

static void move_centres(struct program *p, const struct clusters *s, const cl_uint *member)
{
    float *sum = program_array(p, (size_t)s->k * s->dimensions, sizeof *sum);
    cl_uint *count = program_array(p, s->k, sizeof *count);
    for (size_t i = 0; i < s->n; i++) {
        count[member[i]]++;
        for (cl_uint f = 0; f < s->dimensions; f++)
            sum[member[i] * s->dimensions + f] += s->point[i * s->dimensions + f];
    }
    for (cl_uint c = 0; c < s->k; c++)
        for (cl_uint f = 0; count[c] && f < s->dimensions; f++)
            s->centre[c * s->dimensions + f] = sum[c * s->dimensions + f] / (float)count[c];
}

static size_t run(struct program *p, const struct clusters *s, cl_uint rounds)
{
    size_t bytes = (size_t)s->n * s->dimensions * sizeof *s->point, wrong = 0;
    size_t centre_bytes = (size_t)s->k * s->dimensions * sizeof *s->centre;
    cl_mem points = program_buffer(p, bytes, s->point), features = program_buffer(p, bytes, NULL);
    cl_mem centres = program_buffer(p, centre_bytes, NULL);
    cl_mem member = program_buffer(p, s->n * sizeof(cl_uint), NULL);
    program_launch(
        p, program_kernel(p, "kmeans_swap", "bbuu", points, features, s->n, s->dimensions), s->n);
    cl_kernel assign = program_kernel(p, "kmeans_assign", "bbbuuu", features, centres, member, s->n,
                                      s->dimensions, s->k);
    for (cl_uint r = 0; r < rounds && !wrong; r++) {
        program_write(p, centres, s->centre, centre_bytes);
        program_launch(p, assign, s->n);
        const cl_uint *got = program_read(p, member, s->n * sizeof *got);
        wrong = count_wrong(s, got);
        if (!wrong) move_centres(p, s, got);
    }
    return wrong;
}

int main(int argc, char **argv)
{
    struct program p;
    struct clusters s;
    program_open(&p, "kmeans", "kmeans [POINTS [DIMENSIONS [CENTRES [ROUNDS <= 12]]]]", argc, argv);
    s.n = program_number(&p, 2048, 1, 1 << 24);
    s.dimensions = program_number(&p, 8, 1, 256);
    s.k = program_number(&p, 5, 1, 256);
    cl_uint rounds = program_number(&p, 3, 1, 12);
    program_demand(&p, s.k <= s.n);
    program_start(&p);
    s.point = program_floats(&p, (size_t)s.n * s.dimensions, 1, 0, 1);
    s.centre = program_floats(&p, (size_t)s.k * s.dimensions, 2, 0, 1);
    size_t wrong = run(&p, &s, rounds);
    return program_end(&p, wrong, "%u points, %u centres, %u rounds", s.n, s.k, rounds);
}

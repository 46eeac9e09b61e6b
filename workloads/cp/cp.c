/* cp.c - Coulomb potential of atoms on a slice of a grid, by direct sums; the atoms lie in constant
 * memory, 4000 per launch.
 *
 * Usage: cp [WIDTH [HEIGHT [ATOMS]]]      512, 32, 64 if not given
 * Compared with the host's sums in double precision. */
#include "common/program.h"

#include <math.h>

enum { WORD = sizeof(float), CHUNK = 4000, POINTS = 8, GROUP_X = 16, GROUP_Y = 8 };

static const float spacing = 0.1f;

struct slice {
    cl_uint width, height, atoms;
    float *atom; /* of four: x, y, squared distance to the slice, charge */
};

static void set_up(struct program *p, struct slice *s)
{
    struct data_random r = {13};
    s->atom = program_array(p, 4 * (size_t)s->atoms, WORD);
    for (size_t i = 0; i < s->atoms; i++) {
        float *a = s->atom + 4 * i, z = 0.5f + 4 * data_uniform(&r);
        a[0] = spacing * (float)s->width * data_uniform(&r);
        a[1] = spacing * (float)s->height * data_uniform(&r);
        a[2] = z * z;
        a[3] = data_uniform(&r) - 0.5f;
    }
}

static const float *run(struct program *p, const struct slice *s)
{
    size_t bytes = (size_t)s->width * s->height * WORD;
    cl_mem chunk = program_buffer(p, CHUNK * 4 * WORD, NULL);
    cl_mem energy = program_buffer(p, bytes, program_array(p, bytes, 1));
    cl_kernel kernel = program_kernel(p, "cp_energy", "bbuf", chunk, energy, 0, (double)spacing);
    const size_t items[2] = {s->width / POINTS, s->height}, group[2] = {GROUP_X, GROUP_Y};
    for (cl_uint first = 0; first < s->atoms; first += CHUNK) {
        cl_uint n = s->atoms - first < CHUNK ? s->atoms - first : CHUNK;
        program_write(p, chunk, s->atom + 4 * (size_t)first, n * 4 * (size_t)WORD);
        program_set_uint(kernel, 2, n);
        host_launch_2d(&p->host, kernel, items, group);
    }
    return program_read(p, energy, bytes);
}

static const float *reference(struct program *p, const struct slice *s)
{
    size_t points = (size_t)s->width * s->height;
    float *want = program_array(p, points, WORD);
    for (size_t i = 0; i < points; i++) {
        double x = spacing * (double)(i % s->width), y = spacing * (double)(i / s->width), sum = 0;
        for (size_t k = 0; k < s->atoms; k++) {
            const float *a = s->atom + 4 * k;
            sum += a[3] / sqrt((x - a[0]) * (x - a[0]) + (y - a[1]) * (y - a[1]) + a[2]);
        }
        want[i] = (float)sum;
    }
    return want;
}

int main(int argc, char **argv)
{
    struct program p;
    struct slice s;
    program_open(&p, "cp",
                 "cp [WIDTH [HEIGHT [ATOMS]]], WIDTH a multiple of 128, HEIGHT of 8, both up to "
                 "8192, ATOMS up to 100000",
                 argc, argv);
    s.width = program_step(&p, 512, POINTS * GROUP_X, 8192, POINTS * GROUP_X);
    s.height = program_step(&p, 32, GROUP_Y, 8192, GROUP_Y);
    s.atoms = program_number(&p, 64, 1, 100000);
    program_start(&p);
    set_up(&p, &s);
    const float *got = run(&p, &s), *want = reference(&p, &s);
    size_t wrong = data_wrong_floats(got, want, (size_t)s.width * s.height, 1e-4);
    return program_end(&p, wrong, "%u x %u points, %u atoms", s.width, s.height, s.atoms);
}

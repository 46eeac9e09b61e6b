/* mriq.c - the matrix Q of non-Cartesian magnetic resonance imaging: of every voxel, a sum over all
 * samples, which lie in constant memory, 1024 per launch.
 *
 * Usage: mriq [VOXELS [SAMPLES]]      4096, 128 if not given
 * Compared with the host's sums in double precision. */
#include "common/program.h"

#include <math.h>

enum { WORD = sizeof(float), CHUNK = 1024 };

struct scan {
    cl_uint voxels, samples;
    const float *at[3], *k[3], *phase[2];
    float *sample; /* of four: place in k-space, magnitude */
};

static void set_up(struct program *p, struct scan *s)
{
    for (unsigned i = 0; i < 3; i++) {
        s->at[i] = program_floats(p, s->voxels, 1 + i, -1, 1);
        s->k[i] = program_floats(p, s->samples, 4 + i, -2, 2);
    }
    for (unsigned i = 0; i < 2; i++)
        s->phase[i] = program_floats(p, s->samples, 7 + i, -1, 1);
    s->sample = program_array(p, 4 * (size_t)s->samples, WORD);
}

static size_t magnitudes(struct program *p, const struct scan *s)
{
    size_t bytes = s->samples * (size_t)WORD;
    cl_mem real = program_buffer(p, bytes, s->phase[0]);
    cl_mem imaginary = program_buffer(p, bytes, s->phase[1]);
    cl_mem magnitude = program_buffer(p, bytes, NULL);
    program_launch(
        p, program_kernel(p, "mriq_magnitude", "bbbu", real, imaginary, magnitude, s->samples),
        s->samples);
    const float *got = program_read(p, magnitude, bytes);
    float *want = program_array(p, s->samples, WORD);
    for (size_t i = 0; i < s->samples; i++) {
        want[i] = s->phase[0][i] * s->phase[0][i] + s->phase[1][i] * s->phase[1][i];
        for (size_t k = 0; k < 3; k++)
            s->sample[4 * i + k] = s->k[k][i];
        s->sample[4 * i + 3] = got[i];
    }
    return data_wrong_floats(got, want, s->samples, 1e-6);
}

static void run(struct program *p, const struct scan *s, cl_mem q[2])
{
    size_t bytes = s->voxels * (size_t)WORD;
    const void *zero = program_array(p, bytes, 1);
    cl_mem at[3], chunk = program_buffer(p, CHUNK * 4 * WORD, NULL);
    for (int i = 0; i < 3; i++)
        at[i] = program_buffer(p, bytes, s->at[i]);
    for (int i = 0; i < 2; i++)
        q[i] = program_buffer(p, bytes, zero);
    cl_kernel kernel = program_kernel(p, "mriq_q", "bbbbbbuu", chunk, at[0], at[1], at[2], q[0],
                                      q[1], 0, s->voxels);
    for (cl_uint first = 0; first < s->samples; first += CHUNK) {
        cl_uint n = s->samples - first < CHUNK ? s->samples - first : CHUNK;
        program_write(p, chunk, s->sample + 4 * (size_t)first, n * 4 * (size_t)WORD);
        program_set_uint(kernel, 6, n);
        program_launch(p, kernel, s->voxels);
    }
}

static size_t compare(struct program *p, const struct scan *s, const cl_mem q[2])
{
    float *want[2], *got[2];
    double total = 0;
    for (int j = 0; j < 2; j++) {
        want[j] = program_array(p, s->voxels, WORD);
        got[j] = program_read(p, q[j], s->voxels * (size_t)WORD);
    }
    for (size_t k = 0; k < s->samples; k++)
        total += s->sample[4 * k + 3];
    for (size_t i = 0; i < s->voxels; i++) {
        double sum[2] = {0, 0};
        for (size_t k = 0; k < s->samples; k++) {
            const float *m = s->sample + 4 * k;
            double turn = m[0] * s->at[0][i] + m[1] * s->at[1][i] + m[2] * s->at[2][i];
            sum[0] += m[3] * cos(6.283185307179586 * turn);
            sum[1] += m[3] * sin(6.283185307179586 * turn);
        }
        for (int j = 0; j < 2; j++) { /* in units of the largest value there could be */
            want[j][i] = (float)(sum[j] / total);
            got[j][i] /= (float)total;
        }
    }
    return data_wrong_floats(got[0], want[0], s->voxels, 1e-5) +
           data_wrong_floats(got[1], want[1], s->voxels, 1e-5);
}

int main(int argc, char **argv)
{
    struct program p;
    struct scan s;
    cl_mem q[2];
    program_open(&p, "mriq", "mriq [VOXELS [SAMPLES]], up to 2^22 and 65536", argc, argv);
    s.voxels = program_number(&p, 4096, 1, 1 << 22);
    s.samples = program_number(&p, 128, 1, 1 << 16);
    program_start(&p);
    set_up(&p, &s);
    size_t wrong = magnitudes(&p, &s);
    run(&p, &s, q);
    wrong += compare(&p, &s, q);
    return program_end(&p, wrong, "%u voxels, %u samples", s.voxels, s.samples);
}

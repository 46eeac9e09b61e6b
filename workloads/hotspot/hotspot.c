/* hotspot.c - temperatures of an N x N chip, several time steps per launch in tiles of 16 x 16.
 *
 * Usage: hotspot [N [STEPS [LAUNCHES]]]      128 2 2 if not given; STEPS per launch, 1 to 7
 * Compared with as many steps on the host. */
#include "common/program.h"

enum { SIDE = 16 };

static float step_at(const float *power, const float *t, int x, int y, int n)
{
    float here = t[y * n + x];
    float east = t[y * n + (x < n - 1 ? x + 1 : x)], west = t[y * n + (x > 0 ? x - 1 : x)];
    float south = t[(y < n - 1 ? y + 1 : y) * n + x], north = t[(y > 0 ? y - 1 : y) * n + x];
    return here + 0.1f * (east + west - 2 * here) + 0.1f * (north + south - 2 * here) +
           0.05f * (80.0f - here) + 0.5f * power[y * n + x];
}

static const float *reference(struct program *p, const float *power, const float *start, int n,
                              cl_uint steps)
{
    size_t cells = (size_t)n * (size_t)n;
    float *t[2] = {program_array(p, cells, sizeof **t), program_array(p, cells, sizeof **t)};
    for (size_t i = 0; i < cells; i++)
        t[0][i] = start[i];
    for (cl_uint s = 0; s < steps; s++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++)
                t[~s & 1][y * n + x] = step_at(power, t[s & 1], x, y, n);
    return t[steps & 1];
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "hotspot", "hotspot [N [STEPS [LAUNCHES]]], STEPS 1 to 7", argc, argv);
    cl_uint n = program_number(&p, 128, 1, 16384), steps = program_number(&p, 2, 1, 7);
    cl_uint launches = program_number(&p, 2, 1, 30);
    program_start(&p);
    size_t cells = (size_t)n * n, bytes = cells * sizeof(float), small = SIDE - 2 * steps;
    size_t items = (n + small - 1) / small * SIDE;
    const float *power = program_floats(&p, cells, 1, 0, 1);
    const float *start = program_floats(&p, cells, 2, 60, 90);
    cl_mem watts = program_buffer(&p, bytes, power);
    cl_mem t[2] = {program_buffer(&p, bytes, start), program_buffer(&p, bytes, NULL)};
    for (cl_uint l = 0; l < launches; l++)
        program_launch_2d(
            &p, program_kernel(&p, "hotspot_steps", "bbbuu", watts, t[l & 1], t[~l & 1], steps, n),
            items, items, SIDE);
    const float *got = program_read(&p, t[launches & 1], bytes);
    const float *expected = reference(&p, power, start, (int)n, steps * launches);
    return program_end(&p, data_wrong_floats(got, expected, cells, 1e-4f), "%u x %u, %u steps", n,
                       n, steps * launches);
}

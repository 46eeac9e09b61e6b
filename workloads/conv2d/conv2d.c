/* conv2d.c - 3 x 3 convolution of an N x N picture, groups of 16 x 16.
 *
 * Usage: conv2d [N]      256 if not given
 * Compared with the convolution on the host. */
#include "common/program.h"

static float at(const float *in, size_t n, size_t x, size_t y)
{
    static const float weight[3][3] = {
        {0.2f, 0.5f, -0.8f}, {-0.3f, 0.6f, -0.9f}, {0.4f, 0.7f, 0.1f}};
    float sum = 0;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            sum += weight[i][j] * in[(y + i - 1) * n + x + j - 1];
    return sum;
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "conv2d", "conv2d [N], N from 3 to 16384", argc, argv);
    cl_uint n = program_number(&p, 256, 3, 16384);
    program_start(&p);
    size_t cells = (size_t)n * n, bytes = cells * sizeof(float);
    const float *in = program_floats(&p, cells, 1, 0, 1);
    float *expected = program_array(&p, cells, sizeof *expected);
    cl_mem source = program_buffer(&p, bytes, in), target = program_buffer(&p, bytes, expected);
    program_launch_2d(&p, program_kernel(&p, "conv2d", "bbu", source, target, n), n, n, 16);
    const float *got = program_read(&p, target, bytes);
    for (size_t y = 1; y + 1 < n; y++)
        for (size_t x = 1; x + 1 < n; x++)
            expected[y * n + x] = at(in, n, x, y);
    return program_end(&p, data_wrong_floats(got, expected, cells, 1e-5f), "%u x %u", n, n);
}

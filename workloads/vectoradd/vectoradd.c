/* vectoradd.c - the sum of two vectors.
 *
 * Usage: vectoradd [N]      262144 if not given
 * Must be what the host adds up. */
#include "common/program.h"

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "vectoradd", "vectoradd [N], N up to 2^26", argc, argv);
    cl_uint n = program_number(&p, 1 << 18, 1, 1 << 26);
    program_start(&p);
    size_t bytes = n * sizeof(float);
    const float *a = program_floats(&p, n, 1, 0, 1), *b = program_floats(&p, n, 2, 0, 1);
    float *want = program_array(&p, n, sizeof *want);
    cl_mem in[2] = {program_buffer(&p, bytes, a), program_buffer(&p, bytes, b)};
    cl_mem out = program_buffer(&p, bytes, NULL);
    program_launch(&p, program_kernel(&p, "vectoradd", "bbbu", in[0], in[1], out, n), n);
    for (size_t i = 0; i < n; i++)
        want[i] = a[i] + b[i];
    const float *got = program_read(&p, out, bytes);
    return program_end(&p, data_wrong_bytes(got, want, n, sizeof *got), "%u elements", n);
}

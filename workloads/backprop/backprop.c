/* backprop.c - a training step of a layer with N inputs, 16 hidden units and one output.
 *
 * Usage: backprop [N]      4096 if not given, a multiple of 16
 * The weights are compared with the step on the host in double precision. */
#include "common/program.h"

#include <math.h>

enum { HIDDEN = 16, ROW = HIDDEN + 1, WORD = sizeof(float) };

/* Errors of the hidden units [1..16] for the sums that reach them (target 0.1, weights out 0.5). */
static void deltas(const double *sum, float *delta)
{
    double hidden[ROW], out = 0;
    for (int j = 1; j < ROW; j++) {
        hidden[j] = 1 / (1 + exp(-sum[j]));
        out += 0.5 * hidden[j];
    }
    out = 1 / (1 + exp(-out));
    for (int j = 1; j < ROW; j++)
        delta[j] = (float)(hidden[j] * (1 - hidden[j]) * 0.5 * out * (1 - out) * (0.1 - out));
}

static void reference(const float *input, float *weight, float *last, size_t n)
{
    double sum[ROW] = {0};
    float delta[ROW] = {0};
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 1; j < ROW; j++)
            sum[j] += (double)input[i] * weight[i * ROW + j];
    deltas(sum, delta);
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 1; j < ROW; j++) {
            float move = 0.3f * delta[j] * input[i] + 0.3f * last[i * ROW + j];
            weight[i * ROW + j] += move;
            last[i * ROW + j] = move;
        }
}

/* delta[] from what the groups have added up; input 0 is the bias. */
static void middle(const float *partial, const float *weight, size_t n, float *delta)
{
    double sum[ROW] = {0};
    for (size_t j = 1; j < ROW; j++)
        sum[j] = weight[j];
    for (size_t i = 0; i < n; i++)
        sum[i % HIDDEN + 1] += partial[i];
    deltas(sum, delta);
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "backprop", "backprop [N], N a multiple of 16, up to 2^22", argc, argv);
    cl_uint n = program_step(&p, 4096, HIDDEN, 1 << 22, HIDDEN);
    program_start(&p);
    size_t weights = ((size_t)n + 1) * ROW;
    float *x = program_floats(&p, (size_t)n + 1, 1, 0, 1), delta[ROW] = {0};
    float *w = program_floats(&p, weights, 2, -0.01f, 0.01f);
    float *old = program_floats(&p, weights, 3, -0.01f, 0.01f);
    x[0] = 1;
    cl_mem input = program_buffer(&p, ((size_t)n + 1) * WORD, x);
    cl_mem weight = program_buffer(&p, weights * WORD, w);
    cl_mem last = program_buffer(&p, weights * WORD, old);
    cl_mem partial = program_buffer(&p, n * (size_t)WORD, NULL);
    program_launch_2d(&p, program_kernel(&p, "backprop_forward", "bbb", input, weight, partial),
                      HIDDEN, n, HIDDEN);
    middle(program_read(&p, partial, n * (size_t)WORD), w, n, delta);
    cl_mem errors = program_buffer(&p, sizeof delta, delta);
    program_launch_2d(&p,
                      program_kernel(&p, "backprop_adjust", "bbbb", input, errors, weight, last),
                      HIDDEN, n, HIDDEN);
    reference(x, w, old, n);
    size_t wrong = data_wrong_floats(program_read(&p, weight, weights * WORD), w, weights, 1e-5f);
    wrong += data_wrong_floats(program_read(&p, last, weights * WORD), old, weights, 1e-5f);
    return program_end(&p, wrong, "%u inputs", n);
}

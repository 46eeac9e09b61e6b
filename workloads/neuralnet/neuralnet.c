/* neuralnet.c - forward pass of a network that recognises digits: 29 x 29 pixels, 6 maps of 13 x
 * 13, 50 maps of 5 x 5, 100 neurons, 10 digits.
 *
 * Usage: neuralnet [PICTURES]      2 if not given
 * Weights are random.  Compared with the host's pass in double precision. */
#include "common/program.h"

#include <math.h>

struct layer {
    cl_uint maps, side, maps_below, side_below;
    const float *weight; /* per map: a bias, then those of what it sees below */
};

enum { LAYERS = 4, FIELD = 25 };

static cl_uint outputs(const struct layer *l)
{
    return l->maps * l->side * l->side;
}

static cl_uint inputs(const struct layer *l)
{
    return l->maps_below * l->side_below * l->side_below;
}

/* Neurons of side 1 see all that is below. */
static cl_uint seen(const struct layer *l)
{
    return l->side == 1 ? inputs(l) : FIELD * l->maps_below;
}

static double see(const struct layer *l, const float *below, cl_uint neuron)
{
    cl_uint map = neuron / (l->side * l->side), y = neuron / l->side % l->side,
            x = neuron % l->side;
    const float *weight = l->weight + (size_t)map * (1 + seen(l));
    double sum = (double)weight[0];
    for (cl_uint i = 0; i < seen(l); i++) {
        cl_uint from = i / FIELD, row = 2 * y + i % FIELD / 5, column = 2 * x + i % 5;
        cl_uint at = (from * l->side_below + row) * l->side_below + column;
        sum += (double)weight[1 + i] * (double)below[l->side == 1 ? i : at];
    }
    return sum;
}

static float *pass_here(struct program *p, const struct layer *l, const float *below,
                        cl_uint pictures)
{
    float *out = program_array(p, (size_t)pictures * outputs(l), sizeof *out);
    for (cl_uint picture = 0; picture < pictures; picture++)
        for (cl_uint i = 0; i < outputs(l); i++) {
            double sum = see(l, below + (size_t)picture * inputs(l), i);
            out[(size_t)picture * outputs(l) + i] = (float)(1.7159 * tanh(0.66666667 * sum));
        }
    return out;
}

static cl_mem pass(struct program *p, const struct layer *l, cl_mem below, cl_uint pictures)
{
    size_t weights = (size_t)l->maps * (1 + seen(l));
    cl_mem weight = program_buffer(p, weights * sizeof *l->weight, l->weight);
    cl_mem out = program_buffer(p, (size_t)pictures * outputs(l) * sizeof(float), NULL);
    cl_kernel kernel =
        l->side == 1 ? program_kernel(p, "connect", "bbbuu", below, weight, out, l->maps, inputs(l))
                     : program_kernel(p, "convolve", "bbbuuuu", below, weight, out, l->maps,
                                      l->maps_below, l->side, l->side_below);
    host_launch(&p->host, kernel, (size_t)pictures * outputs(l), (size_t)l->side * l->side);
    return out;
}

int main(int argc, char **argv)
{
    struct layer layer[LAYERS] = {
        {6, 13, 1, 29, NULL}, {50, 5, 6, 13, NULL}, {100, 1, 50, 5, NULL}, {10, 1, 100, 1, NULL}};
    struct program p;
    program_open(&p, "neuralnet", "neuralnet [PICTURES]", argc, argv);
    cl_uint pictures = program_number(&p, 2, 1, 1 << 16);
    program_start(&p);
    size_t pixels = (size_t)pictures * inputs(&layer[0]);
    const float *here = program_floats(&p, pixels, 61, -1, 1);
    cl_mem there = program_buffer(&p, pixels * sizeof *here, here);
    for (unsigned i = 0; i < LAYERS; i++) {
        struct layer *l = &layer[i];
        float spread = 1 / sqrtf((float)seen(l));
        l->weight = program_floats(&p, (size_t)l->maps * (1 + seen(l)), 62 + i, -spread, spread);
        here = pass_here(&p, l, here, pictures);
        there = pass(&p, l, there, pictures);
    }
    size_t digits = (size_t)pictures * layer[LAYERS - 1].maps;
    const float *got = program_read(&p, there, digits * sizeof *got);
    return program_end(&p, data_wrong_floats(got, here, digits, 1e-5), "%u pictures", pictures);
}

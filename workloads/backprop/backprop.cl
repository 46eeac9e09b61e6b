#define HIDDEN 16

/* A group takes 16 inputs: each times its weights to the 16 hidden units, added up over the inputs
 * as a tree.  Rows of weights are 17 wide (the 0th is the bias's) and so not aligned. */
__kernel void backprop_forward(__global const float *input, __global const float *weight,
                               __global float *partial)
{
    __local float value[HIDDEN], product[HIDDEN][HIDDEN];
    uint j = get_local_id(0), i = get_local_id(1), in = get_global_id(1);
    if (j == 0) value[i] = input[in + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    product[i][j] = weight[(in + 1) * (HIDDEN + 1) + j + 1] * value[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_way = HIDDEN / 2; half_way > 0; half_way /= 2) {
        if (i < half_way) product[i][j] += product[i + half_way][j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i == 0) partial[get_group_id(1) * HIDDEN + j] = product[0][j];
}

/* Each weight moves by its unit's error, its input and, with momentum, its last move. */
__kernel void backprop_adjust(__global const float *input, __global const float *delta,
                              __global float *weight, __global float *last)
{
    uint j = get_local_id(0) + 1, in = get_global_id(1) + 1, at = in * (HIDDEN + 1) + j;
    float move = 0.3f * delta[j] * input[in] + 0.3f * last[at];
    weight[at] += move;
    last[at] = move;
    if (in != 1) return;
    float bias = 0.3f * delta[j] + 0.3f * last[j];
    weight[j] += bias;
    last[j] = bias;
}

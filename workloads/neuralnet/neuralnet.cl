/* Recognising digits by a network of four layers: two that convolve and halve, two that connect
 * everything.  A group is a map of one picture, its work-items the map's neurons; in the last two
 * layers groups have one work-item, as in the program after which this is made. */
float activation(float x)
{
    return 1.7159f * tanh(0.66666667f * x);
}

/* Group: map `m` of a picture.  Each of the side x side neurons sees 5 x 5 of every map below, two
 * further on than its neighbour; per map `m` a bias and 25 weights for each map below. */
__kernel void convolve(__global const float *below, __global const float *weight,
                       __global float *out, uint maps, uint maps_below, uint side, uint side_below)
{
    uint picture = get_group_id(0) / maps, m = get_group_id(0) % maps, item = get_local_id(0);
    uint corner = item / side * 2 * side_below + item % side * 2;
    uint w = m * (1 + 25 * maps_below), area = side_below * side_below;
    uint in = picture * maps_below * area + corner;
    float sum = weight[w++];
    for (uint map = 0; map < maps_below; map++, in += area)
        for (uint k = 0; k < 25; k++)
            sum += weight[w++] * below[in + k / 5 * side_below + k % 5];
    out[get_group_id(0) * side * side + item] = activation(sum);
}

/* Group: neuron of a picture, connected with all n below. */
__kernel void connect(__global const float *below, __global const float *weight,
                      __global float *out, uint neurons, uint n)
{
    uint picture = get_group_id(0) / neurons, w = get_group_id(0) % neurons * (n + 1);
    float sum = weight[w++];
    for (uint i = 0; i < n; i++)
        sum += weight[w++] * below[picture * n + i];
    out[get_group_id(0)] = activation(sum);
}

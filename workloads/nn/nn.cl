/* How far each place (latitude, longitude) is from the wanted one. */
__kernel void nn_distances(__global const float2 *place, __global float *distance, float latitude,
                           float longitude, uint n)
{
    uint i = get_global_id(0);
    if (i >= n) return;
    float2 d = place[i] - (float2)(latitude, longitude);
    distance[i] = sqrt(d.x * d.x + d.y * d.y);
}

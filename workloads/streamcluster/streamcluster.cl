/* What opening a centre at point `candidate` would gain, point by point: one that is nearer to it
 * than to its own centre switches, and its saving goes to column `centres` of its row of `saving`;
 * otherwise what closing its own centre would cost goes to that centre's column.  Rows are zero
 * before; the host adds up the columns. */
__kernel void streamcluster_gain(__global const float *coordinate, __global const float *weight,
                                 __global const float *cost, __global const uint *centre_of,
                                 __global const uint *column_of, __global float *saving,
                                 __global uint *switches, __local float *candidate_at, uint n,
                                 uint dimensions, uint centres, uint candidate)
{
    uint i = get_global_id(0);
    for (uint d = get_local_id(0); d < dimensions; d += get_local_size(0))
        candidate_at[d] = coordinate[d * n + candidate];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= n) return;
    float distance = 0;
    for (uint d = 0; d < dimensions; d++) {
        float difference = coordinate[d * n + i] - candidate_at[d];
        distance += difference * difference;
    }
    float change = distance * weight[i] - cost[i];
    if (change < 0) {
        switches[i] = 1;
        saving[i * (centres + 1) + centres] = change;
    } else {
        saving[i * (centres + 1) + column_of[centre_of[i]]] += change;
    }
}

/* From points of features to features of points, so that neighbours read neighbours. */
__kernel void kmeans_swap(__global const float *points, __global float *features, uint n,
                          uint dimensions)
{
    uint i = get_global_id(0);
    if (i >= n) return;
    for (uint f = 0; f < dimensions; f++)
        features[f * n + i] = points[i * dimensions + f];
}

/* The nearest centre of each point. */
__kernel void kmeans_assign(__global const float *features, __global const float *centres,
                            __global uint *member, uint n, uint dimensions, uint k)
{
    uint i = get_global_id(0);
    if (i >= n) return;
    float least = INFINITY;
    uint best = 0;
    for (uint c = 0; c < k; c++) {
        float distance = 0;
        for (uint f = 0; f < dimensions; f++) {
            float d = features[f * n + i] - centres[c * dimensions + f];
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    member[i] = best;
}

/* A 3 x 3 convolution with fixed weights; the border is left as it is. */
__kernel void conv2d(__global const float *in, __global float *out, uint n)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1) return;
    __global const float *above = in + (y - 1) * n + x, *here = above + n, *below = here + n;
    out[y * n + x] = 0.2f * above[-1] + 0.5f * above[0] - 0.8f * above[1] - 0.3f * here[-1] +
                     0.6f * here[0] - 0.9f * here[1] + 0.4f * below[-1] + 0.7f * below[0] +
                     0.1f * below[1];
}

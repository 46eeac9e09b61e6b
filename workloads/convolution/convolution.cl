/* Convolution of a picture of numbers with a square mask of odd side; zero outside. */
__kernel void convolution(__global const uint *in, __global const uint *mask, __global uint *out,
                          uint side)
{
    int x = get_global_id(0), y = get_global_id(1), r = side / 2;
    int width = get_global_size(0), height = get_global_size(1);
    uint sum = 0;
    for (int j = max(-r, -y); j <= min(r, height - 1 - y); j++)
        for (int i = max(-r, -x); i <= min(r, width - 1 - x); i++)
            sum += in[(y + j) * width + x + i] * mask[(j + r) * (int)side + i + r];
    out[y * width + x] = sum;
}

/* Sobel's edge filter on RGBA pictures: a pixel per work-item from its eight neighbours; the rim is
 * left alone. */
__kernel void sobel(__global const uchar4 *in, __global uchar4 *out)
{
    uint x = get_global_id(0), y = get_global_id(1);
    uint width = get_global_size(0), height = get_global_size(1);
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return;
    uint at = y * width + x;
    float4 nw = convert_float4(in[at - width - 1]), n = convert_float4(in[at - width]);
    float4 ne = convert_float4(in[at - width + 1]), w = convert_float4(in[at - 1]);
    float4 e = convert_float4(in[at + 1]), sw = convert_float4(in[at + width - 1]);
    float4 s = convert_float4(in[at + width]), se = convert_float4(in[at + width + 1]);
    float4 gx = ne + 2.0f * e + se - nw - 2.0f * w - sw;
    float4 gy = sw + 2.0f * s + se - nw - 2.0f * n - ne;
    out[at] = convert_uchar4_sat(sqrt(gx * gx + gy * gy) / 2.0f);
}

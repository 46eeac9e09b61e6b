/* Noise on an RGBA picture: to each pixel a uniform deviate is added, from Park and Miller's
 * minimal generator with Bays and Durham's shuffle (Knuth, volume 2, 3.2.2, algorithm B), seeded by
 * the pixel. The 16 entries of a work-item's table lie a group apart in local memory. */

int park_miller(int seed)
{
    int high = seed / 127773, low = seed - 127773 * high;
    int next = 16807 * low - 2836 * high;
    return next < 0 ? next + 2147483647 : next;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
urng(__global const uchar4 *in, __global uchar4 *out, uint factor)
{
    __local int table[16 * 64];
    uint at = get_global_id(0), item = get_local_id(0);
    uchar4 pixel = in[at];
    int seed = 1 + pixel.x + pixel.y + pixel.z + pixel.w;
    for (int i = 0; i < 8; i++)
        seed = park_miller(seed);
    for (uint i = 0; i < 16; i++) {
        seed = park_miller(seed);
        table[64 * i + item] = seed;
    }
    int chosen = table[64 * ((uint)seed >> 27) + item];
    int noise = (int)(((uint)chosen >> 15) * factor >> 16);
    out[at] = convert_uchar4_sat(convert_int4(pixel) + noise);
}

/* Normal deviates from a Mersenne twister of 607 bits per work-item, four generators of 32 bits
 * wide (SFMT-607: Saito and Matsumoto, MCQMC 2006), and the Box-Muller transform. */

/* A vector as a number of 128 bits, shifted by one byte times `bytes` < 4. */
uint4 left_128(uint4 v, uint bytes)
{
    uint s = 8 * bytes, t = 32 - s;
    return (uint4)(v.x << s, v.y << s | v.x >> t, v.z << s | v.y >> t, v.w << s | v.z >> t);
}

uint4 right_128(uint4 v, uint bytes)
{
    uint s = 8 * bytes, t = 32 - s;
    return (uint4)(v.x >> s | v.y << t, v.y >> s | v.z << t, v.z >> s | v.w << t, v.w >> s);
}

/* In (0, 1]. */
float4 uniform4(uint4 v)
{
    return (convert_float4(v >> 8) + 1.0f) * 0x1p-24f;
}

/* The next number from the last five; those by name that it depends on. */
uint4 twist(uint4 fifth_last, uint4 third_last, uint4 second_last, uint4 last)
{
    const uint4 mask = (uint4)(0xfdff37ff, 0xef7f3f7d, 0xff777b7d, 0x7ff7fb2f);
    return fifth_last ^ left_128(fifth_last, 3) ^ (third_last >> 13 & mask) ^
           right_128(second_last, 3) ^ last << 15;
}

uint4 grow(uint4 v, uint i)
{
    return 1812433253u * (v ^ v >> 30) + i;
}

/* `factor` vectors of deviates per seed, those of a work-item one behind the other. */
__kernel void mersenne(__global const uint4 *seed, __global float4 *out, uint factor)
{
    uint item = get_global_id(0);
    uint4 a = seed[item], b = grow(a, 1), c = grow(b, 2), d = grow(c, 3), e = grow(d, 4);
    for (uint i = 0; i < factor; i += 2) {
        uint4 u = twist(a, c, d, e), v = twist(b, d, e, u);
        a = c;
        b = d;
        c = e;
        d = u;
        e = v;
        float4 radius = sqrt(-2.0f * log(uniform4(u))), angle = 2.0f * M_PI_F * uniform4(v);
        out[item * factor + i] = radius * cos(angle);
        out[item * factor + i + 1] = radius * sin(angle);
    }
}

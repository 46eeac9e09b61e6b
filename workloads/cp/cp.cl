#define POINTS 8

/* Adds the potential of `n` atoms (x, y, squared distance to the slice; charge) to a slice of a
 * grid: 8 points of a row per work-item, a group's width apart. */
__kernel void cp_energy(__constant const float4 *atom, __global float *energy, uint n,
                        float spacing)
{
    uint group = get_local_size(0), width = get_global_size(0) * POINTS;
    uint x = get_group_id(0) * group * POINTS + get_local_id(0), y = get_global_id(1);
    __global float *point = energy + y * width + x;
    float at_y = spacing * y, step = spacing * group;
    float8 at_x = spacing * x + step * (float8)(0, 1, 2, 3, 4, 5, 6, 7), sum = 0;
    for (uint i = 0; i < n; i++) {
        float4 a = atom[i];
        float dy = at_y - a.y, rest = dy * dy + a.z;
        float8 dx = at_x - a.x;
        sum += a.w * rsqrt(dx * dx + rest);
    }
    point[0] += sum.s0;
    point[group] += sum.s1;
    point[2 * group] += sum.s2;
    point[3 * group] += sum.s3;
    point[4 * group] += sum.s4;
    point[5 * group] += sum.s5;
    point[6 * group] += sum.s6;
    point[7 * group] += sum.s7;
}

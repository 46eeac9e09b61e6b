/* One step of the lattice-Boltzmann method, D3Q19 with a single relaxation time, structure of
 * arrays: a cell reads its 19 densities in a row, collides, and writes each to the cell that it
 * moves to.  Opposite directions are 2k - 1 and 2k.  The box is periodic; a solid cell sends back
 * what came in.  get_global_id(1) is y + ny * z. */
#define AT(q, x, row) ((q) * cells + (row) * nx + (x))

/* Directions a and b = a + 1 with weight w; `along` is the velocity's component along a. */
#define PAIR(a, b, w, along, xa, row_a, xb, row_b)                                                 \
    {                                                                                              \
        float c = along, even = w * (still + density * 4.5f * c * c), odd = w * density * 3 * c;   \
        to[AT(a, xa, row_a)] = is_solid ? f##b : f##a + rate * (even + odd - f##a);                \
        to[AT(b, xb, row_b)] = is_solid ? f##a : f##b + rate * (even - odd - f##b);                \
    }

__kernel void lbm_step(__global const float *from, __global float *to, __global const uint *solid,
                       float rate, uint ny, uint nz)
{
    uint nx = get_global_size(0), x = get_global_id(0), row = get_global_id(1);
    uint y = row % ny, z = row / ny, cells = nx * ny * nz, here = row * nx + x;
    float f0 = from[here], f1 = from[cells + here], f2 = from[2 * cells + here];
    float f3 = from[3 * cells + here], f4 = from[4 * cells + here], f5 = from[5 * cells + here];
    float f6 = from[6 * cells + here], f7 = from[7 * cells + here], f8 = from[8 * cells + here];
    float f9 = from[9 * cells + here], f10 = from[10 * cells + here];
    float f11 = from[11 * cells + here], f12 = from[12 * cells + here];
    float f13 = from[13 * cells + here], f14 = from[14 * cells + here];
    float f15 = from[15 * cells + here], f16 = from[16 * cells + here];
    float f17 = from[17 * cells + here], f18 = from[18 * cells + here];
    bool is_solid = solid[here] != 0;

    float density = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8 + f9 + f10 + f11 + f12 + f13 + f14 +
                    f15 + f16 + f17 + f18;
    float u = (f1 - f2 + f7 - f8 + f9 - f10 + f11 - f12 + f13 - f14) / density;
    float v = (f3 - f4 + f7 - f8 - f9 + f10 + f15 - f16 + f17 - f18) / density;
    float w = (f5 - f6 + f11 - f12 - f13 + f14 + f15 - f16 - f17 + f18) / density;
    float still = density * (1 - 1.5f * (u * u + v * v + w * w));

    uint e = x + 1 < nx ? x + 1 : 0, west = x > 0 ? x - 1 : nx - 1;
    uint n = y + 1 < ny ? y + 1 : 0, s = y > 0 ? y - 1 : ny - 1;
    uint t = z + 1 < nz ? ny * (z + 1) : 0, b = ny * (z > 0 ? z - 1 : nz - 1), level = ny * z;
    to[here] = is_solid ? f0 : f0 + rate * (still / 3 - f0);
    PAIR(1, 2, 1.0f / 18, u, e, row, west, row)
    PAIR(3, 4, 1.0f / 18, v, x, n + level, x, s + level)
    PAIR(5, 6, 1.0f / 18, w, x, y + t, x, y + b)
    PAIR(7, 8, 1.0f / 36, u + v, e, n + level, west, s + level)
    PAIR(9, 10, 1.0f / 36, u - v, e, s + level, west, n + level)
    PAIR(11, 12, 1.0f / 36, u + w, e, y + t, west, y + b)
    PAIR(13, 14, 1.0f / 36, u - w, e, y + b, west, y + t)
    PAIR(15, 16, 1.0f / 36, v + w, x, n + t, x, s + b)
    PAIR(17, 18, 1.0f / 36, v - w, x, n + b, x, s + t)
}

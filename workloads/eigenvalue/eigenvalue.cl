/* Eigenvalues of a symmetric tridiagonal matrix by bisection.  n intervals cover the eigenvalues
 * that are still looked for: (low, high) in `interval`, how many lie inside in `inside`. */

/* How many eigenvalues are below x: the negative pivots of the factors of the matrix less x
 * (Sturm's sequence).  All work-items read the same elements at the same time. */
uint below(float x, __global const float *diagonal, __global const float *side, uint n)
{
    float pivot = diagonal[0] - x;
    uint count = pivot < 0;
    for (uint i = 1; i < n; i++) {
        float e = side[i - 1];
        if (fabs(pivot) < 1e-20f) pivot = -1e-20f;
        pivot = diagonal[i] - x - e * e / pivot;
        count += pivot < 0;
    }
    return count;
}

__kernel void count_inside(__global const float2 *interval, __global uint *inside,
                           __global const float *diagonal, __global const float *side, uint n)
{
    uint item = get_global_id(0);
    float2 own = interval[item];
    inside[item] = below(own.y, diagonal, side, n) - below(own.x, diagonal, side, n);
}

/* Work-item k narrows the interval that holds eigenvalue k: with it alone, to one half; else to one
 * of as many parts as it holds eigenvalues. */
__kernel void narrow(__global const float2 *interval, __global const uint *inside,
                     __global float2 *out, __global const float *diagonal,
                     __global const float *side, uint n)
{
    uint item = get_global_id(0), i = 0, before = 0, held = inside[0];
    while (before + held <= item && i + 1 < n) {
        before += held;
        held = inside[++i];
    }
    float2 old = interval[i], now = old;
    if (held == 1) {
        float middle = (old.x + old.y) / 2;
        if (below(middle, diagonal, side, n) > below(old.x, diagonal, side, n))
            now.y = middle;
        else
            now.x = middle;
    } else {
        uint part = item - before;
        float width = (old.y - old.x) / held;
        now.x = old.x + width * part;
        if (part + 1 < held) now.y = old.x + width * (part + 1);
    }
    out[item] = now;
}

#define WIDE 32
#define HIGH 4

/* A Jacobi step of Laplace's equation: a cell becomes the mean of its six neighbours, those on the
 * hull stay.  A group goes up along z with a tile of the plane and its rim in shared memory; what
 * lies above and below a cell its work-item keeps. */
__kernel __attribute__((reqd_work_group_size(WIDE, HIGH, 1))) void
laplace3d_step(__global const float *from, __global float *to, uint nz)
{
    __local float tile[HIGH + 2][WIDE + 2];
    uint nx = get_global_size(0), ny = get_global_size(1), plane = nx * ny;
    uint i = get_local_id(0) + 1, j = get_local_id(1) + 1;
    uint x = get_global_id(0), y = get_global_id(1), at = y * nx + x;
    bool hull = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
    float below, here = from[at], above = from[at + plane];
    to[at] = here;
    for (uint z = 1; z < nz - 1; z++) {
        at += plane;
        below = here;
        here = above;
        above = from[at + plane];
        tile[j][i] = here;
        if (i == 1 && x > 0) tile[j][0] = from[at - 1];
        if (i == WIDE && x < nx - 1) tile[j][WIDE + 1] = from[at + 1];
        if (j == 1 && y > 0) tile[0][i] = from[at - nx];
        if (j == HIGH && y < ny - 1) tile[HIGH + 1][i] = from[at + nx];
        barrier(CLK_LOCAL_MEM_FENCE);
        float result = here;
        if (!hull)
            result = (below + above + tile[j][i - 1] + tile[j][i + 1] + tile[j - 1][i] +
                      tile[j + 1][i]) *
                     (1.0f / 6);
        to[at] = result;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    to[at + plane] = above;
}

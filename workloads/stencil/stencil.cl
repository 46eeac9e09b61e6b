/* A 7-point stencil: a column of cells along z per work-item; of the cells above and below it
 * remembers what it has read. */
__kernel void stencil_step(__global const float *in, __global float *out, uint nx, uint ny, uint nz)
{
    uint x = get_global_id(0), y = get_global_id(1), plane = nx * ny;
    if (x == 0 || y == 0 || x >= nx - 1 || y >= ny - 1) return;
    uint cell = y * nx + x;
    float below = in[cell], here = in[cell + plane];
    for (uint z = 1; z < nz - 1; z++) {
        cell += plane;
        float above = in[cell + plane];
        float around = in[cell - 1] + in[cell + 1] + in[cell - nx] + in[cell + nx];
        out[cell] = 0.4f * here + 0.1f * (above + below + around);
        below = here;
        here = above;
    }
}

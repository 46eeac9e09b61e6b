#define DEPTH 8  /* atoms in a bin */
#define STAGED 16 /* bins in shared memory */
#define GROUP (DEPTH * STAGED)
#define SPACING 0.5f

/* The smoothed Coulomb potential of atoms within a cut-off.  A group has a cube of 8 x 8 x 8
 * points, which is the bin of atoms beneath it, a work-item four points, two apart along z.  Atoms
 * (x, y, z, charge; no charge: no more in this bin) come from the bins near by, 16 at a time.
 * `side` bins of the grid stand in `outer`, rims included. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
cutcp_lattice(__global const float4 *bin, __constant const int *near_by, __global float *energy,
              uint nearby_bins, float cutoff2, uint side, uint outer)
{
    __local float4 staged[GROUP];
    uint i = get_local_id(0), group = get_group_id(0), rim = (outer - side) / 2;
    uint bin_x = group % side, bin_y = group / side % side, bin_z = group / (side * side);
    int own = (int)(((bin_z + rim) * outer + bin_y + rim) * outer + bin_x + rim);
    uint x = 8 * bin_x + i % 8, y = 8 * bin_y + i / 8 % 8, z = 8 * bin_z + i / 64;
    float at_x = SPACING * x, at_y = SPACING * y, inverse = 1 / cutoff2;
    float4 at_z = SPACING * z + 2 * SPACING * (float4)(0, 1, 2, 3), sum = 0;

    for (uint first = 0; first < nearby_bins; first += STAGED) {
        uint b = first + i / DEPTH;
        if (b < nearby_bins) staged[i] = bin[(own + near_by[b]) * DEPTH + (int)(i % DEPTH)];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint bins = min((uint)STAGED, nearby_bins - first);
        for (uint j = 0; j < bins * DEPTH; j++) {
            float4 a = staged[j];
            if (a.w == 0) {
                j |= DEPTH - 1; /* on to the next bin */
                continue;
            }
            float dx = at_x - a.x, dy = at_y - a.y;
            float4 dz = at_z - a.z, r2 = dx * dx + dy * dy + dz * dz, fade = 1 - r2 * inverse;
            float4 term = a.w * rsqrt(r2) * fade * fade;
            sum += select((float4)0, term, r2 < cutoff2);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    uint width = 8 * side;
    __global float *point = energy + (z * width + y) * width + x;
    point[0] = sum.s0;
    point[2 * width * width] = sum.s1;
    point[4 * width * width] = sum.s2;
    point[6 * width * width] = sum.s3;
}

/* The matrix Q of non-Cartesian reconstruction of magnetic resonance images (Stone et al. 2008). */
__kernel void mriq_magnitude(__global const float *real, __global const float *imaginary,
                             __global float *magnitude, uint n)
{
    uint i = get_global_id(0);
    if (i >= n) return;
    magnitude[i] = real[i] * real[i] + imaginary[i] * imaginary[i];
}

/* Adds what `n` samples (place in k-space; magnitude) give each voxel. */
__kernel void mriq_q(__constant const float4 *sample, __global const float *x,
                     __global const float *y, __global const float *z, __global float *real,
                     __global float *imaginary, uint n, uint voxels)
{
    uint i = get_global_id(0);
    if (i >= voxels) return;
    float at_x = x[i], at_y = y[i], at_z = z[i], re = real[i], im = imaginary[i];
    for (uint k = 0; k < n; k++) {
        float4 s = sample[k];
        float phase = 2 * M_PI_F * (s.x * at_x + s.y * at_y + s.z * at_z);
        re += s.w * native_cos(phase);
        im += s.w * native_sin(phase);
    }
    real[i] = re;
    imaginary[i] = im;
}

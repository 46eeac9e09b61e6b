/* One stage of the fast Walsh transform (natural order): a butterfly per work-item, in global
 * memory.  `distance` is how far its two elements are apart, a power of two. */
__kernel void fwt_stage(__global float *data, uint distance)
{
    uint item = get_global_id(0);
    uint low = item & (distance - 1);
    uint first = 2 * (item - low) + low;
    float a = data[first], b = data[first + distance];
    data[first] = a + b;
    data[first + distance] = a - b;
}

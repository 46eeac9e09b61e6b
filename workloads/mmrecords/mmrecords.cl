/* A matrix product as a map: a record, and a work-item, per element of c, row by row.  A record names a row
 * of a and a column of b; b is kept column by column, so that both are read from one word to the next. */
__kernel void mmrecords_map(__global const float *a, __global const float *columns,
                            __global float *c, uint n, uint depth)
{
    uint record = get_global_id(0);
    if (record >= n * n) return;
    __global const float *row = a + record / n * depth, *column = columns + record % n * depth;
    float sum = 0;
    for (uint k = 0; k < depth; k++)
        sum += row[k] * column[k];
    c[record] = sum;
}

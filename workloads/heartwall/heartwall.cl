/* Follows points from frame to frame by template matching, a group per point: the place in the
 * window around the old one where the normalised correlation with the point's template is largest.
 * A template has `side` = 2 radius + 1 pixels a side, a window `wide` = side + 2 reach; sums and
 * squares are summed-area tables of the window with a row and a column of zeros before it.  All
 * these arrays belong to one group. */
#define GROUP 256
#define KEPT 0.9f /* of the template, from frame to frame */

static float group_sum(__local float *part, float value)
{
    uint i = get_local_id(0);
    part[i] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        if (i < half_way) part[i] += part[i + half_way];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float sum = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

static void cut_window(__global const float *frame, __global float *window, uint width, uint left,
                       uint top, uint wide)
{
    for (uint i = get_local_id(0); i < wide * wide; i += GROUP)
        window[i] = frame[(top + i / wide) * width + left + i % wide];
    barrier(CLK_GLOBAL_MEM_FENCE);
}

/* First down the columns, a work-item each, then along the rows. */
static void sum_areas(__global const float *window, __global float *sums, __global float *squares,
                      uint wide)
{
    for (uint c = get_local_id(0); c < wide; c += GROUP) {
        float sum = 0, square = 0;
        for (uint r = 0; r < wide; r++) {
            float pixel = window[r * wide + c];
            sum += pixel;
            square += pixel * pixel;
            sums[(r + 1) * (wide + 1) + c + 1] = sum;
            squares[(r + 1) * (wide + 1) + c + 1] = square;
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (uint r = get_local_id(0); r < wide; r += GROUP) {
        float sum = 0, square = 0;
        for (uint at = (r + 1) * (wide + 1) + 1, end = at + wide; at < end; at++) {
            sum += sums[at];
            square += squares[at];
            sums[at] = sum;
            squares[at] = square;
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

static float area(__global const float *table, uint at, uint side, uint stride)
{
    return table[at + side * stride + side] - table[at + side * stride] - table[at + side] +
           table[at];
}

/* Of every place in the window, a work-item each. */
static void correlate(__global const float *model, __global const float *window,
                      __global const float *sums, __global const float *squares,
                      __global float *map, float model_sum, float model_spread, uint side,
                      uint wide)
{
    uint places = wide - side + 1;
    for (uint i = get_local_id(0); i < places * places; i += GROUP) {
        uint x = i % places, y = i / places;
        float product = 0, pixels = side * side;
        for (uint r = 0; r < side; r++)
            for (uint c = 0; c < side; c++)
                product += model[r * side + c] * window[(y + r) * wide + x + c];
        float sum = area(sums, y * (wide + 1) + x, side, wide + 1);
        float square = area(squares, y * (wide + 1) + x, side, wide + 1);
        float spread = (square - sum * sum / pixels) * model_spread;
        map[i] = (product - sum * model_sum / pixels) * rsqrt(spread);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
}

/* Where the largest of n values stands. */
static uint best_place(__global const float *map, __local float *value, __local uint *place, uint n)
{
    uint i = get_local_id(0);
    value[i] = -2;
    place[i] = 0;
    for (uint j = i; j < n; j += GROUP) {
        float mine = map[j];
        if (mine <= value[i]) continue;
        value[i] = mine;
        place[i] = j;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        if (i < half_way && value[i + half_way] > value[i]) {
            value[i] = value[i + half_way];
            place[i] = place[i + half_way];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return place[0];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
heartwall_track(__global const float *frame, __global uint *corner, __global float *models,
                __global float *windows, __global float *all_sums, __global float *all_squares,
                __global float *maps, uint width, uint side, uint wide)
{
    __local float value[GROUP];
    __local uint place[GROUP];
    uint point = get_group_id(0), places = wide - side + 1, table = (wide + 1) * (wide + 1);
    __global float *model = models + point * side * side, *map = maps + point * places * places;
    __global float *window = windows + point * wide * wide, *sums = all_sums + point * table;
    __global float *squares = all_squares + point * table;
    uint left = corner[2 * point], top = corner[2 * point + 1];
    cut_window(frame, window, width, left, top, wide);
    sum_areas(window, sums, squares, wide);

    float sum = 0, square = 0, pixels = side * side;
    for (uint i = get_local_id(0); i < side * side; i += GROUP) {
        float pixel = model[i];
        sum += pixel;
        square += pixel * pixel;
    }
    sum = group_sum(value, sum);
    square = group_sum(value, square);
    correlate(model, window, sums, squares, map, sum, square - sum * sum / pixels, side, wide);

    uint best = best_place(map, value, place, places * places);
    uint x = best % places, y = best / places;
    for (uint i = get_local_id(0); i < side * side; i += GROUP)
        model[i] = KEPT * model[i] +
                   (1 - KEPT) * window[(y + i / side) * wide + x + i % side];
    if (get_local_id(0) != 0) return;
    corner[2 * point] = left + x - places / 2;
    corner[2 * point + 1] = top + y - places / 2;
}

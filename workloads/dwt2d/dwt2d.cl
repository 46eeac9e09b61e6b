/* The reversible 5/3 wavelet transform by lifting: high[n] = x[2n + 1] - (x[2n] + x[2n + 2]) / 2,
 * low[n] = x[2n] + (high[n - 1] + high[n] + 2) / 4, rounding down; signals go on mirrored. */
#define WIDE 64
#define ROWS 8
#define RIM 2 /* columns left of the window; one more stands right of it */

/* Bytes r g b r g b ... to three planes of integers around 0; a group reads its 768 bytes as
 * words. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
dwt2d_split(__global const uint *picture, __global int *red, __global int *green,
            __global int *blue)
{
    __local uint words[192];
    __local const uchar *byte = (__local const uchar *)words;
    uint i = get_local_id(0), pixel = get_global_id(0);
    if (i < 192) words[i] = picture[192 * get_group_id(0) + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    red[pixel] = byte[3 * i] - 128;
    green[pixel] = byte[3 * i + 1] - 128;
    blue[pixel] = byte[3 * i + 2] - 128;
}

static int mirrored(int i, int n)
{
    return i < 0 ? -i : i < n ? i : 2 * (n - 1) - i;
}

/* Reads `count` rows of the plane, from row `first` on, with their rims, and transforms each in
 * place: two at a time, 32 pairs of columns each.  Inlined: PoCL 3.1 loses barriers in functions.
 */
__attribute__((always_inline)) static void transform_rows(__global const int *plane,
                                                          __local int (*window)[RIM + WIDE + 1],
                                                          int first, int count, int width,
                                                          int height)
{
    int i = (int)get_local_id(0), left = (int)get_group_id(0) * WIDE - RIM;
    for (int r = 0; r < count; r++) {
        __global const int *row = plane + mirrored(first + r, height) * width;
        window[r][i] = row[mirrored(left + i, width)];
        if (i <= RIM) window[r][WIDE + i] = row[mirrored(left + WIDE + i, width)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int column = RIM + 2 * (i % (WIDE / 2));
    for (int r = i / (WIDE / 2); r < count; r += 2) {
        __local int *x = window[r];
        x[column + 1] -= (x[column] + x[column + 2]) >> 1;
        if (column == RIM) x[1] -= (x[0] + x[2]) >> 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = i / (WIDE / 2); r < count; r += 2) {
        __local int *x = window[r];
        x[column] += (x[column - 1] + x[column + 1] + 2) >> 2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* One level: a group slides a window of 64 columns down `slides` times 8 rows; a work-item keeps
 * its column's last two values.  The quarter of low rows and columns goes to `low`, where the next
 * level reads it; `detail` takes the others (low rows, high columns; high, low; high, high). */
__kernel __attribute__((reqd_work_group_size(WIDE, 1, 1))) void
dwt2d_level(__global const int *plane, __global int *low, __global int *detail, int width,
            int height, int slides)
{
    __local int window[ROWS][RIM + WIDE + 1];
    int i = (int)get_local_id(0), high = i / (WIDE / 2), pair = i % (WIDE / 2);
    int mine = RIM + 2 * pair + high, half_width = width / 2, band = half_width * height / 2;
    int first = (int)get_group_id(1) * slides * ROWS, end = min(first + slides * ROWS, height);
    __global int *above = high ? detail : low, *below = detail + (high ? 2 : 1) * band;
    int at = first / 2 * half_width + (int)get_group_id(0) * (WIDE / 2) + pair;

    transform_rows(plane, window, first - 2, 3, width, height);
    int even = window[2][mine], before = window[1][mine] - ((window[0][mine] + even) >> 1);
    for (int row = first; row < end; row += ROWS) {
        barrier(CLK_LOCAL_MEM_FENCE);
        transform_rows(plane, window, row + 1, ROWS, width, height);
        for (int r = 0; r < ROWS; r += 2) {
            int next = window[r + 1][mine], after = window[r][mine] - ((even + next) >> 1);
            above[at] = even + ((before + after + 2) >> 2);
            below[at] = after;
            even = next;
            before = after;
            at += half_width;
        }
    }
}

/* pathfinder.c - cheapest ways from the top of a field to each cell of its last row, by dynamic
 * programming, some rows per launch.
 *
 * Usage: pathfinder [WIDTH [HEIGHT [ROWS]]]      4096 32 8 if not given; ROWS per launch
 * Compared with the host. */
#include "common/program.h"

enum { WORD = sizeof(cl_int) };

static const cl_int *reference(struct program *p, const cl_int *cost, size_t width, size_t height)
{
    cl_int *sum[2] = {program_array(p, width, WORD), program_array(p, width, WORD)};
    for (size_t x = 0; x < width; x++)
        sum[0][x] = cost[x];
    for (size_t y = 1; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            const cl_int *above = sum[~y & 1];
            cl_int least = above[x];
            if (x > 0 && above[x - 1] < least) least = above[x - 1];
            if (x + 1 < width && above[x + 1] < least) least = above[x + 1];
            sum[y & 1][x] = least + cost[y * width + x];
        }
    return sum[~height & 1];
}

int main(int argc, char **argv)
{
    struct program p;
    struct data_random r = {9};
    program_open(&p, "pathfinder", "pathfinder [WIDTH [HEIGHT [ROWS]]], ROWS from 1 to 64", argc,
                 argv);
    cl_uint width = program_number(&p, 4096, 1, 1 << 22), height = program_number(&p, 32, 2, 4096);
    cl_uint rows = program_number(&p, 8, 1, 64), launch = 0;
    program_start(&p);
    cl_int *cost = program_array(&p, (size_t)width * height, WORD);
    for (size_t i = 0; i < (size_t)width * height; i++)
        cost[i] = (cl_int)(data_next(&r) % 10);
    cl_mem costs = program_buffer(&p, (size_t)width * height * WORD, cost);
    cl_mem sum[2] = {program_buffer(&p, width * (size_t)WORD, cost),
                     program_buffer(&p, width * (size_t)WORD, NULL)};
    cl_kernel kernel =
        program_kernel(&p, "pathfinder_rows", "bbbuuu", costs, sum[0], sum[1], 0, 0, width);
    for (cl_uint y = 1; y < height; y += rows, launch++) {
        cl_uint now = height - y < rows ? height - y : rows, strip = PROGRAM_GROUP - 2 * now;
        host_arg(kernel, 1, sizeof *sum, &sum[launch & 1]);
        host_arg(kernel, 2, sizeof *sum, &sum[~launch & 1]);
        program_set_uint(kernel, 3, y);
        program_set_uint(kernel, 4, now);
        program_launch(&p, kernel, (size_t)(width + strip - 1) / strip * PROGRAM_GROUP);
    }
    const cl_int *got = program_read(&p, sum[launch & 1], width * (size_t)WORD);
    size_t wrong = data_wrong_bytes(got, reference(&p, cost, width, height), width, WORD);
    return program_end(&p, wrong, "%u x %u, %u launches", width, height, launch);
}

/* sortingnetworks.c - bitonic sort of arrays of keys with values: tiles in local memory, then a
 * launch per merge and far stride and one for the near strides of each merge.
 *
 * Usage: sortingnetworks [N [ARRAYS]]      N a power of two from 512; 4096 2 if not given
 * Keys must be those of the library's sort, and each value must have stayed with its key. */
#include "common/program.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = sizeof(cl_uint), TILE = 512 };

static void sort(struct program *p, cl_mem key, cl_mem value, cl_uint n, size_t all)
{
    cl_kernel tiles = program_kernel(p, "sort_tiles", "bbu", key, value, n);
    cl_kernel far = program_kernel(p, "merge_far", "bbuuu", key, value, n, 0, 0);
    cl_kernel near = program_kernel(p, "merge_near", "bbuu", key, value, n, 0);
    program_launch(p, tiles, all / 2);
    for (cl_uint size = 2 * TILE; size <= n; size *= 2) {
        program_set_uint(far, 3, size);
        program_set_uint(near, 3, size);
        for (cl_uint stride = size / 2; stride >= TILE; stride /= 2) {
            program_set_uint(far, 4, stride);
            program_launch(p, far, all / 2);
        }
        program_launch(p, near, all / 2);
    }
}

static int ascending(const void *a, const void *b)
{
    cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b;
    return (x > y) - (x < y);
}

/* Values are the places of their keys before. */
static size_t wrong_pairs(const cl_uint *key, const cl_uint *value, const cl_uint *before,
                          const cl_uint *want, size_t all)
{
    size_t wrong = 0;
    for (size_t i = 0; i < all; i++)
        wrong += key[i] != want[i] || value[i] >= all || before[value[i]] != key[i];
    return wrong;
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "sortingnetworks",
                 "sortingnetworks [N [ARRAYS]], N a power of two from 512 to 2^26", argc, argv);
    cl_uint n = program_step(&p, 4096, TILE, 1 << 26, 0);
    cl_uint arrays = program_number(&p, 2, 1, 1 << 16);
    size_t all = (size_t)n * arrays;
    program_demand(&p, all <= 1u << 28);
    program_start(&p);
    struct data_random r = {1};
    cl_uint *key = program_array(&p, all, WORD), *value = program_array(&p, all, WORD);
    for (size_t i = 0; i < all; i++) {
        key[i] = data_next(&r);
        value[i] = (cl_uint)i;
    }
    cl_mem keys = program_buffer(&p, all * WORD, key),
           values = program_buffer(&p, all * WORD, value);
    sort(&p, keys, values, n, all);
    cl_uint *want = program_array(&p, all, WORD);
    memcpy(want, key, all * WORD);
    for (size_t i = 0; i < all; i += n)
        qsort(want + i, n, WORD, ascending);
    const cl_uint *got = program_read(&p, keys, all * WORD);
    const cl_uint *place = program_read(&p, values, all * WORD);
    return program_end(&p, wrong_pairs(got, place, key, want, all), "%u arrays of %u", arrays, n);
}

/* mergesort.c - merge sort of keys with values: tiles in local memory, then two launches for each
 * doubling of the runs, which find where the tiles of output begin and merge them.
 *
 * Usage: mergesort [N]      N a power of two from 512; 16384 if not given
 * Must be the host's merge sort, which counts the steps of the searches beside. */
#include "common/program.h"

enum { WORD = sizeof(cl_uint), TILE = 512 };

struct pairs {
    cl_uint *key, *value;
};

struct buffers {
    cl_mem key, value;
};

static struct buffers sort(struct program *p, const struct pairs *x, cl_uint n)
{
    size_t bytes = n * (size_t)WORD;
    struct buffers in = {program_buffer(p, bytes, x->key), program_buffer(p, bytes, x->value)};
    struct buffers out = {program_buffer(p, bytes, NULL), program_buffer(p, bytes, NULL)};
    cl_mem split = program_buffer(p, bytes / TILE, NULL);
    program_launch(p, program_kernel(p, "sort_tiles", "bbbb", in.key, in.value, out.key, out.value),
                   n / 2);
    for (cl_uint run = TILE; run < n; run *= 2) {
        struct buffers from = out;
        out = in;
        in = from;
        program_launch(p, program_kernel(p, "find_splits", "bbuu", in.key, split, run, n / TILE),
                       n / TILE);
        program_launch(p,
                       program_kernel(p, "merge_tiles", "bbbbbu", in.key, in.value, split, out.key,
                                      out.value, run),
                       n / 2);
    }
    return out;
}

/* Steps of a search between low and high that ends at `found`. */
static size_t steps_to(cl_uint low, cl_uint high, cl_uint found)
{
    size_t steps = 0;
    for (; low < high; steps++) {
        cl_uint middle = (low + high) / 2;
        if (middle < found)
            low = middle + 1;
        else
            high = middle;
    }
    return steps;
}

/* Merges two runs one by one; the steps of the searches for its tiles. */
static size_t merge(const struct pairs *from, const struct pairs *to, cl_uint first, cl_uint run)
{
    cl_uint a = 0, b = 0;
    size_t steps = 0;
    for (cl_uint i = 0; i < 2 * run; i++) {
        if (i % TILE == 0) steps += steps_to(i > run ? i - run : 0, i < run ? i : run, a);
        bool left = b == run || (a < run && from->key[first + a] <= from->key[first + run + b]);
        cl_uint at = left ? first + a++ : first + run + b++;
        to->key[first + i] = from->key[at];
        to->value[first + i] = from->value[at];
    }
    return steps;
}

static size_t sort_here(struct pairs *x, struct pairs *other, cl_uint n)
{
    size_t steps = 0;
    for (cl_uint run = 1; run < n; run *= 2) {
        for (cl_uint first = 0; first < n; first += 2 * run) {
            size_t taken = merge(x, other, first, run);
            steps += run >= TILE ? taken : 0;
        }
        struct pairs sorted = *other;
        *other = *x;
        *x = sorted;
    }
    return steps;
}

static struct pairs new_pairs(struct program *p, cl_uint n)
{
    return (struct pairs){program_array(p, n, WORD), program_array(p, n, WORD)};
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "mergesort", "mergesort [N], N a power of two from 512 to 2^26", argc, argv);
    cl_uint n = program_step(&p, 16384, TILE, 1 << 26, 0);
    program_start(&p);
    struct data_random r = {1};
    struct pairs x = new_pairs(&p, n), other = new_pairs(&p, n);
    for (cl_uint i = 0; i < n; i++) {
        x.key[i] = data_next(&r) % n; /* some keys are equal: their order counts */
        x.value[i] = i;
    }
    struct buffers out = sort(&p, &x, n);
    size_t steps = sort_here(&x, &other, n), bytes = n * (size_t)WORD;
    const cl_uint *key = program_read(&p, out.key, bytes),
                  *value = program_read(&p, out.value, bytes);
    return program_end(
        &p, data_wrong_bytes(key, x.key, n, WORD) + data_wrong_bytes(value, x.value, n, WORD),
        "%u pairs, %zu steps", n, steps);
}

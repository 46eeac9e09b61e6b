/* nw.c - Needleman-Wunsch: scores of the alignment of two sequences of N letters, a launch per
 * anti-diagonal of 16 x 16 tiles.
 *
 * Usage: nw [N]      256 if not given, a multiple of 16
 * All scores are compared with those of the host. */
#include "common/program.h"

enum { SIDE = 16, LETTERS = 20, PENALTY = 5 };

/* How well letters go together: alike well, otherwise more or less badly. */
static cl_int *similarities(struct program *p, size_t n)
{
    struct data_random r = {5};
    cl_int *alike = program_array(p, n * n, sizeof *alike), table[LETTERS][LETTERS];
    size_t *word = program_array(p, 2 * n, sizeof *word);
    for (int a = 0; a < LETTERS; a++)
        for (int b = 0; b <= a; b++)
            table[a][b] = table[b][a] =
                a == b ? 4 + (cl_int)(data_next(&r) % 6) : 1 - (cl_int)(data_next(&r) % 5);
    for (size_t i = 0; i < 2 * n; i++) /* the second is the first with changes */
        word[i] = i < n || data_next(&r) % 4 == 0 ? data_next(&r) % LETTERS : word[i - n];
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++)
            alike[y * n + x] = table[word[y]][word[n + x]];
    return alike;
}

static cl_int *border(struct program *p, size_t n)
{
    cl_int *score = program_array(p, (n + 1) * (n + 1), sizeof *score);
    for (size_t i = 0; i <= n; i++)
        score[i] = score[i * (n + 1)] = -PENALTY * (cl_int)i;
    return score;
}

static cl_int larger(cl_int a, cl_int b)
{
    return a > b ? a : b;
}

static void reference(const cl_int *alike, cl_int *s, size_t n)
{
    size_t w = n + 1;
    for (size_t y = 1; y <= n; y++)
        for (size_t x = 1; x <= n; x++)
            s[y * w + x] = larger(s[(y - 1) * w + x - 1] + alike[(y - 1) * n + x - 1],
                                  larger(s[y * w + x - 1], s[(y - 1) * w + x]) - PENALTY);
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "nw", "nw [N], N a multiple of 16, up to 16384", argc, argv);
    cl_uint n = program_step(&p, 256, SIDE, 16384, SIDE), tiles = n / SIDE;
    program_start(&p);
    size_t cells = (size_t)(n + 1) * (n + 1), wrong = 0;
    const cl_int *alike = similarities(&p, n);
    cl_int *expected = border(&p, n);
    cl_mem similarity = program_buffer(&p, (size_t)n * n * sizeof *alike, alike);
    cl_mem score = program_buffer(&p, cells * sizeof *expected, expected);
    cl_kernel kernel =
        program_kernel(&p, "nw_tiles", "bbuuuu", similarity, score, 0, 0, n, PENALTY);
    for (cl_uint diagonal = 0; diagonal < 2 * tiles - 1; diagonal++) {
        cl_uint first = diagonal < tiles ? 0 : diagonal - tiles + 1;
        program_set_uint(kernel, 2, diagonal);
        program_set_uint(kernel, 3, first);
        host_launch(&p.host, kernel, (size_t)(diagonal - 2 * first + 1) * SIDE, SIDE);
    }
    const cl_int *got = program_read(&p, score, cells * sizeof *got);
    reference(alike, expected, n);
    for (size_t i = 0; i < cells; i++)
        wrong += got[i] != expected[i];
    return program_end(&p, wrong, "%u letters, score %d", n, expected[cells - 1]);
}

/* floydwarshall.c - shortest paths between all pairs of N vertices, a launch per vertex.
 *
 * Usage: floydwarshall [N]     N a multiple of 16
 * The graph: a ring, so that all is reached, and 4 N random edges.  The distances must be those of
 * Dijkstra's algorithm from each vertex, and each pair's last detour must split its distance. */
#include "common/data.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP = 16, FAR = 1 << 29, LONGEST = 1000 };
static const uint32_t NOWHERE = UINT32_MAX;

static uint32_t *graph(size_t n)
{
    struct data_random r = {1};
    uint32_t *d = data_new(n * n, sizeof *d);
    for (size_t i = 0; i < n * n; i++)
        d[i] = i / n == i % n ? 0 : FAR;
    for (size_t i = 0; i < 5 * n; i++) {
        size_t from = i < n ? i : data_next(&r) % n, to = i < n ? (i + 1) % n : data_next(&r) % n;
        if (from != to) d[from * n + to] = 1 + data_next(&r) % LONGEST;
    }
    return d;
}

/* The row of distances from `from`, by Dijkstra. */
static void dijkstra(const uint32_t *edge, size_t n, size_t from, uint32_t *d)
{
    uint8_t *done = data_new(n, 1);
    for (size_t i = 0; i < n; i++)
        d[i] = i == from ? 0 : FAR;
    for (size_t round = 0; round < n; round++) {
        size_t best = n;
        for (size_t i = 0; i < n; i++)
            if (!done[i] && (best == n || d[i] < d[best])) best = i;
        done[best] = 1;
        for (size_t i = 0; i < n; i++)
            if (d[best] + edge[best * n + i] < d[i]) d[i] = d[best] + edge[best * n + i];
    }
    free(done);
}

static size_t wrong_pairs(const uint32_t *edge, const uint32_t *d, const uint32_t *over, size_t n)
{
    size_t wrong = 0;
    uint32_t *want = data_new(n, sizeof *want);
    for (size_t y = 0; y < n; y++) {
        dijkstra(edge, n, y, want);
        for (size_t x = 0; x < n; x++) {
            uint32_t k = over[y * n + x];
            uint32_t sum = k == NOWHERE ? edge[y * n + x] : d[y * n + k] + d[k * n + x];
            wrong += d[y * n + x] != want[x] || sum != want[x];
        }
    }
    free(want);
    return wrong;
}

static void run(const uint32_t *edge, uint32_t *d, uint32_t *over, size_t n)
{
    struct host h = host_open("floydwarshall/floydwarshall.cl");
    size_t bytes = n * n * sizeof *d;
    cl_mem buffer[] = {host_buffer(&h, bytes, edge), host_buffer(&h, bytes, over)};
    cl_kernel kernel = host_kernel(&h, "floyd_warshall");
    host_buffers(kernel, 2, buffer);
    for (uint32_t k = 0; k < n; k++) {
        host_word(kernel, 2, k);
        host_launch_2d(&h, kernel, (size_t[]){n, n}, (size_t[]){GROUP, GROUP});
    }
    host_read(&h, buffer[0], d, bytes);
    host_read(&h, buffer[1], over, bytes);
    clReleaseKernel(kernel);
    host_release(2, buffer);
    host_close(&h);
}

int main(int argc, char **argv)
{
    struct data_arg arg[] = {{"N", "a multiple of 16", 64, GROUP, 4096, GROUP}};
    data_args(argc, argv, arg, 1);
    size_t n = arg[0].value;
    uint32_t *edge = graph(n), *d = data_new(n * n, sizeof *d), *over = data_new(n * n, sizeof *d);
    memset(over, 0xff, n * n * sizeof *over);
    run(edge, d, over, n);
    size_t wrong = wrong_pairs(edge, d, over, n);
    free(edge);
    free(d);
    free(over);
    return data_verdict("floydwarshall", n * n, "pairs", wrong);
}

/* mrigridding.c - samples at irregular places gridded for a Fourier transform: binned by tiles,
 * then gathered by each tile's cells.
 *
 * Usage: mrigridding [SIDE [SAMPLES]]      16 1024 if not given; SIDE a multiple of 4
 * Samples crowd in the middle; weights are a Kaiser-Bessel window's, from a table.  Compared with
 * the host, which spreads each sample over the cells near it, in double precision. */
#include "common/program.h"

#include <math.h>

enum { TILE = 4, GROUP = TILE * TILE * TILE, TABLE = 1024, PARTS = 5, X = 0, Y, Z, RE, IM };
static const float radius2 = 6.25f, scale = TABLE / 6.25f;

struct samples {
    cl_uint n, side, tiles; /* tiles along a side */
    float *part[PARTS];     /* place in cells, value */
    float window[TABLE];
};

struct counts {
    size_t hits, staged,
        rows; /* cell and sample in reach; samples and rows that groups go through */
};

static float bessel(float x)
{
    double term = 1, sum = 1;
    for (unsigned k = 1; k < 30; k++) {
        term *= (double)x * (double)x / (4.0 * k * k);
        sum += term;
    }
    return (float)sum;
}

/* Places are multiples of 1 / 64, so that squares of distances are exact here and there. */
static void make_samples(struct samples *s, struct program *p)
{
    struct data_random r = {71};
    for (unsigned k = 0; k < PARTS; k++)
        s->part[k] = program_array(p, s->n, sizeof(float));
    for (cl_uint i = 0; i < s->n; i++) {
        for (unsigned k = X; k <= Z; k++) {
            float middle = (data_uniform(&r) + data_uniform(&r) + data_uniform(&r)) / 3;
            s->part[k][i] = floorf(middle * (float)s->side * 64) / 64;
        }
        s->part[RE][i] = data_uniform(&r);
        s->part[IM][i] = data_uniform(&r);
    }
    for (unsigned i = 0; i < TABLE; i++)
        s->window[i] = bessel(6 * sqrtf(1 - (float)i / TABLE)) / bessel(6);
}

/* Adds sample i to the cells of one row; those in reach. */
static size_t spread_row(const struct samples *s, cl_uint i, long z, long y, double *sum)
{
    size_t hits = 0;
    long side = s->side, middle = (long)s->part[X][i];
    for (long x = middle < 3 ? 0 : middle - 3; x < side && x <= middle + 3; x++) {
        float dx = s->part[X][i] - (float)x, dy = s->part[Y][i] - (float)y;
        float dz = s->part[Z][i] - (float)z, d2 = dx * dx + dy * dy + dz * dz;
        if (d2 >= radius2) continue;
        double w = (double)s->window[(cl_uint)(d2 * scale)];
        double *cell = sum + 2 * ((z * side + y) * side + x);
        cell[0] += w * (double)s->part[RE][i];
        cell[1] += w * (double)s->part[IM][i];
        hits++;
    }
    return hits;
}

static size_t spread(const struct samples *s, double *sum)
{
    size_t hits = 0;
    long side = s->side;
    for (cl_uint i = 0; i < s->n; i++) {
        long y0 = (long)s->part[Y][i], z0 = (long)s->part[Z][i];
        for (long z = z0 < 3 ? 0 : z0 - 3; z < side && z <= z0 + 3; z++)
            for (long y = y0 < 3 ? 0 : y0 - 3; y < side && y <= y0 + 3; y++)
                hits += spread_row(s, i, z, y, sum);
    }
    return hits;
}

/* How many tiles a tile's group looks at along an axis, itself among them. */
static cl_uint reach(cl_uint tile, cl_uint tiles)
{
    return 1u + (tile > 0) + (tile + 1 < tiles);
}

/* A tile's samples are staged by the groups of all tiles around it. */
static void count_staged(const struct samples *s, struct counts *c)
{
    size_t along = 3 * (size_t)s->tiles - 2;
    c->rows = along * along * s->tiles;
    for (cl_uint i = 0; i < s->n; i++) {
        size_t groups = 1;
        for (unsigned k = X; k <= Z; k++)
            groups *= reach((cl_uint)s->part[k][i] / TILE, s->tiles);
        c->staged += groups;
    }
}

/* The counts of tiles become where each begins, and behind them how many there are. */
static cl_uint *scan(struct program *p, const cl_uint *count, size_t n)
{
    cl_uint *start = program_array(p, n + 1, sizeof *start);
    for (size_t i = 0; i < n; i++)
        start[i + 1] = start[i] + count[i];
    return start;
}

static void run(struct program *p, const struct samples *s, cl_mem re, cl_mem im)
{
    size_t tiles = (size_t)s->tiles * s->tiles * s->tiles, bytes = s->n * sizeof(float);
    cl_mem part[PARTS], sorted = program_buffer(p, PARTS * bytes, NULL);
    for (unsigned k = 0; k < PARTS; k++)
        part[k] = program_buffer(p, bytes, s->part[k]);
    cl_mem count =
        program_buffer(p, tiles * sizeof(cl_uint), program_array(p, tiles, sizeof(cl_uint)));
    cl_mem window = program_buffer(p, sizeof s->window, s->window);
    program_launch(p,
                   program_kernel(p, "count_samples", "bbbbuu", part[X], part[Y], part[Z], count,
                                  s->n, s->tiles),
                   s->n);
    const cl_uint *start = scan(p, program_read(p, count, tiles * sizeof(cl_uint)), tiles);
    cl_mem starts = program_buffer(p, (tiles + 1) * sizeof *start, start);
    program_write(p, count, start, tiles * sizeof *start);
    program_launch(p,
                   program_kernel(p, "sort_samples", "bbbbbbbuu", part[X], part[Y], part[Z],
                                  part[RE], part[IM], count, sorted, s->n, s->tiles),
                   s->n);
    host_launch(&p->host,
                program_kernel(p, "grid_tiles", "bbbbbuuff", sorted, starts, window, re, im, s->n,
                               s->tiles, (double)radius2, (double)scale),
                tiles * GROUP, GROUP);
}

int main(int argc, char **argv)
{
    struct program p;
    struct samples s = {0};
    struct counts c = {0};
    program_open(&p, "mrigridding", "mrigridding [SIDE [SAMPLES]], SIDE a multiple of 4", argc,
                 argv);
    s.side = program_step(&p, 16, TILE, 512, TILE);
    s.n = program_number(&p, 1024, 1, 1 << 24);
    s.tiles = s.side / TILE;
    program_start(&p);
    make_samples(&s, &p);
    size_t cells = (size_t)s.side * s.side * s.side;
    cl_mem re = program_buffer(&p, cells * sizeof(float), NULL);
    cl_mem im = program_buffer(&p, cells * sizeof(float), NULL);
    run(&p, &s, re, im);
    double *sum = program_array(&p, 2 * cells, sizeof *sum);
    float *want = program_array(&p, 2 * cells, sizeof *want);
    c.hits = spread(&s, sum);
    count_staged(&s, &c);
    for (size_t i = 0; i < cells; i++) {
        want[i] = (float)sum[2 * i];
        want[cells + i] = (float)sum[2 * i + 1];
    }
    size_t wrong =
        data_wrong_floats(program_read(&p, re, cells * sizeof(float)), want, cells, 1e-5) +
        data_wrong_floats(program_read(&p, im, cells * sizeof(float)), want + cells, cells, 1e-5);
    return program_end(&p, wrong, "%zu cells, %u samples, %zu hits, %zu staged, %zu rows", cells,
                       s.n, c.hits, c.staged, c.rows);
}

/* cutcp.c - Coulomb potential with a cut-off on a lattice of points half an angstrom apart; the
 * atoms stand in bins of 4 angstroms a side.
 *
 * Usage: cutcp [BINS [CUTOFF]]      3 bins a side, 4 angstroms if not given
 * (8 BINS)^3 points.  A bin has room for eight atoms; those that find none the host adds.
 * Compared with sums over all atoms in double precision, on large lattices at part of the points.
 */
#include "common/program.h"

#include <math.h>

enum {
    MOST_COMPARED = 1 << 15,
    WORD = sizeof(float),
    DEPTH = 8,
    POINTS = 8,
    PER_BIN = 5,
    GROUP = 128,
    BIN = 4
};

static const double spacing = 0.5;

struct lattice {
    cl_uint bins, rim, outer, cutoff; /* bins a side, around, with them; angstroms */
    size_t points, atoms, extras, nearby_bins;
    float *atom, *bin, *extra; /* of four: x, y, z, charge */
    cl_int *near_by;
};

static void put_atoms(struct program *p, struct lattice *s)
{
    struct data_random r = {17};
    size_t outer = s->outer;
    s->atom = program_array(p, 4 * s->atoms, WORD), s->extra = program_array(p, 4 * s->atoms, WORD);
    s->bin = program_array(p, outer * outer * outer * DEPTH * 4, WORD);
    cl_uint *filled = program_array(p, outer * outer * outer, sizeof *filled);
    for (size_t i = 0; i < s->atoms; i++) {
        float *a = s->atom + 4 * i;
        size_t b = 0;
        for (int k = 2; k >= 0; k--) {
            a[k] = data_uniform(&r) * (float)(s->bins * BIN);
            b = b * outer + s->rim + (size_t)(a[k] / BIN);
        }
        a[3] = (data_uniform(&r) < 0.5f ? -1.0f : 1.0f) * (0.1f + data_uniform(&r));
        float *to =
            filled[b] < DEPTH ? s->bin + 4 * (b * DEPTH + filled[b]++) : s->extra + 4 * s->extras++;
        for (int k = 0; k < 4; k++)
            to[k] = a[k];
    }
}

static double gap(int bins)
{
    return bins > 1 ? (bins - 1.0) * BIN : bins < -1 ? (-bins - 1.0) * BIN : 0;
}

/* The bins that can hold an atom within the cut-off of a point of bin 0. */
static void find_near_by(struct program *p, struct lattice *s)
{
    int rim = (int)s->rim, outer = (int)s->outer;
    size_t cube = (2 * (size_t)s->rim + 1) * (2 * (size_t)s->rim + 1) * (2 * (size_t)s->rim + 1);
    s->near_by = program_array(p, cube, sizeof *s->near_by);
    for (int z = -rim; z <= rim; z++)
        for (int y = -rim; y <= rim; y++)
            for (int x = -rim; x <= rim; x++) {
                double square = gap(x) * gap(x) + gap(y) * gap(y) + gap(z) * gap(z);
                if (square >= s->cutoff * s->cutoff) continue;
                s->near_by[s->nearby_bins++] = (z * outer + y) * outer + x;
            }
}

static double potential(const struct lattice *s, const float *atom, size_t n, size_t point)
{
    size_t width = s->bins * (size_t)POINTS;
    double at[3] = {spacing * (double)(point % width), spacing * (double)(point / width % width),
                    spacing * (double)(point / width / width)};
    double sum = 0, limit = (double)s->cutoff * s->cutoff;
    for (const float *a = atom; a < atom + 4 * n; a += 4) {
        double x = at[0] - a[0], y = at[1] - a[1], z = at[2] - a[2], r2 = x * x + y * y + z * z;
        if (r2 < limit) sum += a[3] / sqrt(r2) * (1 - r2 / limit) * (1 - r2 / limit);
    }
    return sum;
}

static const float *run(struct program *p, const struct lattice *s)
{
    size_t outer = s->outer;
    cl_mem bin = program_buffer(p, outer * outer * outer * DEPTH * 4 * WORD, s->bin);
    cl_mem near_by = program_buffer(p, s->nearby_bins * sizeof *s->near_by, s->near_by);
    cl_mem energy = program_buffer(p, s->points * WORD, NULL);
    cl_kernel kernel =
        program_kernel(p, "cutcp_lattice", "bbbufuu", bin, near_by, energy, (cl_uint)s->nearby_bins,
                       (double)s->cutoff * (double)s->cutoff, s->bins, s->outer);
    host_launch(&p->host, kernel, (size_t)s->bins * s->bins * s->bins * GROUP, GROUP);
    return program_read(p, energy, s->points * WORD);
}

/* Of large lattices a part, all over them. */
static size_t compare(struct program *p, const struct lattice *s, const float *energy)
{
    size_t apart = s->points / MOST_COMPARED | 1, n = 0;
    float *got = program_array(p, s->points, WORD), *want = program_array(p, s->points, WORD);
    for (size_t i = 0; i < s->points; i += apart, n++) {
        got[n] = energy[i] + (float)potential(s, s->extra, s->extras, i);
        want[n] = (float)potential(s, s->atom, s->atoms, i);
    }
    return data_wrong_floats(got, want, n, 1e-4);
}

int main(int argc, char **argv)
{
    struct program p;
    struct lattice s = {0};
    program_open(&p, "cutcp", "cutcp [BINS <= 32 [CUTOFF <= 12]]", argc, argv);
    s.bins = program_number(&p, 3, 1, 32);
    s.cutoff = program_number(&p, 4, 1, 12);
    program_start(&p);
    s.rim = (s.cutoff + BIN - 1) / BIN;
    s.outer = s.bins + 2 * s.rim;
    s.atoms = (size_t)PER_BIN * s.bins * s.bins * s.bins;
    s.points = (size_t)POINTS * POINTS * POINTS * s.bins * s.bins * s.bins;
    put_atoms(&p, &s);
    find_near_by(&p, &s);
    return program_end(&p, compare(&p, &s, run(&p, &s)),
                       "%zu points, %zu atoms, %zu bins near by, %zu atoms left over", s.points,
                       s.atoms, s.nearby_bins, s.extras);
}

/* cfd.c - the Euler equations of a gas that streams over a wall, by finite volumes on an
 * unstructured mesh: cubes cut into six tetrahedra each, with moved corners, numbered in a
 * partly random order.
 *
 * Usage: cfd [CUBES [STEPS]]      8 a side, 1 if not given
 * 6 CUBES^3 cells of 132 bytes; seven launches per step.  Compared with the same steps on the host
 * in double precision, which goes over faces instead of cells. */
#include "common/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = sizeof(float), V = 5, STAGES = 3, WALL = -1, FAR = -2, MIXED = 128 };

static const double far_field[V] = {1.4, 1.4 * 1.2, 0, 0, 1 / 0.4 + 0.5 * 1.4 * 1.2 * 1.2};

struct mesh {
    cl_uint cubes, n; /* a side; cells */
    double (*vertex)[3];
    cl_uint (*corner)[4]; /* of cells: their vertices */
    cl_int *neighbour;    /* [4 n], as on the device */
    float *normal, *shape;
    size_t inner; /* faces of cells with a neighbour */
};

struct face {
    cl_uint vertex[3], cell, number;
};

/* --- mesh --- */

static void make_vertices(struct program *p, struct mesh *m)
{
    struct data_random r = {23};
    size_t side = m->cubes + 1;
    m->vertex = program_array(p, side * side * side, sizeof *m->vertex);
    for (size_t i = 0; i < side * side * side; i++) {
        const size_t at[3] = {i % side, i / side % side, i / side / side};
        for (int k = 0; k < 3; k++) {
            bool on_rim = at[k] == 0 || at[k] == m->cubes;
            m->vertex[i][k] = (double)at[k] + (on_rim ? 0 : 0.2 * (data_uniform(&r) - 0.5));
        }
    }
}

/* A tetrahedron per order of the axes in which to go from one corner of a cube to the opposite
 * one. */
static void make_cells(struct program *p, struct mesh *m)
{
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    struct data_random r = {29};
    cl_uint side = m->cubes + 1;
    const cl_uint step[3] = {1, side, side * side};
    m->corner = program_array(p, m->n, sizeof *m->corner);
    for (cl_uint i = 0; i < m->n; i++) {
        cl_uint cube = i / 6, c = m->cubes;
        cl_uint at = cube % c + cube / c % c * side + cube / c / c * side * side;
        for (int k = 0; k < 4; k++) {
            m->corner[i][k] = at;
            if (k < 3) at += step[order[i % 6][k]];
        }
    }
    for (cl_uint i = 0; i < m->n; i++) {
        cl_uint most = m->n - i < MIXED ? m->n - i : MIXED, j = i + data_next(&r) % most, spare[4];
        memcpy(spare, m->corner[i], sizeof spare);
        memcpy(m->corner[i], m->corner[j], sizeof spare);
        memcpy(m->corner[j], spare, sizeof spare);
    }
}

static int by_vertices(const void *a, const void *b)
{
    const struct face *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x->vertex[k] != y->vertex[k]) return x->vertex[k] < y->vertex[k] ? -1 : 1;
    return 0;
}

static void sort3(cl_uint v[3])
{
    for (int k = 0; k < 3; k++) {
        int a = k == 1, b = a + 1; /* pairs 0 1, 1 2, 0 1 */
        cl_uint low = v[a] < v[b] ? v[a] : v[b], high = v[a] < v[b] ? v[b] : v[a];
        v[a] = low, v[b] = high;
    }
}

static void find_neighbours(struct program *p, struct mesh *m)
{
    size_t n = 4 * (size_t)m->n;
    cl_uint level = (m->cubes + 1) * (m->cubes + 1);
    struct face *face = program_array(p, n, sizeof *face);
    m->neighbour = program_array(p, n, WORD);
    for (cl_uint i = 0; i < n; i++) {
        struct face *f = &face[i];
        f->cell = i / 4, f->number = i % 4;
        for (cl_uint k = 0; k < 3; k++)
            f->vertex[k] = m->corner[f->cell][(f->number + 1 + k) % 4];
        sort3(f->vertex);
    }
    qsort(face, n, sizeof *face, by_vertices);
    for (size_t i = 0; i < n; i++) {
        const struct face *f = &face[i];
        size_t at = (size_t)f->number * m->n + f->cell;
        if (i + 1 < n && by_vertices(f, f + 1) == 0)
            m->neighbour[at] = (cl_int)f[1].cell;
        else if (i > 0 && by_vertices(f, f - 1) == 0)
            m->neighbour[at] = (cl_int)f[-1].cell;
        else
            m->neighbour[at] = f->vertex[2] < level ? WALL : FAR;
        m->inner += m->neighbour[at] >= 0;
    }
}

/* Half the cross product of two edges, away from `inside`; gives its product with the edge to
 * there, three times the volume. */
static double face_normal(double *normal, const double *a, const double *b, const double *c,
                          const double *inside)
{
    double height = 0;
    for (int k = 0; k < 3; k++) {
        int y = (k + 1) % 3, z = (k + 2) % 3;
        normal[k] = 0.5 * ((b[y] - a[y]) * (c[z] - a[z]) - (b[z] - a[z]) * (c[y] - a[y]));
    }
    for (int k = 0; k < 3; k++)
        height += normal[k] * (a[k] - inside[k]);
    for (int k = 0; k < 3; k++)
        normal[k] = height < 0 ? -normal[k] : normal[k];
    return fabs(height);
}

static void measure(struct program *p, struct mesh *m)
{
    m->normal = program_array(p, 12 * (size_t)m->n, WORD), m->shape = program_array(p, m->n, WORD);
    for (size_t i = 0; i < m->n; i++)
        for (size_t f = 0; f < 4; f++) {
            const cl_uint *c = m->corner[i];
            double normal[3];
            double volume =
                face_normal(normal, m->vertex[c[(f + 1) % 4]], m->vertex[c[(f + 2) % 4]],
                            m->vertex[c[(f + 3) % 4]], m->vertex[c[f]]) /
                3;
            for (size_t k = 0; k < 3; k++)
                m->normal[(3 * f + k) * m->n + i] = (float)normal[k];
            m->shape[i] = (float)(cbrt(volume) / volume);
        }
}

/* --- reference --- */

static double gas_pressure(const double u[V])
{
    return 0.4 * (u[4] - 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0]);
}

static double gas_speed(const double u[V])
{
    return sqrt(u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0] +
           sqrt(1.4 * gas_pressure(u) / u[0]);
}

/* What flows from a to b through a face. */
static void face_flux(double out[V], const double a[V], const double b[V], const double normal[3])
{
    double size = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    double smoothing = 0.5 * 0.3 * size * (gas_speed(a) + gas_speed(b));
    const double *side[2] = {a, b};
    for (int v = 0; v < V; v++)
        out[v] = smoothing * (a[v] - b[v]);
    for (int s = 0; s < 2; s++) {
        const double *u = side[s];
        double p = gas_pressure(u);
        double through = (u[1] * normal[0] + u[2] * normal[1] + u[3] * normal[2]) / u[0];
        for (int v = 0; v < V; v++)
            out[v] += 0.5 * through * (u[v] + (v == 4 ? p : 0));
        for (int k = 0; k < 3; k++)
            out[1 + k] += 0.5 * p * normal[k];
    }
}

static void add_face(const struct mesh *m, const double (*u)[V], double (*flux)[V], size_t i,
                     size_t f)
{
    int other = m->neighbour[f * m->n + i];
    double out[V], normal[3];
    if (other >= 0 && (size_t)other < i) return; /* seen from there */
    for (size_t k = 0; k < 3; k++)
        normal[k] = m->normal[(3 * f + k) * m->n + i];
    if (other == WALL) {
        for (int k = 0; k < 3; k++)
            flux[i][1 + k] -= gas_pressure(u[i]) * normal[k];
        return;
    }
    face_flux(out, u[i], other >= 0 ? u[other] : far_field, normal);
    for (int v = 0; v < V; v++) {
        flux[i][v] -= out[v];
        if (other >= 0) flux[other][v] += out[v];
    }
}

static void reference(struct program *p, const struct mesh *m, float *state, cl_uint steps)
{
    double(*u)[V] = program_array(p, m->n, sizeof *u),
    (*old)[V] = program_array(p, m->n, sizeof *u);
    double(*flux)[V] = program_array(p, m->n, sizeof *u);
    for (size_t i = 0; i < V * (size_t)m->n; i++)
        u[i % m->n][i / m->n] = state[i];
    for (cl_uint s = 0; s < steps * STAGES; s++) {
        if (s % STAGES == 0) memcpy(old, u, m->n * sizeof *u);
        memset(flux, 0, m->n * sizeof *flux);
        for (size_t i = 0; i < 4 * (size_t)m->n; i++)
            add_face(m, (const double(*)[V])u, flux, i / 4, i % 4);
        for (size_t i = 0; i < m->n; i++)
            for (int v = 0; v < V; v++)
                u[i][v] = old[i][v] + 0.1 * m->shape[i] / gas_speed(old[i]) /
                                          (STAGES - s % STAGES) * flux[i][v];
    }
    for (size_t i = 0; i < V * (size_t)m->n; i++)
        state[i] = (float)u[i % m->n][i / m->n];
}

/* --- the device --- */

static const float *run(struct program *p, const struct mesh *m, const float *state, cl_uint steps)
{
    size_t bytes = m->n * (size_t)WORD;
    cl_mem now[2] = {program_buffer(p, V * bytes, state), program_buffer(p, V * bytes, NULL)};
    cl_mem neighbour = program_buffer(p, 4 * bytes, m->neighbour);
    cl_mem normal = program_buffer(p, 12 * bytes, m->normal);
    cl_mem shape = program_buffer(p, bytes, m->shape), factor = program_buffer(p, bytes, NULL);
    cl_mem flux = program_buffer(p, V * bytes, NULL);
    cl_kernel flow[2], limit[2], advance[2][STAGES];
    for (int i = 0; i < 2; i++) {
        limit[i] = program_kernel(p, "cfd_step_factor", "bbbu", now[i], shape, factor, m->n);
        flow[i] = program_kernel(p, "cfd_flux", "bbbbfffu", now[i], neighbour, normal, flux,
                                 far_field[0], far_field[1], far_field[4], m->n);
        for (int s = 0; s < STAGES; s++)
            advance[i][s] = program_kernel(p, "cfd_advance", "bbbbfu", now[i], factor, flux,
                                           now[1 - i], 1.0 / (STAGES - s), m->n);
    }
    for (cl_uint step = 0; step < steps; step++) {
        cl_uint old = step % 2;
        program_launch(p, limit[old], m->n);
        for (int s = 0; s < STAGES; s++) {
            program_launch(p, flow[s == 0 ? old : 1 - old], m->n);
            program_launch(p, advance[old][s], m->n);
        }
    }
    return program_read(p, now[steps % 2], V * bytes);
}

int main(int argc, char **argv)
{
    struct program p;
    struct mesh m = {0};
    struct data_random r = {31};
    program_open(&p, "cfd", "cfd [CUBES <= 64 [STEPS <= 100]]", argc, argv);
    m.cubes = program_number(&p, 8, 1, 64);
    cl_uint steps = program_number(&p, 1, 1, 100);
    program_start(&p);
    m.n = 6 * m.cubes * m.cubes * m.cubes;
    make_vertices(&p, &m);
    make_cells(&p, &m);
    find_neighbours(&p, &m);
    measure(&p, &m);
    size_t values = V * (size_t)m.n;
    float *state = program_array(&p, values, WORD);
    for (size_t i = 0; i < values; i++)
        state[i] = (float)(far_field[i / m.n] * (0.95 + 0.1 * data_uniform(&r)));
    const float *got = run(&p, &m, state, steps);
    reference(&p, &m, state, steps);
    return program_end(&p, data_wrong_floats(got, state, values, 5e-6),
                       "%u cells, %zu faces with a neighbour, %u steps", m.n, m.inner, steps);
}

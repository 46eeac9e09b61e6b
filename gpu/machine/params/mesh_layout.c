/* mesh_layout.c - where slices stand among the nodes of a mesh, and the load of its links without
 * queueing.
 *
 * The number of slices at lower nodes tells a node's kind and number: half of the slices stand
 * first and half last, or at even distances (spread). The load is summed over cuts: for uniform
 * traffic along the source's row, then along the destination's column, each cut's links carry the
 * products of sources on one side and destinations on the other. CPU cores have nodes, and no part
 * of that traffic. Source: Dally and Towles 2004, chapters 3, 5, 8; Bakhoda et al. 2010. */
#include "gpu/machine/params/mesh_layout.h"

#include <math.h>

struct mesh_shape mesh_shape(const struct noc_params *p, uint32_t sms, uint32_t slices)
{
    uint32_t ports = (sms + p->sms_per_port - 1) / p->sms_per_port + p->other_ports;
    uint32_t nodes = ports + slices;
    uint32_t columns = p->columns ? p->columns : (uint32_t)ceil(sqrt(nodes));
    return (struct mesh_shape){.columns = columns,
                               .rows = (nodes + columns - 1) / columns,
                               .ports = ports,
                               .cores = p->other_ports,
                               .slices = slices,
                               .placement = p->placement};
}

/* Number of slices at lower-numbered nodes. */
static uint32_t slices_before(const struct mesh_shape *s, uint32_t node)
{
    uint64_t nodes = (uint64_t)s->ports + s->slices;
    uint32_t top = (s->slices + 1) / 2, bottom = s->slices - top;
    if (node >= nodes) return s->slices;
    if (s->placement == PLACEMENT_SPREAD) /* slice j stands at (2 j + 1) nodes / (2 slices) */
        return (uint32_t)((2 * (uint64_t)node * s->slices + nodes - 1) / (2 * nodes));
    if (node < top) return node;
    return node < nodes - bottom ? top : s->slices - (uint32_t)(nodes - node);
}

bool mesh_at(const struct mesh_shape *s, uint32_t node, bool *is_slice, uint32_t *index)
{
    if (node >= s->ports + s->slices) return false;
    uint32_t before = slices_before(s, node);
    *is_slice = slices_before(s, node + 1) > before;
    *index = *is_slice ? before : node - before;
    return true;
}

static uint32_t count_here(const struct mesh_shape *s, uint32_t row, uint32_t column, bool slices)
{
    bool is_slice;
    uint32_t index;
    if (!mesh_at(s, row * s->columns + column, &is_slice, &index)) return 0;
    return is_slice == slices && (is_slice || index < s->ports - s->cores);
}

static uint32_t in_row(const struct mesh_shape *s, uint32_t row, bool slices)
{
    uint32_t n = 0;
    for (uint32_t x = 0; x < s->columns; x++)
        n += count_here(s, row, x, slices);
    return n;
}

static uint32_t in_column(const struct mesh_shape *s, uint32_t column, bool slices)
{
    uint32_t n = 0;
    for (uint32_t y = 0; y < s->rows; y++)
        n += count_here(s, y, column, slices);
    return n;
}

/* Adds the load of a cut through a row or column: `from` of `from_all` sources and `to` of `to_all`
 * destinations lie on one side. Considers the links of both directions. */
static void add_cut(struct mesh_load *l, double from, double from_all, double to, double to_all,
                    double pairs)
{
    double there = from * (to_all - to) / pairs, back = (from_all - from) * to / pairs;
    l->hops += there + back;
    l->busiest = fmax(l->busiest, fmax(there, back));
}

struct mesh_load mesh_load(const struct mesh_shape *s, bool replies)
{
    struct mesh_load l = {0};
    double sms = s->ports - s->cores;
    double sources = replies ? s->slices : sms, sinks = replies ? sms : s->slices;
    for (uint32_t y = 0; y < s->rows; y++) { /* along the source's row */
        double of_row = in_row(s, y, replies), left = 0, to = 0;
        for (uint32_t x = 0; x + 1 < s->columns; x++) {
            left += count_here(s, y, x, replies);
            to += in_column(s, x, !replies);
            add_cut(&l, left, of_row, to, sinks, sources * sinks);
        }
    }
    for (uint32_t x = 0; x < s->columns; x++) { /* along the destination's column */
        double of_column = in_column(s, x, !replies), above = 0, to = 0;
        for (uint32_t y = 0; y + 1 < s->rows; y++) {
            above += in_row(s, y, replies);
            to += count_here(s, y, x, !replies);
            add_cut(&l, above, sources, to, of_column, sources * sinks);
        }
    }
    return l;
}

/* Mean of noc_far over all SMs or slices. */
static double mean_far(uint32_t spread, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; spread && i < n; i++)
        sum += noc_far(spread, i, n);
    return n ? sum / n : 0;
}

double noc_idle_latency(const struct noc_params *p, uint32_t sms, uint32_t slices)
{
    if (p->topology == TOPOLOGY_CROSSBAR)
        return p->latency + mean_far(p->sm_spread, sms) + mean_far(p->slice_spread, slices);
    struct mesh_shape s = mesh_shape(p, sms, slices);
    return mesh_latency(p, mesh_load(&s, false).hops);
}

/* stringmatch.c - longest matches of short reads in a genome by its suffix tree, a read per
 * work-item.
 *
 * Usage: stringmatch [LETTERS [QUERIES [LENGTH]]]      8192 256 24 if not given
 * The genome has repeats; most reads are pieces of it with errors, some are foreign.  Matches are
 * compared with those of a binary search in the sorted suffixes. */
#include "common/program.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = sizeof(cl_uint), NODE = 8, EDGE = 4, PLACE = 6, LEAST = 8, REPEAT = 64 };

struct genome {
    cl_uint n, nodes;
    uint8_t *letter; /* [n], 0..3 */
    cl_uint *suffix; /* [n] in order */
    cl_uint *tree;   /* [nodes][NODE] */
};

/* A range of sorted suffixes that begin alike. */
struct range {
    cl_uint low, high;
};

/* Random letters; now and then what stood somewhere before is said again, with errors. */
static void make_genome(struct genome *g, struct program *p)
{
    struct data_random r = {11};
    g->letter = program_array(p, g->n, 1);
    for (cl_uint i = 0; i < g->n;) {
        bool again = i > 4 * REPEAT && data_uniform(&r) < 0.25f;
        cl_uint from = again ? data_next(&r) % (i - REPEAT) : 0;
        for (cl_uint k = 0; k < REPEAT && i < g->n; k++, i++) {
            bool same = again && data_uniform(&r) < 0.97f;
            g->letter[i] = same ? g->letter[from + k] : data_next(&r) & 3;
        }
    }
}

static const struct genome *sorted; /* for the comparison below */

static int by_suffix(const void *a, const void *b)
{
    cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b, later = x > y ? x : y;
    int order = memcmp(sorted->letter + x, sorted->letter + y, sorted->n - later);
    return order ? order : (x < y) - (x > y); /* the shorter one first */
}

static void sort_suffixes(struct genome *g, struct program *p)
{
    g->suffix = program_array(p, g->n, WORD);
    for (cl_uint i = 0; i < g->n; i++)
        g->suffix[i] = i;
    sorted = g;
    qsort(g->suffix, g->n, WORD, by_suffix);
}

/* The first in the range whose letter at the depth is at least that; ended suffixes come first. */
static cl_uint first_of(const struct genome *g, struct range in, cl_uint depth, unsigned letter)
{
    while (in.low < in.high) {
        cl_uint middle = in.low + (in.high - in.low) / 2, at = g->suffix[middle] + depth;
        if (at >= g->n || g->letter[at] < letter)
            in.low = middle + 1;
        else
            in.high = middle;
    }
    return in.low;
}

/* Those of the range that go on with the letter. */
static struct range narrow(const struct genome *g, struct range in, cl_uint depth, unsigned letter)
{
    return (struct range){first_of(g, in, depth, letter), first_of(g, in, depth, letter + 1)};
}

/* How many letters the range's suffixes have in common, at least n. */
static cl_uint common_length(const struct genome *g, struct range in, cl_uint n)
{
    cl_uint a = g->suffix[in.low], b = g->suffix[in.high - 1], later = a > b ? a : b;
    if (a == b) return g->n - a;
    while (later + n < g->n && g->letter[a + n] == g->letter[b + n])
        n++;
    return n;
}

/* Level by level, so that the nodes near the root lie together. */
static void grow(struct genome *g, struct program *p)
{
    struct range *range = program_array(p, 2 * (size_t)g->n + 1, sizeof *range);
    cl_uint *depth = program_array(p, 2 * (size_t)g->n + 1, WORD);
    g->tree = program_array(p, (2 * (size_t)g->n + 1) * NODE, WORD);
    range[0] = (struct range){0, g->n};
    g->nodes = 1;
    for (cl_uint i = 0; i < g->nodes; i++) {
        cl_uint *node = g->tree + (size_t)i * NODE, place = g->suffix[range[i].low];
        cl_uint to = i == 0 ? 0 : common_length(g, range[i], depth[i]);
        node[EDGE] = place + depth[i];
        node[EDGE + 1] = place + to;
        node[PLACE] = place;
        for (unsigned letter = 0; letter < 4 && range[i].high - range[i].low > 1; letter++) {
            struct range below = narrow(g, range[i], to, letter);
            if (below.low == below.high) continue;
            node[letter] = g->nodes;
            depth[g->nodes] = to;
            range[g->nodes++] = below;
        }
    }
}

static uint8_t *make_queries(const struct genome *g, struct program *p, cl_uint queries,
                             cl_uint length)
{
    struct data_random r = {12};
    uint8_t *query = program_array(p, (size_t)queries * length, 1);
    for (cl_uint i = 0; i < queries; i++) {
        bool foreign = data_uniform(&r) < 0.2f;
        cl_uint from = data_next(&r) % (g->n - length);
        for (cl_uint k = 0; k < length; k++) {
            bool same = !foreign && data_uniform(&r) < 0.96f;
            query[i * (size_t)length + k] = same ? g->letter[from + k] : data_next(&r) & 3;
        }
    }
    return query;
}

struct counts {
    size_t letters, edges, mismatches;
};

/* The longest match of n letters, and what a walk down the tree meets: an edge at the root and
 * wherever the suffixes that match so far do not all go on alike. */
static cl_uint longest(const struct genome *g, const uint8_t *query, cl_uint n, struct counts *c)
{
    struct range in = {0, g->n};
    cl_uint depth = 0;
    for (; depth < n; depth++) {
        struct range next = narrow(g, in, depth, query[depth]);
        if (next.low == next.high) break;
        c->edges += depth == 0 || next.high - next.low < in.high - in.low;
        in = next;
    }
    c->letters += depth;
    c->mismatches += depth < n;
    return depth;
}

static size_t check(const struct genome *g, const uint8_t *query, const cl_uint *match,
                    cl_uint queries, cl_uint length, struct counts *c)
{
    size_t wrong = 0;
    for (cl_uint i = 0; i < queries; i++)
        for (cl_uint s = 0; s + LEAST <= length; s++, match += 2) {
            const uint8_t *from = query + i * (size_t)length + s;
            cl_uint n = longest(g, from, length - s, c);
            wrong += match[0] != n || match[1] > g->n - n || memcmp(g->letter + match[1], from, n);
        }
    return wrong;
}

int main(int argc, char **argv)
{
    struct program p;
    struct genome g = {0};
    struct counts c = {0};
    program_open(&p, "stringmatch", "stringmatch [LETTERS [QUERIES [LENGTH]]]", argc, argv);
    g.n = program_number(&p, 8192, 1024, 1 << 24);
    cl_uint queries = program_number(&p, 256, 1, 1 << 20);
    cl_uint length = program_number(&p, 24, LEAST, 512), starts = length - LEAST + 1;
    program_start(&p);
    make_genome(&g, &p);
    sort_suffixes(&g, &p);
    grow(&g, &p);
    const uint8_t *query = make_queries(&g, &p, queries, length);
    size_t matches = (size_t)queries * starts;
    cl_mem tree = program_buffer(&p, g.nodes * (size_t)NODE * WORD, g.tree);
    cl_mem genome = program_buffer(&p, g.n, g.letter);
    cl_mem asked = program_buffer(&p, (size_t)queries * length, query);
    cl_mem match = program_buffer(&p, 2 * WORD * matches, NULL);
    program_launch(&p,
                   program_kernel(&p, "match_queries", "bbbbuuu", tree, genome, asked, match,
                                  queries, length, starts),
                   queries);
    const cl_uint *got = program_read(&p, match, 2 * WORD * matches);
    size_t wrong = check(&g, query, got, queries, length, &c);
    return program_end(&p, wrong, "%u nodes, %zu matches, %zu letters, %zu edges, %zu mismatches",
                       g.nodes, matches, c.letters, c.edges, c.mismatches);
}

/* btree.c - look-ups in a B+ tree, a work-group per query and a work-item per key of a node; which
 * keys are asked for follows Zipf's law.
 *
 * Usage: btree [KEYS [QUERIES [ORDER]]]      65536 256 64 if not given; ORDER keys per node
 * Each query's value is compared with that of its key. */
#include "common/graph.h"

enum { WORD = sizeof(cl_uint) };

/* Nodes from the root on.  A leaf's children are values. */
struct tree {
    cl_uint keys, order, levels, nodes;
    cl_uint first[32], width[32]; /* of a level: its first node, its nodes; 0 is the root's */
    cl_uint *key, *child;
};

static cl_uint key_of(cl_uint rank)
{
    return 3 * rank + 1;
}

static cl_uint value_of(cl_uint rank)
{
    return rank * 2654435761u;
}

static void shape(struct tree *t)
{
    cl_uint width = t->keys, n[32];
    do {
        width = (width + t->order - 1) / t->order;
        n[t->levels++] = width;
    } while (width > 1);
    for (cl_uint l = 0; l < t->levels; l++) {
        t->first[l] = t->nodes;
        t->width[l] = n[t->levels - 1 - l];
        t->nodes += t->width[l];
    }
}

/* `span` keys lie under an entry of the level. */
static void fill_level(struct tree *t, cl_uint level, uint64_t span)
{
    bool leaf = level + 1 == t->levels;
    for (cl_uint i = 0; i < t->width[level]; i++) {
        cl_uint node = t->first[level] + i;
        for (cl_uint j = 0; j <= t->order; j++) {
            uint64_t entry = (uint64_t)i * t->order + j, rank = entry * span;
            bool there = rank < t->keys;
            t->key[node * (t->order + 1) + j] = there ? key_of((cl_uint)rank) : UINT32_MAX;
            if (!there || j == t->order) continue;
            t->child[node * t->order + j] =
                leaf ? value_of((cl_uint)rank) : t->first[level + 1] + (cl_uint)entry;
        }
    }
}

static void grow(struct program *p, struct tree *t)
{
    shape(t);
    t->key = program_array(p, (size_t)t->nodes * (t->order + 1), WORD);
    t->child = program_array(p, (size_t)t->nodes * t->order, WORD);
    uint64_t span = 1;
    for (cl_uint l = t->levels; l-- > 0; span *= t->order)
        fill_level(t, l, span);
}

int main(int argc, char **argv)
{
    struct program p;
    struct tree t = {0};
    program_open(&p, "btree", "btree [KEYS [QUERIES [ORDER]]], ORDER from 2 to 256", argc, argv);
    t.keys = program_number(&p, 65536, 1, 1 << 24);
    cl_uint queries = program_number(&p, 256, 1, 1 << 20);
    t.order = program_number(&p, 64, 2, 256);
    program_start(&p);
    grow(&p, &t);
    cl_uint *query = zipf_keys(&p, queries, t.keys, 3),
            *expected = program_array(&p, queries, WORD);
    for (cl_uint i = 0; i < queries; i++) {
        expected[i] = value_of(query[i]);
        query[i] = key_of(query[i]);
    }
    cl_mem key = program_buffer(&p, (size_t)t.nodes * (t.order + 1) * WORD, t.key);
    cl_mem child = program_buffer(&p, (size_t)t.nodes * t.order * WORD, t.child);
    cl_mem asked = program_buffer(&p, queries * (size_t)WORD, query);
    cl_mem answer = program_buffer(&p, queries * (size_t)WORD, NULL);
    cl_kernel kernel =
        program_kernel(&p, "btree_find", "bbbbuu", key, child, asked, answer, t.levels, t.order);
    host_launch(&p.host, kernel, (size_t)queries * t.order, t.order);
    const cl_uint *got = program_read(&p, answer, queries * (size_t)WORD);
    return program_end(&p, data_wrong_bytes(got, expected, queries, WORD),
                       "%u keys, %u queries, %u levels", t.keys, queries, t.levels);
}

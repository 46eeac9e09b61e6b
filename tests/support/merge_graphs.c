#include "tests/support/merge_graphs.h"

#include "tests/support/check.h"

#include <stdlib.h>

int graph_new_block(struct graph *g)
{
    if (g->n == MAX_BLOCKS) return NONE;
    g->succ[g->n][0] = g->succ[g->n][1] = NONE;
    g->barrier[g->n] = false;
    return g->n++;
}

static int make_branch(struct making *m, int at, int depth, int head, int exit, bool both)
{
    struct graph *g = m->g;
    int then = graph_new_block(g), other = graph_new_block(g), join = graph_new_block(g);
    if (join == NONE) abort();
    g->succ[at][0] = then;
    g->succ[at][1] = both ? other : join;
    int then_end = graph_make_list(m, then, depth + 1, head, exit);
    int other_end = both ? graph_make_list(m, other, depth + 1, head, exit) : other;
    g->succ[then_end][0] = join;
    g->succ[other_end][0] = join;
    return join;
}

static int make_loop(struct making *m, int at, int depth, bool test_first)
{
    struct graph *g = m->g;
    int head = graph_new_block(g), body = graph_new_block(g), latch = graph_new_block(g),
        exit = graph_new_block(g);
    g->succ[at][0] = head;
    g->succ[head][0] = body;
    if (test_first) g->succ[head][1] = exit;
    /* a continue of a loop that tests first goes straight back to the head */
    int end = graph_make_list(m, body, depth + 1, test_first ? head : latch, exit);
    g->succ[end][0] = latch;
    g->succ[latch][0] = head;
    if (!test_first) g->succ[latch][1] = exit;
    return exit;
}

static int make_jump(struct making *m, int at, int target)
{
    int next = graph_new_block(m->g);
    m->g->succ[at][0] = target;
    m->g->succ[at][1] = next;
    return next;
}

static int make_statement(struct making *m, int at, int depth, int head, int exit)
{
    switch ((enum statement)rng_below(m->r, m->kinds)) {
    case IF: return make_branch(m, at, depth, head, exit, false);
    case IF_ELSE: return make_branch(m, at, depth, head, exit, true);
    case WHILE: return make_loop(m, at, depth, true);
    case DO_WHILE: return make_loop(m, at, depth, false);
    case BREAK: return exit == NONE ? at : make_jump(m, at, exit);
    case CONTINUE: return head == NONE ? at : make_jump(m, at, head);
    case PLAIN:
    case ALL: break;
    }
    return at;
}

int graph_make_list(struct making *m, int at, int depth, int head, int exit)
{
    uint64_t n = 1 + rng_below(m->r, 3);
    for (uint64_t i = 0; i < n && depth < 5 && m->g->n < MAX_BLOCKS - 40; i++)
        at = make_statement(m, at, depth, head, exit);
    return at;
}

void graph_shuffle(struct graph *g, struct rng *r)
{
    int to[MAX_BLOCKS];
    struct graph old = *g;
    for (int i = 0; i < g->n; i++)
        to[i] = i;
    for (int i = g->n - 1; i > 1; i--) {
        int j = 1 + (int)rng_below(r, (uint64_t)i), t = to[i];
        to[i] = to[j];
        to[j] = t;
    }
    for (int i = 0; i < g->n; i++) {
        g->barrier[to[i]] = old.barrier[i];
        for (int k = 0; k < 2; k++)
            g->succ[to[i]][k] = old.succ[i][k] == NONE ? NONE : to[old.succ[i][k]];
    }
}

void graph_make_order(struct merge_order *o, const struct graph *g)
{
    uint32_t first[MAX_BLOCKS + 1], succ[2 * MAX_BLOCKS], n = 0;
    for (int i = 0; i < g->n; i++) {
        first[i] = n;
        for (int k = 0; k < 2; k++)
            if (g->succ[i][k] != NONE) succ[n++] = (uint32_t)g->succ[i][k];
    }
    first[g->n] = n;
    struct merge_flow f = {(uint32_t)g->n, first, succ, g->barrier};
    struct error e;
    assert_true(merge_order_init(o, &f, &e));
}

/* Immediate post-dominators from the definition: p post-dominates b when no way from b to the end
 * avoids p; the immediate one is post-dominated by all others. */
static bool reaches_end(const struct graph *g, int from, int without)
{
    bool seen[MAX_BLOCKS] = {false};
    int stack[MAX_BLOCKS], n = 0;
    if (from == without) return false;
    stack[n++] = from;
    seen[from] = true;
    while (n) {
        int b = stack[--n];
        if (g->succ[b][0] == NONE) return true;
        for (int k = 0; k < 2; k++) {
            int s = g->succ[b][k];
            if (s == NONE || s == without || seen[s]) continue;
            seen[s] = true;
            stack[n++] = s;
        }
    }
    return false;
}

void graph_find_ipdoms(struct graph *g)
{
    static bool after[MAX_BLOCKS][MAX_BLOCKS]; /* [b][p]: p strictly post-dominates b */
    for (int b = 0; b < g->n; b++)
        for (int p = 0; p < g->n; p++)
            after[b][p] = p != b && !reaches_end(g, b, p);
    for (int b = 0; b < g->n; b++) {
        g->ipdom[b] = NONE;
        for (int p = 0; p < g->n; p++) {
            bool nearest = after[b][p];
            for (int q = 0; nearest && q < g->n; q++)
                nearest = q == p || !after[b][q] || after[p][q];
            if (nearest) g->ipdom[b] = p;
        }
    }
}

/* merge_graphs.h - random programs lowered to control-flow graphs, and their immediate
 * post-dominators by the definition. */
#pragma once

#include "base/memory/rng.h"
#include "trace/capture/reconverge.h"

#include <stdbool.h>
#include <stdint.h>

enum { MAX_BLOCKS = 96, NONE = -1 };

/* Kinds of statements; a program has those below `struct making`.kinds. */
enum statement {
    PLAIN,
    IF,
    IF_ELSE,
    WHILE,
    DO_WHILE,
    STRUCTURED,
    BREAK = STRUCTURED,
    CONTINUE,
    ALL
};

/* A control-flow graph; block 0 is the entry. */
struct graph {
    int n, succ[MAX_BLOCKS][2]; /* NONE: no such edge */
    bool barrier[MAX_BLOCKS];
    int ipdom[MAX_BLOCKS];
};

/* A program in the making: kinds is STRUCTURED (no jumps) or ALL. */
struct making {
    struct graph *g;
    struct rng *r;
    unsigned kinds;
};

/* Adds a block without edges; NONE: there is no room. */
int graph_new_block(struct graph *g);

/* Draws statements behind block `at`; returns the block where they end.  head, exit: of the loop
 * around them, or NONE. */
int graph_make_list(struct making *m, int at, int depth, int head, int exit);

/* Puts the blocks in an order that says nothing (the entry stays 0), so that only the order made
 * counts. */
void graph_shuffle(struct graph *g, struct rng *r);

/* The order of merging that plumb computes for the graph; the caller frees it. */
void graph_make_order(struct merge_order *o, const struct graph *g);

/* Fills in immediate post-dominators from the definition: p post-dominates b when no way from b to
 * the end avoids p; the immediate one is post-dominated by all others. */
void graph_find_ipdoms(struct graph *g);

/* random_program.h - small programs for random machines: generators, and a wild one that no
 * generator makes: every warp reads, writes and updates the same few lines, with fences, barriers
 * and shared memory in between.  Loads overtake stores, stores hit fills in flight, lines leave
 * half written; between launches the host writes some of them.  A rich one is wild with any width,
 * hint, local memory, registers that wait and asynchronous copies, a uniform one with loads of
 * constants and many accesses of all lanes to one address. */
#pragma once

#include "base/memory/rng.h"
#include "tests/support/written.h"

enum shape { SHAPE_CTAS, SHAPE_WARPS, SHAPE_STEPS, SHAPE_LAUNCHES, SHAPE_N };

/* Kinds of programs: the generators by number, then those of the head. */
enum { GENERATORS = 5, WILD = GENERATORS, RICH, UNIFORM };

/* What a program is made from. */
struct recipe {
    uint32_t kind;          /* a generator, WILD, RICH or UNIFORM */
    uint32_t size[SHAPE_N]; /* at least 1 each */
    uint64_t seed;          /* of the wild one */
};

/* Draws a small program, in half of the cases one that no generator makes. */
struct recipe draw_recipe(struct rng *r);

/* The recipe for a reader; that of a generator is its .cfg. */
void recipe_text(const struct recipe *c, char *out, size_t size);

/* The program for warps of that width; the caller closes it. */
struct program *build_program(const struct recipe *c, uint32_t width);

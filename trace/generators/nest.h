/* nest.h - a kernel as a nest of loops that is written down once: its instructions in their order,
 * and with each access where it goes, as an expression of the nest's variables. Streams follow from
 * it.
 *
 * A warp runs the prologue, `iterations` steps of the loop and the epilogue; loops inside of these
 * are unrolled by whoever adds their instructions. The instructions are added by kit.h's functions;
 * those here say of the last one where its lanes go, and of all that follow which lanes run them.
 *
 * Expressions (map.h) have + - * / %, calls, and names:
 *   cta warp step lane       where the instruction is; lane 0 .. lanes - 1
 *   thread first             number in the CTA; of the warp's lane 0 in the launch
 *   lanes warps ctas threads cta_threads          sizes; `threads` of the launch
 *   the generator's parameters, what gen_let and gen_set name, and functions:
 *   min(a, b), xor(a, b), below(a, n): a hash of a, at least 0 and less than n; permuted(a, n)
 * Conditions are comparisons (< <= > >= ==) joined by &&. */
#pragma once

#include "trace/generators/map.h"

enum { NEST_SHARED = -1 };

/* Names a value; a later one of that name replaces it for what is added from then on. */
static inline void gen_let(struct generator *g, const char *name, const char *expression)
{
    map_let(g->map, name, expression);
}
static inline void gen_set(struct generator *g, const char *name, uint64_t value)
{
    map_set(g->map, name, (int64_t)value);
}
static inline void gen_define(struct generator *g, const char *name, map_function *f,
                              uint32_t arguments)
{
    map_define(g->map, name, f, arguments);
}
/* The last instruction accesses element `index`, of `size` bytes, of that array, or of the CTA's
 * shared memory. */
void gen_at(struct generator *g, int32_t array, int64_t size, const char *index);
/* ... by the lanes for which the condition holds. */
void gen_if(struct generator *g, const char *condition);
/* From here on lanes run only where the condition holds; "": all. */
void gen_only(struct generator *g, const char *condition);
/* The same behind a branch: a warp without such lanes leaves out what follows. Where that is in a
 * step, the generator has warp_before. */
void gen_branch(struct generator *g, const char *condition);

struct nest;
/* Makes the rows of what was added; *e names the kernel by path. */
struct nest *nest_new(struct generator *g, const char *path, struct error *e);
void nest_free(struct nest *n);
/* A walk over warps of a segment: one per thread, given back for the next segment. */
struct nest_run;
struct nest_run *nest_run_take(struct nest *n); /* NULL: no memory */
void nest_run_give(struct nest *n, struct nest_run *r);
/* The steps from .. to - 1 of a warp, behind the prologue if from is 0, and the epilogue if they
 * are the last ones. */
void nest_run_warp(struct nest_run *r, struct gen_warp *w, uint64_t from, uint64_t to, bool last);

/* map.h - index maps: where the lanes of a warp find their data, as expressions of cta, warp, step
 * and lane.
 *
 * Every expression becomes a form: a constant and terms, each a whole number times an atom. An atom
 * is one of the four variables, or what is not linear: a quotient, a remainder, a product, the
 * lesser of two, an exclusive or, a function's value. Equal forms and atoms are kept once.
 * Quotients and remainders round down; multiples of the divisor leave them, and so do remainders
 * that are known not to reach it.
 *
 * Atoms of lanes (those in which `lane` stands) are kept apart from scalar ones: of a form remain
 * a constant, a sum of scalars, and a vector over the lanes. Sums are advanced from step to step,
 * and shared by forms that differ in the rest. A vector is a stride; or a table of all warps' lanes
 * that is filled once, if neither cta nor step stand in it; else it is computed when it changes.
 *
 * Values wrap at 64 bits. Numbers of an expression that would are refused, and so is what is
 * compared or divided and can be beyond 2^62, as far as that is known. */
#pragma once

#include "trace/generators/kit.h"

enum { MAP_NONE = -1, MAP_MOST_TERMS = 16, MAP_MOST_ARGUMENTS = 3 };
enum map_variable { MAP_CTA, MAP_WARP, MAP_STEP, MAP_LANE, MAP_VARIABLES };

/* A function of a generator's: arguments in their order. It must take whatever they are. */
typedef uint64_t map_function(const struct generator *g, const uint64_t *arguments);

struct map_term {
    uint64_t atom; /* its number */
    int64_t times;
};

/* A form as it is being made; by atom. */
struct map_poly {
    int64_t constant;
    uint32_t n;
    struct map_term term[MAP_MOST_TERMS];
};

struct index_map; /* of one kernel */

struct index_map *map_new(struct generator *g); /* NULL: no memory */
void map_free(struct index_map *m);
/* Gives a name a value; a later one replaces it. The name's text stays where it is. */
void map_let(struct index_map *m, const char *name, const char *expression);
/* Whether a name is a variable, a size or a function that every map has. */
bool map_reserves(const char *name);
void map_set(struct index_map *m, const char *name, int64_t value);
void map_define(struct index_map *m, const char *name, map_function *f, uint32_t arguments);
/* The form of an expression, times `size`. */
uint32_t map_form(struct index_map *m, const char *expression, int64_t size);
/* The number of a condition: comparisons joined by &&. */
uint32_t map_condition(struct index_map *m, const char *expression);
/* Whether a condition of constants and parameters holds. */
bool map_holds(struct index_map *m, const char *expression);
/* Notes what is wrong as if an expression had said it. */
void map_refuse(struct index_map *m, const char *what);
/* The value of an expression of constants and parameters. */
int64_t map_constant(struct index_map *m, const char *expression);
/* What is wrong with the first bad expression; NULL: nothing. */
const char *map_error(const struct index_map *m);
bool map_out_of_memory(const struct index_map *m);
/* Whether a condition is the same for all CTAs and steps. */
bool map_is_of_warps(const struct index_map *m, uint32_t condition);
/* Fills the tables; nothing is added behind that. false: map_error, or no memory. */
bool map_finish(struct index_map *m);

/* The value of a form in which only cta stands. */
int64_t map_of_cta(const struct index_map *m, uint32_t form, uint64_t cta);
bool map_is_constant(const struct index_map *m, uint32_t form);
/* Whether no other variable than cta stands in a form. */
bool map_is_of_ctas(const struct index_map *m, uint32_t form);
/* Whether a form's lanes are a stride apart; *stride. */
bool map_is_even(const struct index_map *m, uint32_t form, int64_t *stride);
/* Whether a condition holds whatever the variables are; once the map is finished. */
bool map_is_sure(const struct index_map *m, uint32_t condition);

/* A walk of one warp after another; one per thread. map_parts.h has its values. */
struct map_run;
struct map_run *map_run_new(const struct index_map *m); /* NULL: no memory */
void map_run_free(struct map_run *r);
/* Goes to a step of a warp; to the next step. */
void map_run_warp(struct map_run *r, uint64_t cta, uint32_t warp, uint64_t step);
void map_run_step(struct map_run *r);
/* A form's value where no lane stands in it; and what its lanes add, one value each, or NULL: then
 * *stride is what it grows by from lane to lane. */
int64_t map_run_scalar(struct map_run *r, uint32_t form);
const int64_t *map_run_vector(struct map_run *r, uint32_t form, int64_t *stride);

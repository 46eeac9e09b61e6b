/* map_parts.h - what map.c makes and map_run.c walks over. */
#pragma once

#include "base/memory/hash_map.h"
#include "trace/generators/map.h"

/* What is known of a value: at least lo, at most hi; beyond MAP_UNKNOWN nothing. */
#define MAP_UNKNOWN (INT64_C(1) << 62)
struct map_range {
    int64_t lo, hi;
};

enum map_operation {
    ATOM_VARIABLE,
    ATOM_QUOTIENT,
    ATOM_REMAINDER,
    ATOM_PRODUCT,
    ATOM_LESSER,
    ATOM_XOR,
    ATOM_CALL
};
/* What a value changes with, beside the warp and the lane. */
enum map_level { LEVEL_WARP, LEVEL_CTA, LEVEL_STEP };

struct map_atom {
    uint32_t operation, level, n;
    uint32_t vector;                      /* whether it has a value for each lane */
    uint32_t advances;                    /* a scalar that steps change by equal amounts */
    uint32_t form[MAP_MOST_ARGUMENTS];    /* n arguments; a division has one */
    uint32_t depth, unused;               /* of atoms in one another; 0: no padding */
    int64_t divisor, quotient, remainder; /* of a division; of what a step adds to its argument */
    map_function *call;
    int64_t lo, hi; /* what it can be; beyond 2^62: unknown */
};

/* What a form has of lanes. */
struct map_vector {
    int64_t stride;             /* times lane */
    uint32_t first, n_fixed, n; /* terms that change with the warp alone, then the others */
    uint32_t level;
    size_t table; /* n_fixed: of warp 0; the stride and the fixed terms together */
};

struct map_form {
    int64_t constant;
    uint32_t first, n_steady, n; /* scalar terms: those that no step changes, then the others */
    bool linear;                 /* a step adds per_step to the scalar */
    int64_t per_step;
    int32_t vector;        /* MAP_NONE: none */
    uint32_t level, depth; /* of all of it */
};

struct map_conjunction {
    uint32_t first, n, level; /* forms that are all at least 0 */
};

struct map_name {
    const char *name;
    struct map_poly value;
    map_function *call;
    uint32_t arguments;
};

struct index_map {
    struct generator *g;
    struct map_atom *atom;
    struct map_term *term;
    struct map_vector *vector;
    struct map_form *form;
    struct map_conjunction *condition;
    uint32_t *conjunct;
    struct map_name *name;
    uint32_t *name_hash; /* of each name */
    int64_t *table;      /* [vector][warp][lane] */
    uint32_t n_atoms, n_terms, n_vectors, n_forms, n_conditions, n_conjuncts, n_names;
    size_t atom_cap, term_cap, vector_cap, form_cap, condition_cap, conjunct_cap, name_cap,
        hash_cap;
    size_t n_table;
    struct hash_map by_content;
    bool failed; /* no memory */
    char *error; /* of the first bad expression */
};

/* --- polynomials: map_poly.c --- */

/* Notes the first bad expression. */
void map_poly_refuse(struct index_map *m, const char *expression, const char *what);
/* Adds `times` a polynomial. */
void map_poly_add(struct index_map *m, struct map_poly *to, const struct map_poly *from,
                  int64_t times);
struct map_poly map_poly_of_atom(struct index_map *m, uint32_t atom);
struct map_poly map_poly_multiply(struct index_map *m, const struct map_poly *a,
                                  const struct map_poly *b);
/* The quotient by d > 0, or what is left. */
struct map_poly map_poly_divide(struct index_map *m, const struct map_poly *p, int64_t d,
                                bool want_rest);
struct map_poly map_poly_lesser(struct index_map *m, const struct map_poly *a,
                                const struct map_poly *b);
/* The atom of an operation on two, of which r is known. */
struct map_poly map_poly_combine(struct index_map *m, uint32_t operation, const struct map_poly *x,
                                 const struct map_poly *y, struct map_range r);
/* The form of a polynomial; an atom of an operation on n forms; the number of an atom. Equal ones
 * are kept once. */
uint32_t map_poly_keep(struct index_map *m, const struct map_poly *p);
struct map_atom map_poly_atom(const struct index_map *m, uint32_t operation, const uint32_t *form,
                              uint32_t n);
uint32_t map_poly_keep_atom(struct index_map *m, const struct map_atom *a);

/* map_parts.h - what map.c makes and map_run.c walks over. */
#pragma once

#include "base/memory/hash_map.h"
#include "trace/generators/map.h"

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
    int64_t *table; /* [vector][warp][lane] */
    uint32_t n_atoms, n_terms, n_vectors, n_forms, n_conditions, n_conjuncts, n_names;
    size_t atom_cap, term_cap, vector_cap, form_cap, condition_cap, conjunct_cap, name_cap;
    size_t n_table;
    struct hash_map by_content;
    bool failed; /* no memory */
    char *error; /* of the first bad expression */
};

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
/* What a value changes with, beside the lane: bits. */
enum { WITH_WARP = 1, WITH_CTA = 2, WITH_STEP = 4, WITH_KINDS = 8 };

struct map_atom {
    uint32_t operation, with, n;
    uint32_t vector;                      /* whether it has a value for each lane */
    uint32_t advances;                    /* a scalar that steps change by equal amounts */
    uint32_t form[MAP_MOST_ARGUMENTS];    /* n arguments; a division has one */
    uint32_t depth, unused;               /* of atoms in one another; 0: no padding */
    int64_t divisor, quotient, remainder; /* of a division; of what a step adds to its argument */
    map_function *call;
    int64_t lo, hi; /* what it can be; beyond 2^62: unknown */
};

/* The scalar terms of forms: those that no step changes, then the others. Sum 0 has none. Forms
 * that differ in a constant or in what they have of lanes share their sum. */
struct map_sum {
    uint32_t first, n_steady, n;
    uint32_t with, steady_with;
    bool linear; /* steps add per_step */
    int64_t per_step;
};

/* What a form has of lanes. */
struct map_vector {
    int64_t stride;             /* times lane */
    uint32_t first, n_fixed, n; /* terms that change with the warp alone, then the others */
    uint32_t with;
    size_t table; /* n_fixed: of warp 0; the stride and the fixed terms together */
    size_t kept;  /* in a walk, of those that are not a table */
};

struct map_form {
    int64_t constant;
    uint32_t sum;
    int32_t vector;       /* or MAP_NONE */
    uint32_t with, depth; /* of all of it */
};

/* A form that is at least 0; sure: whatever the variables are. */
struct map_conjunct {
    uint32_t form, sure;
};

/* Conjuncts that all hold; since: the bits of what changes them, a step's being the warp's. */
struct map_conjunction {
    uint32_t first, n, with, since;
    int32_t table; /* its lanes of warp 0, if neither cta nor step stand in it; or MAP_NONE */
};

enum { MAP_BUCKETS = 64 }; /* of names */

struct map_name {
    const char *name;
    struct map_poly value;
    map_function *call;
    uint32_t arguments, next; /* next: number plus one of the next name of its bucket, or 0 */
};

struct index_map {
    struct generator *g;
    struct map_atom *atom;
    struct map_term *term;
    struct map_sum *sum;
    struct map_vector *vector;
    struct map_form *form;
    struct map_conjunction *condition;
    struct map_conjunct *conjunct;
    struct map_name *name;
    uint32_t first_name[MAP_BUCKETS]; /* by hash: its number plus one; 0: none */
    int64_t *table;                   /* [vector][warp][lane] */
    uint64_t *lanes;                  /* [condition][warp] */
    uint32_t n_atoms, n_terms, n_sums, n_vectors, n_forms, n_conditions, n_conjuncts, n_names;
    uint32_t n_kept, n_lanes; /* vectors that are not a table; conditions' lanes in theirs */
    size_t atom_cap, term_cap, sum_cap, vector_cap, form_cap, condition_cap, conjunct_cap, name_cap;
    const char *reading; /* the expression that is being read, or NULL */
    struct hash_map by_content;
    bool failed; /* no memory */
    char *error; /* of the first bad expression */
};

const struct map_name *map_find_name(const struct index_map *m, const char *name);
/* Reads an expression: map_text.c. */
struct map_poly map_parse(struct index_map *m, const char *expression);

/* --- polynomials: map_poly.c --- */

/* Notes the first bad expression, which is the one that is being read. */
void map_poly_refuse(struct index_map *m, const char *what);
/* What a polynomial can be. Refuses one that is compared or divided and can be beyond 2^62, where
 * values wrap. */
struct map_range map_poly_range(struct index_map *m, const struct map_poly *p);
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
/* The condition of the last n conjuncts, which are taken back if there is an equal one. */
uint32_t map_poly_keep_condition(struct index_map *m, uint32_t n);

/* --- walks: map_run.c --- */

/* A scalar atom's value; rest: of a division. */
struct kept_scalar {
    uint64_t time;
    int64_t value, rest;
};

/* A sum; steady: what no step changes of it. */
struct kept_sum {
    uint64_t time, steady_time;
    uint64_t value, steady;
};

/* The lanes of a condition, which stay so until that time. */
struct kept_lanes {
    uint64_t time, until, mask;
};

/* Values are computed when they are asked for and kept until they change: each has the time of its
 * computation, and a clock ticks with every warp and step. */
struct map_run {
    const struct index_map *m;
    int64_t warp;
    uint64_t time, since[WITH_KINDS]; /* since when what changes with these is as it is */
    struct kept_scalar *scalar;       /* [atom] */
    struct kept_sum *sum;             /* [sum] */
    uint64_t *vector_time;            /* [vector] */
    struct kept_lanes *lanes;         /* [condition] */
    int64_t *vector;                  /* [kept vector][lane] */
};

void map_run_renew_sum(struct map_run *r, uint32_t sum);
uint64_t map_run_renew_lanes(struct map_run *r, uint32_t condition);

static inline uint64_t map_run_sum(struct map_run *r, uint32_t sum)
{
    if (r->sum[sum].time != r->since[r->m->sum[sum].with]) map_run_renew_sum(r, sum);
    return r->sum[sum].value;
}

/* The lanes for which a condition holds. */
static inline uint64_t map_run_lanes(struct map_run *r, uint32_t condition)
{
    const struct kept_lanes *k = &r->lanes[condition];
    bool holds = k->time == r->since[r->m->condition[condition].since] && r->time <= k->until;
    return holds ? k->mask : map_run_renew_lanes(r, condition);
}

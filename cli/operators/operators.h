/* operators.h - plumb operators: tables of operator times of a model that is served, in the formats
 * that serving simulators read.
 *
 * A model is a layer file with the parameters of configs/workloads/serving/decoder.cfg.  A point of
 * the table is a part of it at some sizes: one estimate with its launches apart, which gives a row
 * for each operator.  Steps of a server are sums of points. */
#pragma once

#include "base/error.h"
#include "base/memory/arena.h"
#include "base/text/text.h"
#include "libplumb/handles.h"

enum operators_part { PART_EDGES, PART_DENSE, PART_HEAD, PART_PREFILL, PART_DECODE, PARTS };
extern const char *const operators_part_name[PARTS];

/* Of a part, what it does not depend on is 0. */
struct operators_point {
    enum operators_part part;
    uint32_t tokens;         /* all tokens of the step; PART_PREFILL: of the prompt */
    uint32_t batch, context; /* sequences; keys of each */
};

struct operators_row {
    struct operators_point at;
    const char *name, *program; /* program: what plumb estimate takes to find the same */
    double us, us_low, us_high; /* low = high: no range is known */
    size_t order;               /* in which it was added */
};

struct operators_model {
    const char *name;
    uint32_t layers, hidden, heads, kv_heads, head_dim, ffn, vocab, gated, experts, top_k, page,
        cache_heads;
};

/* Rows are in the order of the points, those of a point as they run. */
struct operators_table {
    struct operators_model model;
    const char *card;
    char version[48]; /* of the card and the models */
    struct arena arena;
    struct operators_point *point; /* that are wanted */
    uint32_t n_points;
    struct operators_row *row;
    size_t n_rows, cap_points, cap_rows;
};

/* --- points.c --- */
/* The sizes of the model that p is. false: *e says what it lacks. */
bool operators_model_read(struct operators_model *m, const struct program *p, const char *name,
                          struct error *e);
/* The experts that so many tokens reach, if all are equally popular. */
uint32_t operators_active(const struct operators_model *m, uint32_t tokens);
/* "1,16,32-512/32". false: *e. */
struct operators_sizes {
    uint32_t *v;
    size_t n, cap;
};
bool operators_sizes_read(struct operators_sizes *s, const char *option, const char *text,
                          struct error *e);
/* The points that steps of these sizes are made of. false: no memory. */
bool operators_points(struct operators_table *t, const struct operators_sizes *tokens,
                      const struct operators_sizes *batch, const struct operators_sizes *context);
/* The program of a point on a card of so many SMs, a text of the caller's. */
void operators_spec(const struct operators_model *m, const struct operators_point *at, uint32_t sms,
                    struct text *out);
bool operators_same_point(const struct operators_point *a, const struct operators_point *b);

/* --- table.c --- */
/* Adds the rows that the file has, if there is one; false: *e: it is another table. */
bool operators_table_read(struct operators_table *t, const char *path, struct error *e);
void operators_table_csv(const struct operators_table *t, struct text *out);
bool operators_table_write(const struct operators_table *t, const char *path, struct error *e);
/* Adds a row of the caller's texts, which are copied. */
bool operators_table_add(struct operators_table *t, const struct operators_row *row);
bool operators_table_has(const struct operators_table *t, const struct operators_point *at);
void operators_table_sort(struct operators_table *t);
/* The time of a point's operators whose names are in `names` (blanks between); NULL: of all.
 * Adds to *sum; false: the point has none of them. */
struct operators_time {
    double us, low, high;
};
bool operators_table_time(const struct operators_table *t, const struct operators_point *at,
                          const char *names, struct operators_time *sum);
void operators_table_fini(struct operators_table *t);

/* --- formats.c --- */
/* The table in a folder. */
char *operators_table_path(const char *output, const char *format);
/* Writes what that simulator reads beside the table. false: *e. */
bool operators_format_write(const struct operators_table *t, const char *format, const char *folder,
                            struct error *e);

/* gen_params.h - the parameters of generators: reading, listing, and what digests hold of them.
 *
 * A parameter is named in a generator .cfg, in an entry of a layer, or behind a program's name
 * ("ml/gemm M=4096"); all three become a struct gen_value first. */
#pragma once

#include "base/text/conf.h"
#include "base/text/text.h"
#include "trace/generators/kit.h"

/* A value that somebody wrote for a parameter, with what messages need. */
struct gen_value {
    const char *file; /* where it was written */
    uint32_t line;    /* 0: not in a file */
    const char *name;
    const char *text; /* as written; NULL: a number of a file */
    bool is_whole, is_real;
    int64_t whole;
    double real;
};

struct gen_value gen_value_of_setting(const struct conf_node *n);
/* A value behind a program's name: a word. */
struct gen_value gen_value_of_word(const char *file, const char *name, const char *word);
/* "FILE:LINE: NAME: what"; false. */
bool gen_value_refuse(const struct gen_value *v, const char *what, struct error *e);

/* The same of a setting; "FILE:LINE: what" if it has no name. */
bool gen_setting_refuse(const struct conf_node *n, const char *what, struct error *e);

/* Adds the names of all generators, in quotes. */
void gen_params_list_generators(struct text *t);
/* The generator that v names. NULL: *e. */
const struct generator_ops *gen_params_generator(const struct gen_value *v, struct error *e);
void gen_params_set_defaults(struct gen_config *c, const struct generator_ops *ops);
/* Sets the parameter that v names. false: *e. */
bool gen_params_read(struct gen_config *c, const struct generator_ops *ops,
                     const struct gen_value *v, struct error *e);
/* Sets p to the whole number of v, of a choice to the one of that number. false: *e. */
bool gen_params_set(struct gen_config *c, const struct gen_param *p, const struct gen_value *v,
                    struct error *e);
/* Writes a number with as few digits as read back as the same one. */
void gen_real_show(double v, char *out, size_t size);
/* Adds ";NAME=VALUE" for each. */
void gen_params_describe(struct text *t, const struct gen_config *c,
                         const struct generator_ops *ops);
/* The one of that name that all generators have, or NULL. */
const struct gen_param *gen_params_common(const char *name);
/* The parameter of that name that a generator takes, or NULL. */
const struct gen_param *gen_params_find(const struct generator_ops *ops, const char *name);
/* The parameters that a generator takes, its own first: the i-th one, NULL behind the last one. */
const struct gen_param *gen_params_at(const struct generator_ops *ops, uint32_t i);
/* Its value in c and what it may be, as users write them. */
void gen_params_show(const struct gen_param *p, const struct gen_config *c, char *value,
                     size_t value_size, char *allowed, size_t allowed_size);

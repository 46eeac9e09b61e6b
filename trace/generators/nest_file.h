/* nest_file.h - kernels that are written as text: a generator .cfg whose `loop` is a list of rows.
 * docs/guide/kernels.md describes the format; kernels/ holds generators of plumb's own in it. */
#pragma once

#include "base/text/conf.h"
#include "trace/generators/gen_params.h"
#include "trace/generators/nest.h"

/* A kernel's text as a generator. */
struct nest_file;

bool nest_file_is(const struct conf_node *root);
/* The generator that a text describes; root stays where it is as long as the generator is used.
 * NULL: *e. */
struct nest_file *nest_file_read(const struct conf_node *root, const char *name, struct error *e);
/* That of plumb's own text. */
struct nest_file *nest_file_parse(const struct generator_ops *of, struct error *e);
void nest_file_free(struct nest_file *f);
const struct generator_ops *nest_file_ops(const struct nest_file *f);
/* Adds all that is in a text, for its program's digest. */
void nest_file_describe(struct text *t, const struct conf_node *root);

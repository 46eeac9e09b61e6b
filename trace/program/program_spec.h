/* program_spec.h - how a PROGRAM is written: its name or path, and behind it, each after a blank,
 * parameters NAME=VALUE for a generator or a layer: "ml/gemm M=4096 type=bf16". A file of that
 * whole name comes first. */
#pragma once

#include "base/error.h"

#include <stdbool.h>

/* The name or path; mem_free it. NULL: no memory. */
char *program_spec_name(const char *spec);
/* Where the parameters begin; the end of spec if there are none. */
const char *program_spec_params(const char *spec);

/* A parameter of such a text: calls f(name, value, ctx) for each until one gives false. */
typedef bool program_spec_reader(const char *name, const char *value, void *ctx);
/* false: f gave false, or *e says that there was no memory. */
bool program_spec_each(const char *params, program_spec_reader *f, void *ctx, struct error *e);

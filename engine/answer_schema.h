/* answer_schema.h - the JSON schema (draft 2020-12) of answers: what `plumb metrics --schema`
 * prints, and what readers of answers may rely on. A published key keeps its type and its bounds.
 *
 * answer_schema.json.in holds what is written by hand. Lines in it that begin with @ stand for what
 * follows from the table of metrics:
 *   @metrics      each metric in the tree of its name
 *   @half_widths  each metric under its whole name
 *   @references   each branch of that tree, as a reference to it */
#pragma once

#include "base/text/text.h"

/* Adds the schema; out->failed: no memory. */
void answer_schema(struct text *out);

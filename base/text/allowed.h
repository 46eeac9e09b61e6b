/* allowed.h - reads a number that a user gave, on the command line or through the library, and says
 * which ones are allowed. Both ask here, so that both take and refuse the same, in the same words:
 * "NAME TEXT: allowed are ...". */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* A decimal number, or a hexadecimal one after 0x. false: *e says what is allowed. */
bool allowed_whole(const char *name, const char *text, uint64_t low, uint64_t high, uint64_t *v,
                   struct error *e);
/* A number above 0 and below 1. */
bool allowed_fraction(const char *name, const char *text, double *v, struct error *e);

/* bank_place.h - who decides whether there is a bank, and which.
 *
 * In this order: the option --bank none|FILE; $PLUMB_BANK: "off", "none" or a file; 'plumb bank
 * off', which leaves a file bank.off in the cache directory; else bank.db in that directory
 * (file_cache_dir). $PLUMB_BANK_MB bounds the size of a bank that is written. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { BANK_MB = 256, BANK_MB_MAX = 1 << 20 };

/* bank.db in the cache directory, to be freed with mem_free; NULL: *e. */
char *bank_place_default(struct error *e);
/* What an option says of the bank: "none", a file, or NULL for no option.  *path: the file, to be
 * freed with mem_free; NULL: there is to be none.  false: there is no cache directory, or no
 * memory. */
bool bank_place(const char *option, char **path, struct error *e);
/* Bytes; false: $PLUMB_BANK_MB is no number of 1 to BANK_MB_MAX. */
bool bank_place_bound(uint64_t *bytes, struct error *e);
/* Whether 'plumb bank off' was said last. */
bool bank_place_is_off(void);
bool bank_place_switch(bool on, struct error *e);

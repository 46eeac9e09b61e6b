/* machine.h - the tree of all parts by value, the reader, the checks, the presets.
 *
 * Only loading, checking, dumping and building include this header (a test greps for others): a component
 * takes the one part that it needs.  Order: defaults, file (and what it builds on), overrides, derive and check
 * all, freeze.
 *
 * MACHINE is a file (it holds a '/' or ends in .cfg) or the name of a preset in configs/gpus, looked for in
 * $PLUMB_CONFIG_PATH, the source tree that was built, and the installed data. */
#ifndef PLUMB_MACHINE_MACHINE_H
#define PLUMB_MACHINE_MACHINE_H

#include "base/digest.h"
#include "base/error.h"
#include "base/text.h"
#include "machine/clock.h"
#include "machine/dram.h"
#include "machine/l1.h"
#include "machine/l2.h"
#include "machine/noc.h"
#include "machine/sm.h"

struct machine {
    char name[PARAM_TEXT_MAX];
    struct clock_params clock;
    struct sm_params sm;
    struct l1_params l1;
    struct l2_params l2;
    struct noc_params noc;
    struct dram_params dram;
};

extern const struct part machine_parts[];
extern const uint32_t machine_parts_n;

/* Loads, overrides ("l2.bank_kb=512", in order, later ones win), derives and checks.  false: `all` holds every
 * fault found, each with file and line (or the --set it came from). */
bool machine_load(struct machine *m, const char *spec, const char *const *sets, size_t n, struct errors *all);
/* One more override on a loaded machine, checks included; on false *m is unchanged. */
bool machine_set(struct machine *m, const char *const *sets, size_t n, struct errors *all);
/* The effective configuration as a file that machine_load reads back to an equal machine. */
void machine_dump(const struct machine *m, struct text *out);
struct digest machine_digest(const struct machine *m); /* of every parameter, not of the name */
/* What follows from the parameters: peak GB/s, bytes per core cycle, lines in flight to saturate memory ... */
void machine_derived(const struct machine *m, struct text *out);
bool machine_clocks(const struct machine *m, struct clocks *c);

/* "l2.mshr.entries" -> row and part; NULL if there is none (closest: the nearest known path, may be NULL). */
const struct param *machine_find_param(const char *path, const struct part **part, const char **closest);
/* The value of a parameter as text, as it would stand in a file.  false: no such path. */
bool machine_get(const struct machine *m, const char *path, struct text *out);
/* Value as a number (enums by position, bools 0/1) for features of fits; false: not a number. */
bool machine_get_number(const struct machine *m, const char *path, double *v);

/* Names of the presets found, sorted; mem_free each and the array.  NULL-terminated. */
char **machine_presets(struct error *e);
/* Finds "gpus/rx540.cfg" and the like in the configuration directories; mem_free it; NULL: not there. */
char *config_find(const char *relative);

#endif

/* loader.h - layers of settings on a machine, and the origin of each (for gpu/machine's own files
 * only). Layer 0 holds the defaults (or the machine that machine_set starts from); then follow one
 * layer per file from the deepest base up, the parameter sets that --set names, and all other
 * --set. Errors are collected; a refused value changes nothing. */
#pragma once

#include "base/memory/arena.h"
#include "base/text/conf.h"
#include "gpu/machine/load/machine.h"
#include "gpu/machine/tables/parts.h"

enum { BASES_MAX = 16 };

/* Where a parameter was set last. */
struct origin {
    const char *file; /* NULL: nowhere; for a --set its whole text, with line 0 */
    uint32_t line, layer;
    bool refused; /* a value was refused: checks that read it are skipped */
};

struct loader {
    struct machine *m;
    struct errors *all;
    struct origin *origin;            /* indexed by row number */
    struct arena arena;               /* holds the texts of origins */
    char **dirs;                      /* for @include */
    struct conf *conf[4 * BASES_MAX]; /* kept open, since origins point into them */
    const char *base[BASES_MAX];      /* files being read, outermost first */
    uint32_t confs, bases, layer;
    const char *name; /* name for errors without a place */
};

bool loader_init(struct loader *l, struct machine *m, const char *name, struct errors *all);
void loader_fini(struct loader *l);

/* Each of these adds a layer and appends its errors to l->all. */
void loader_file(struct loader *l, const char *path);
void loader_conf(struct loader *l, struct conf *c); /* takes ownership of c */
void loader_sets(struct loader *l, const char *const *sets, size_t n);

/* Resets rows whose `when` does not hold to their defaults, derives fields, and checks everything.
 */
void loader_settle(struct loader *l);
/* Whether all checks between parameters hold. */
bool loader_checks_hold(const struct machine *m);

/* Resolves the name of a configuration file. A path is taken as it is, relative to the folder of
 * `from` (NULL: the current one); any other word is the name of a file in `folder` of the
 * configuration directories. To be freed with mem_free; NULL: no such file. */
char *loader_resolve_config(const char *spec, const char *folder, const char *from);

/* Sets the fields that are no rows: sets of the caches, clock_khz. */
void loader_derive_fields(struct machine *m);
/* Adds an error at the place where a row was set last. */
void loader_fault(struct loader *l, const struct param_ref *ref, const char *text);

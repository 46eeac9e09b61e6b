/* loader.h - layers of settings on a machine, and where each came from (machine's own files only).
 *
 * Layer 0 are the defaults (or the machine that machine_set starts from), then one layer per file
 * from the deepest base up, then the sets of parameters that --set names, then all other --set.
 * Faults are collected; a refused value changes nothing. */
#ifndef PLUMB_GPU_MACHINE_LOAD_LOADER_H
#define PLUMB_GPU_MACHINE_LOAD_LOADER_H

#include "base/memory/arena.h"
#include "base/text/conf.h"
#include "gpu/machine/load/machine.h"
#include "gpu/machine/tables/parts.h"

enum { BASES_MAX = 16 };

/* Where a parameter was set last. */
struct origin {
    const char *file; /* NULL: nowhere; a --set stands here whole, with line 0 */
    uint32_t line, layer;
    bool refused; /* a value was refused: checks that read it are passed over */
};

struct loader {
    struct machine *m;
    struct errors *all;
    struct origin *origin;            /* by row number */
    struct arena arena;               /* texts of origins */
    char **dirs;                      /* for @include */
    struct conf *conf[4 * BASES_MAX]; /* kept: origins point into them */
    const char *base[BASES_MAX];      /* files being read, outermost first */
    uint32_t confs, bases, layer;
    const char *name; /* of what is loaded, for faults that lie nowhere */
};

bool loader_init(struct loader *l, struct machine *m, const char *name, struct errors *all);
void loader_fini(struct loader *l);

/* Each adds a layer.  Faults go to l->all. */
void loader_file(struct loader *l, const char *path);
void loader_conf(struct loader *l, struct conf *c); /* takes c */
void loader_sets(struct loader *l, const char *const *sets, size_t n);

/* Puts rows whose `when` fails back to their defaults, derives, checks everything. */
void loader_settle(struct loader *l);

/* A path stands for itself, seen from the folder of `from` (NULL: the current one); any other word
 * is the name of a file in `folder` of the configuration directories.  mem_free it; NULL: not
 * there. */
char *loader_resolve_config(const char *spec, const char *folder, const char *from);

/* What the reader fills beside the rows: sets of the caches, clock_khz. */
void loader_derive_fields(struct machine *m);
/* One fault at the place where a row was set last. */
void loader_fault(struct loader *l, const struct param_ref *ref, const char *text);

#endif

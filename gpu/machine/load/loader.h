/* loader.h - layers of settings on a machine, and the origin of each (for gpu/machine's own files
 * only). Layer 0 holds the defaults (or the machine that machine_set starts from); then follow one
 * layer per file from the deepest base up, the parameter sets that --set names, and all other
 * --set. Errors are collected; a refused value changes nothing. */
#pragma once

#include "base/memory/arena.h"
#include "base/text/conf.h"
#include "gpu/machine/load/evidence.h"
#include "gpu/machine/load/machine.h"
#include "gpu/machine/tables/parts.h"

enum { BASES_MAX = 16, EVIDENCE_PATHS_MAX = 512 };

/* Where a parameter was set last. */
struct origin {
    const char *file; /* NULL: nowhere; for a --set its whole text, with line 0 */
    uint32_t line, layer;
    bool refused; /* a value was refused: checks that read it are skipped */
};

/* What the file of a layer says of a parameter: the path that named it had so many characters. */
struct evidence_mark {
    enum evidence_grade grade;
    const char *source;
    uint32_t layer, length;
    bool group; /* the path was of a group */
};

struct loader {
    struct machine *m;
    struct errors *all;
    struct origin *origin;                                     /* indexed by row number */
    struct evidence_mark *mark;                                /* likewise */
    const struct conf_node *evidence_path[EVIDENCE_PATHS_MAX]; /* of the file that is read */
    const char *curve[EVIDENCE_CURVES_MAX];
    uint32_t evidence_paths, curves;
    struct arena arena;               /* holds the texts of origins and evidence */
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

/* Copies a text of one line, or adds an error. */
void loader_text(struct loader *l, const struct conf_node *n, char *to, size_t size);

/* Reads the group `evidence` of the layer's file. */
void loader_evidence(struct loader *l, const struct conf_node *group);
/* Copies what counts after all layers; to be freed with machine_evidence_fini. false: no memory. */
bool loader_take_evidence(const struct loader *l, struct machine_evidence *ev);

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

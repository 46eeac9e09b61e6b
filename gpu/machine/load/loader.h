/* loader.h - layers of settings on a machine, and the origin of each (for gpu/machine's own files
 * only). Layer 0 holds the defaults (or the machine that machine_set starts from); then follow one
 * layer per file from the deepest base up, the parameter sets that --set names, and all other
 * --set. Errors are collected; a refused value changes nothing. */
#pragma once

#include "base/memory/arena.h"
#include "base/text/conf.h"
#include "gpu/machine/check/check.h"
#include "gpu/machine/load/evidence.h"
#include "gpu/machine/machine.h"
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
    struct arena arena;                  /* holds the texts of origins and evidence */
    char **dirs;                         /* for @include; NULL: no file was opened yet */
    struct conf *conf[4 * BASES_MAX];    /* kept open, since origins point into them */
    const char *base[BASES_MAX];         /* files being read, outermost first */
    uint32_t confs, bases, layer, depth; /* depth: files that build on the one that is read */
    uint32_t version;               /* of the file read last: of the base, while a file is read */
    const struct conf_node *before; /* earlier versions that the outermost file's base keeps */
    /* The file that stated the evidence and curves, which its users inherit, and the machine then.
     */
    const char *evidence_of;                           /* NULL: none did */
    bool sheet;                                        /* as machine_evidence */
    uint32_t evidence_layer, curves_layer, file_layer; /* file_layer: of the outermost file */
    struct machine at_evidence;
    const char *name;       /* name for errors without a place */
    enum setting_form form; /* of the settings that errors offer */
};

bool loader_init(struct loader *l, struct machine *m, const char *name, struct errors *all);
void loader_fini(struct loader *l);

/* Each of these adds a layer and appends its errors to l->all. */
void loader_file(struct loader *l, const char *path);
void loader_conf(struct loader *l, struct conf *c); /* takes ownership of c */
void loader_sets(struct loader *l, const char *const *sets, size_t n);

/* Copies a text of one line, or adds an error. */
void loader_text(struct loader *l, const struct conf_node *n, char *to, size_t size);
/* Applies all settings of a group whose path is `prefix`, sets first, so that the other settings
 * override them. in_set: the group is of a set. */
void loader_group(struct loader *l, const struct conf_node *group, const char *prefix, bool in_set);
/* Reads the memory set that a row names, if it does, and the sets that this one builds on; relative
 * paths start at `from`. */
void loader_set(struct loader *l, const struct param_ref *ref, const char *from);
/* Whether a setting of a set's top level is of the set itself (base, kind), and no parameter. */
bool loader_is_of_set(const char *prefix, const char *name);
/* Applies a setting of a file's top level that is neither its base nor a version. */
void loader_top(struct loader *l, const struct conf_node *n);
/* The version that a group states under that name; 0: none. */
uint32_t loader_version(struct loader *l, const struct conf_node *group, const char *name);
/* Takes the values of an earlier version (0: of none) of a file that has been read, as far as the
 * file keeps them; returns the version whose values the machine then has. */
uint32_t loader_restore(struct loader *l, const struct conf_node *root, uint32_t version,
                        uint32_t wanted);
/* Notes in m->moved if the base that was read is not of the stated version. */
void loader_compare_versions(struct loader *l, const struct conf_node *root, uint32_t stated);
/* What the base's newest earlier version that says something of a row has there; NULL: nothing. */
const struct conf_node *loader_earlier(const struct loader *l, const char *path, uint32_t *version);
/* Adds to what a failed check says the first value that the layer of the culprit did not set and
 * without which the check would hold, where that value is from, and what would replace it. */
void loader_clash(const struct loader *l, const struct check *c, const struct param_ref *culprit,
                  struct text *why);
/* Adds to what is said of a row that does not apply where the choice is from that rules it out, if
 * the layer that sets the row inherited that choice. */
void loader_inherited_choice(const struct loader *l, const struct param_ref *selector,
                             const struct param_ref *row, struct text *why);
/* Opens a file, which stays open until loader_fini. NULL: an error was added. */
struct conf *loader_open(struct loader *l, const char *path);

/* Reads the group `evidence` of the layer's file. */
void loader_evidence(struct loader *l, const struct conf_node *group);
/* Notes that the file of this layer has evidence. */
void loader_note_evidence(struct loader *l);
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

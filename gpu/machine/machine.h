/* machine.h - the machine as a tree of all its parts by value; its reader, checks and presets.
 *
 * Only loading, checking, dumping and building include this header (a test greps for others): a
 * component takes the one part that it needs. Order: defaults, file (and its bases), overrides,
 * derive and check all, freeze.
 *
 * A file may build on another: base = "rx540" (a preset, or a path relative to the file) is loaded
 * first and the file's own settings override it. Likewise, dram.set = "hbm2" loads
 * configs/dram/hbm2.cfg first, which may build on another set. MACHINE is a file (if it contains a
 * '/' or ends in .cfg) or the name of a preset in configs/gpus, which is looked up in
 * $PLUMB_CONFIG_PATH, the source tree that was built, and the installed data. */
#pragma once

#include "base/error.h"
#include "base/text/digest.h"
#include "base/text/text.h"
#include "gpu/machine/part_list.h"

enum { MACHINE_DESCRIPTION_MAX = 160, MACHINE_DOUBT_MAX = 112, MACHINE_NOTE_MAX = 256 };

/* An engine whose answers of the machine are known to be far off, as its file states
 * (evidence.h). */
struct machine_doubt {
    char engine[16];              /* "estimate", "sample", "simulate"; "": none */
    char what[MACHINE_DOUBT_MAX]; /* which metrics, how far, beside what */
    char source[PARAM_TEXT_MAX];  /* where that was measured */
};

#define MACHINE_MEMBER(part, params) struct params##_params part;
struct machine {
    char name[PARAM_TEXT_MAX];   /* of the file or preset, unless the file gives another */
    char preset[PARAM_TEXT_MAX]; /* it is, or else the nearest that it builds on; "": none */
    uint32_t preset_version;     /* of that preset; 0: there is none */
    char description[MACHINE_DESCRIPTION_MAX]; /* one line */
    struct machine_doubt doubt;                /* the file's, or else that of its base */
    char moved[MACHINE_NOTE_MAX]; /* why its base is another than the one that the file was written
                                     for; "": it is not */
    MACHINE_PARTS(MACHINE_MEMBER) /* second_dram: 0 channels where there is none */
};

extern const struct part *const machine_parts[];
extern const uint32_t machine_parts_n;

/* Loads a machine, applies the overrides ("l2.bank_kb=512", in order, later ones win), derives and
 * checks. false: `all` has every error found, each with file and line (or its --set). */
bool machine_load(struct machine *m, const char *spec, const char *const *sets, size_t n,
                  struct errors *all);
/* machine_load from a text (a stored effective configuration); `name` replaces the file's name in
 * errors. */
bool machine_parse(struct machine *m, const char *text, const char *name, const char *const *sets,
                   size_t n, struct errors *all);
/* Sets every parameter to its default: a small consistent machine for models of one part (plumb
 * dram, tests). */
void machine_defaults(struct machine *m);
/* Applies overrides to a loaded machine and checks it; on false *m is unchanged. */
bool machine_set(struct machine *m, const char *const *sets, size_t n, struct errors *all);
/* Where the user writes a setting, and so how an error offers another one. */
enum setting_form {
    SETTING_OPTION,  /* --set PATH=VALUE */
    SETTING_OF_SWEEP /* set = ( "PATH=VALUE" ); */
};
/* machine_set for settings that are written in another place than the command line. */
bool machine_set_as(struct machine *m, const char *const *sets, size_t n, enum setting_form form,
                    struct errors *all);
/* machine_set for trials of many machines: scales numbers, each "path=value", from and to other
 * values than 0, so that the same parameters apply afterwards; it does not say what is wrong. */
bool machine_scale(struct machine *m, const char *const *sets, size_t n);
/* The effective configuration as a file that machine_load reads back to an equal machine. */
void machine_dump(const struct machine *m, struct text *out);
/* machine_dump for a user's file: it builds on the preset, if there is one, and names no machine
 * whose name is "" (the file's name is the machine's then). */
void machine_dump_file(const struct machine *m, struct text *out);
/* The first parameter in which the two differ and which `skip` does not name, not one of the parts
 * that cost no time (energy); NULL: none. */
const char *machine_difference(const struct machine *a, const struct machine *b,
                               bool (*skip)(const char *path, const void *ctx), const void *ctx);
/* Of every parameter, not of the name; 0: no memory. */
struct digest machine_digest(const struct machine *m);
/* Figures that follow from the parameters: peak GB/s of memory, L2 and L1, peak TFLOP/s, times of
 * the DRAM in ns, lines in flight ... */
struct derived {
    const char *name, *unit, *meaning;
    double value;
};
enum { MACHINE_DERIVED_MAX = 32 };
uint32_t machine_derive(const struct machine *m, struct derived out[MACHINE_DERIVED_MAX]);
/* A figure that no DRAM of its kind has (gpu/machine/params/dram/dram_kind.h). */
struct machine_oddity {
    const char *memory;        /* "dram" or "dram[1]" */
    const char *figure, *unit; /* "pin_gbps", "trcd_ns" ... */
    double value;
    struct dram_range range;
    const char *kind, *source;
};
enum { MACHINE_ODDITIES_MAX = 2 * DRAM_LIMITS };
uint32_t machine_oddities(const struct machine *m, struct machine_oddity out[MACHINE_ODDITIES_MAX]);
/* The figures and the doubts as text, one per line, each after `indent`; doubts begin with
 * "warning: ". */
void machine_figures(const struct machine *m, const char *indent, struct text *out);
struct json;
/* Into an open object: derived, and implausible if there are doubts. */
void machine_figures_json(const struct machine *m, struct json *j);
/* precondition: the name exists. */
double machine_derived_value(const struct machine *m, const char *name);
/* Core cycles that the way through the L3 adds to an access, with so many L2 cycles of look-up; 0
 * without an L3. */
double machine_l3_cycles(const struct machine *m, uint32_t look_up);
bool machine_clocks(const struct machine *m, struct clocks *c);
/* An upper bound, in cycles of the slowest clock, of the time for which the machine can be busy
 * without an event: the sum of all latencies, intervals and timings. */
uint64_t machine_longest_wait(const struct machine *m);

/* Writes the reference of all parameters whose path begins with `word` ("" = all); where none does,
 * of those with the word in their path or meaning, in any case. Returns their number. */
enum reference_format { REFERENCE_TEXT, REFERENCE_JSON, REFERENCE_MARKDOWN };
uint32_t machine_reference(const char *word, enum reference_format format, struct text *out);

/* Adds what to write instead of a path that names no parameter: "the closest known one is
 * l2.bank_kb (capacity of a slice)", or how to list those there are. */
void machine_suggest_param(struct text *out, const char *path);

/* Finds a parameter by its path, as "l2.mshr.entries"; NULL: unknown. *closest: the nearest known
 * path, possibly NULL, valid until this thread's next call. part and closest may be NULL. */
const struct param *machine_find_param(const char *path, const struct part **part,
                                       const char **closest);
/* The value of a parameter as it is written in a file. false: no such path. */
bool machine_get(const struct machine *m, const char *path, struct text *out);
/* The value as it is written on a command line: names without quotes. */
bool machine_get_bare(const struct machine *m, const char *path, struct text *out);
/* Whether the parameter has that value, written as on a command line; false for lists. */
bool machine_is(const struct machine *m, const char *path, const char *value);
/* Whether all conditions hold, "path=value" or "path!=value" each, separated by blanks: the `on` of
 * a mechanism (gpu/mechanisms/mechanisms.h). */
bool machine_meets(const struct machine *m, const char *conditions);
/* The mechanisms and groups that are on. */
struct mechanism_set machine_mechanisms(const struct machine *m);
struct part_pointers machine_part_pointers(const struct machine *m);
/* The value as a number (enums by position, bools 0/1), as a feature for regressions; false: not a
 * number. */
bool machine_get_number(const struct machine *m, const char *path, double *v);

/* All full paths in the order of the tables; mem_free the array.  NULL: no memory.  *n: how many.
 */
char **machine_paths(uint32_t *n);

/* Names of the presets found, sorted; mem_free each and the array.  NULL-terminated. */
char **machine_presets(struct error *e);
/* The names of the .cfg files in that folder of the configuration directories, sorted and
 * NULL-terminated, to be freed with machine_config_dirs_free. NULL: no memory. */
char **machine_config_names(const char *folder, struct error *e);
void machine_config_dirs_free(char **dirs);

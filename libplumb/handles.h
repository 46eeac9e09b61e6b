/* handles.h - what stands behind the handles of plumb.h, for the command line, which shows more of
 * an answer than its JSON.
 *
 * A function of plumb.h or plumb_dram.h that reads or writes text begins with PLAIN_LOCALE. */
#pragma once

#include "base/text/plain_locale.h"
#include "calibration/calibration_set.h"
#include "engine/engine.h"
#include "engine/profile_pool.h"
#include "gpu/machine/machine.h"
#include "libplumb/plumb.h"

/* Calibrations by the name of their file; shared by a machine and the copies that were made of it.
 * A set that was opened stays open, and where it is. */
struct calibration_shelf;

/* Settings as the caller wrote them, copied. */
struct settings {
    char **text;
    uint32_t n;
};

struct plumb_machine {
    struct machine m;
    struct settings set;
    struct calibration_shelf *calibrations;
};

struct plumb_program {
    struct program *p;
    struct profile_pool profiles;
};

struct plumb_answer {
    struct answer a; /* a.set is set.text */
    struct settings set;
    struct text json;
};

/* --- last_error.c: what plumb_error() says --- */
void last_error_clear(void);
void last_error_set(const struct error *e);
/* A line per fault; settings by themselves, without the option --set before them. */
void last_error_set_all(const struct errors *all);

/* --- live.c: which handles are open --- */
enum handle_kind { HANDLE_MACHINE, HANDLE_PROGRAM, HANDLE_ANSWER, HANDLE_DRAM, HANDLE_KINDS };
/* Called when a handle is complete. false: no memory. */
bool handle_open(const void *handle, enum handle_kind kind);
/* The first step of every public call: clears the error of the thread's last call. false: the
 * pointer is no open handle of that kind, and plumb_error() says so. */
bool handle_is(const void *handle, enum handle_kind kind);
/* The handle is not open any more. false: it was not, and plumb_error() says so, or is NULL. */
bool handle_close(const void *handle, enum handle_kind kind);

/* --- options.c --- */
/* The options that the caller gave as those of engines; *cal and *bank: its members of these names.
 * false: *e says which is not allowed. */
bool libplumb_options(const struct plumb_options *given, struct run_opts *r, const char **cal,
                      const char **bank, struct error *e);

/* --- library_bank.c --- */
/* The bank that the member `bank` names; NULL: none, or *e says why not, and the run goes on
 * without. */
struct bank *libplumb_bank_open(const char *name, enum engine engine, struct error *e);
/* Warns in the answer of what the bank was in trouble with, or of *e, and closes it. */
void libplumb_bank_close(struct bank *b, const struct error *e, struct answer *a);

/* Whether there are n settings; NULL among them, or too many, are told. */
bool settings_are_texts(const char *const *set, size_t n, struct errors *all);
/* Fills an empty *to with the settings `from`, and n more. false: no memory; *to is empty. */
bool settings_copy(struct settings *to, const struct settings *from, const char *const *more,
                   size_t n);
void settings_fini(struct settings *s);

/* The set of calibrations that the machine's estimates are corrected with; `file` as in
 * plumb_options. NULL: *e says why. */
const struct calibration_set *libplumb_calibrations(const plumb_machine *machine, const char *file,
                                                    struct error *e);
/* As the functions of plumb.h, with all faults, or the fault, of a machine or a program. */
plumb_machine *libplumb_machine_open(const char *machine, const char *const *set, size_t n,
                                     struct errors *all);
plumb_machine *libplumb_machine_change(const plumb_machine *machine, const char *const *set,
                                       size_t n, struct errors *all);
plumb_program *libplumb_program_open(const char *program, const plumb_machine *machine,
                                     bool allow_unknown, struct error *e);
/* Runs an engine; estimates are corrected by the calibrations of that file (plumb_options.cal),
 * other engines see to it that a file which is named fits the machine. */
bool libplumb_run(enum engine engine, const plumb_machine *machine, plumb_program *program,
                  const char *cal, const struct run_opts *o, struct answer *a, struct error *e);
/* Fills the range of b's time over a's, if both are estimates: of the second machine and the first,
 * of one program. */
bool libplumb_ratio(const plumb_machine *first, const plumb_machine *second,
                    const plumb_program *program, const char *cal, const struct run_opts *o,
                    const struct answer *a, struct answer *b, struct error *e);
/* The parameters of a memory alone: the set of that name in configs/dram, or the file, with
 * settings of paths below dram.; it suits any number of channels. false: `all` says why. */
bool libplumb_memory(struct dram_params *p, const char *set, const char *const *sets, size_t n,
                     struct errors *all);

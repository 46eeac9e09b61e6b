/* plumb.h - what a GPU memory system would do with a program, from inside other programs.
 *
 * A machine is a preset or a file with settings; a program is a trace, a generator, or a program
 * that comes with plumb; an answer holds the metrics of a run. What their names, settings and
 * metrics mean is plumb's command line and documentation: docs/parameters.md,
 * docs/guide/metrics.md, `plumb metrics --schema`.
 *
 * Ownership: whoever opens a handle closes it. Texts that a function returns belong to the handle
 * (or to the thread, plumb_error) and stay valid until it is closed (until the thread's next call).
 * Closing NULL does nothing. A handle that is NULL, was closed before, or is one of another kind is
 * an error like any other, in closing, too: no call follows it. A program may outlive the machine
 * that it was opened with, an answer its machine and its program.
 *
 * Threads: machines and programs do not change once they are open, so that any number of threads
 * may use one at the same time, and no function closes another's handle. An answer belongs to one
 * thread at a time. Nothing here prints, exits, or changes signal handlers.
 *
 * Errors: a function that fails returns NULL or 0 (a closing one: nothing) and leaves one line per
 * fault in plumb_error(): what is wrong, and what is allowed. Names and settings are texts that end
 * in a NUL; NULL in place of one is an error.
 *
 * Files: presets and programs are found as plumb itself finds them ($PLUMB_CONFIG_PATH, the
 * installation); profiles and checkpoints are kept in plumb's cache directory. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PLUMB_API __attribute__((visibility("default")))

typedef struct plumb_machine plumb_machine;
typedef struct plumb_program plumb_program;
typedef struct plumb_answer plumb_answer;

/* The options of a run. `size` must be sizeof(struct plumb_options); zero every other member that
 * you do not set: 0 and NULL stand for what the command line does without that option, whose long
 * name is the member's. What the command line refuses is refused here, too: error and confidence
 * lie between 0 and 1, seed is below 2^63, threads at most 4096. */
struct plumb_options {
    size_t size;        /* sizeof(struct plumb_options), so that later versions may add members */
    const char *cal;    /* a calibration's file; "none"; NULL: what comes with plumb */
    const char *kernel; /* only launches of that name */
    uint64_t max_instructions; /* simulate, sample: stop after so many warp instructions */
    uint64_t budget;           /* sample: the most warp instructions to simulate */
    uint64_t seed;             /* of random choices; 0: 1 (the seed 0 cannot be asked for) */
    double error, confidence;  /* sample: relative half width to reach; confidence of ranges */
    unsigned threads;          /* at most so many; 0: all processors, a simulation: one */
    int per_kernel;            /* the metrics of each launch, too */
    int per_load;              /* simulate: counts by instruction and by buffer, too */
    int what_helps;            /* estimate: what would help, too */
    int exact_profile;         /* estimate: the profile from every access */
    int no_cache;              /* neither read nor write kept profiles */
    /* The bank of runs: "default" for the user's own, or a file; NULL: none. Whole simulations and
     * samples are kept there; what it cannot keep is a warning of the answer. */
    const char *bank;
};

/* The version: "0.1.0". */
PLUMB_API const char *plumb_version(void);
/* Why the calling thread's last call failed; "" if it did not. */
PLUMB_API const char *plumb_error(void);
/* With 1: lets all runs of the process end as soon as they can, as failed; with 0: allows runs
 * again. Safe in a signal handler. */
PLUMB_API void plumb_stop(int stop);

/* Sets the member of that name from a text, as an option is written on the command line ("seed",
 * "7"; "confidence", "0.9"; flags: "0" or "1"), for bindings whose numbers are not those of C: 2^70
 * is refused, not cut. The number 0 stands for no option, as in the struct. 0: no such member, or
 * not allowed. A text for cal, kernel or bank is not copied. */
PLUMB_API int plumb_options_set(struct plumb_options *options, const char *name, const char *value);

/* Opens a preset ("rx540") or a file, with n settings "l2.bank_kb=512" (later ones win). */
PLUMB_API plumb_machine *plumb_machine_open(const char *machine, const char *const *set, size_t n);
/* A copy with n more settings, without reading a file again: what a sweep over designs wants. */
PLUMB_API plumb_machine *plumb_machine_change(const plumb_machine *machine, const char *const *set,
                                              size_t n);
/* Precondition: no call that uses the machine goes on. */
PLUMB_API void plumb_machine_close(plumb_machine *machine);

/* Opens a program, as wide as the machine's warps; it runs on every machine of that width.
 * A product that chooses its tiles keeps those for this machine. Parameters of a generator stand
 * behind its name ("ml/gemm M=4096 N=4096 K=4096"). It keeps the profiles that estimates of it need
 * in memory (some of them, if machines need very many). */
PLUMB_API plumb_program *plumb_program_open(const char *program, const plumb_machine *machine);
/* Precondition: no run of it goes on. */
PLUMB_API void plumb_program_close(plumb_program *program);

/* The three prices: a model's instant answer, a sample of intervals, the whole cycle model.
 * options: NULL: none. */
PLUMB_API plumb_answer *plumb_estimate(const plumb_machine *machine, plumb_program *program,
                                       const struct plumb_options *options);
PLUMB_API plumb_answer *plumb_sample(const plumb_machine *machine, plumb_program *program,
                                     const struct plumb_options *options);
PLUMB_API plumb_answer *plumb_simulate(const plumb_machine *machine, plumb_program *program,
                                       const struct plumb_options *options);
/* Estimates the program on two machines and returns the second one's answer, whose JSON has the
 * "difference" from the first and, in "confidence", the "ratio" of the times with its range. The
 * range is narrow if one machine was made from the other, or both from one, by
 * plumb_machine_change: errors that they have in common cancel. */
PLUMB_API plumb_answer *plumb_compare(const plumb_machine *first, const plumb_machine *second,
                                      plumb_program *program, const struct plumb_options *options);

/* The answer as JSON (`plumb metrics --schema`); NULL: no memory, or no open answer. */
PLUMB_API const char *plumb_answer_json(plumb_answer *answer);
/* Whether there is a metric of that name ("cycles", "l2.hit_rate"); 0: plumb_error() names the
 * closest. */
PLUMB_API int plumb_metric_exists(const char *name);
/* A metric of the answer by its name; 0: there is no such metric, or the answer has no value of it,
 * and *value is left alone. */
PLUMB_API int plumb_answer_metric(const plumb_answer *answer, const char *name, double *value);
PLUMB_API void plumb_answer_close(plumb_answer *answer);

#ifdef __cplusplus
}
#endif

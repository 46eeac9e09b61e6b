/* programs.h - the programs of the experiments, and how long each runs.
 *
 * A program is the text of a generator's configuration.  Lengths are warp instructions of the whole
 * machine. */
#pragma once

#include "base/text/text.h"
#include "cards/probe/experiment.h"
#include "gpu/metrics/metrics.h"

#include <stdbool.h>

struct machine;
struct launch;

/* Executed functionally to fill caches, then in detail before measuring, then measured. */
struct probe_lengths {
    uint64_t warm, settle, measure;
};

struct probe_program {
    void (*config)(const struct machine *m, const struct probe_point *pt, struct text *out);
    /* A program that is executed functionally before it, to its end; NULL, or no text: none.  Where
     * points share their caches, before the first one only. */
    void (*fill)(const struct machine *m, const struct probe_point *pt, struct text *out);
    void (*lengths)(const struct machine *m, const struct probe_point *pt, const struct launch *l,
                    struct probe_lengths *out);
    /* Elements of the arrays that a run touches: a run after another one begins behind it and finds
     * the caches as that left them. NULL: each begins with empty caches. */
    uint64_t (*elements)(const struct machine *m, const struct probe_point *pt);
    /* Sets value and extra from the metrics of the measured part. */
    void (*value)(const struct machine *m, struct probe_point *pt, const struct metrics *x);
    uint32_t cta_threads; /* that an SM must hold; 0: the point's */
};

extern const struct probe_program probe_chase_program, probe_stream_program, probe_l2_program,
    probe_shared_program, probe_stride_program;
const struct probe_program *probe_program_of(enum probe_id id);

/* Whether the machine can run the point; false: *why (unless NULL) says why not. */
bool probe_can_run(const struct machine *m, const struct probe_point *pt, struct text *why);

/* Bytes of all caches between the SMs and memory, and of the last of them alone. */
double probe_cache_bytes(const struct machine *m);
double probe_last_cache_bytes(const struct machine *m);
/* Bytes that memory moves per request of a lane in the steady state of a stream, whose operands
 * come from memory, or end there, once; 0: not known. */
double probe_memory_bytes(const struct probe_point *pt);
/* Threads of the whole GPU that run at the same time in a stream. */
double probe_stream_threads(const struct machine *m, const struct probe_point *pt);

/* --- for the programs --- */
enum { PROBE_KB = 1024, PROBE_DOUBLE = 8 };
static inline double probe_longer(const struct probe_point *pt)
{
    return pt->longer ? pt->longer : 1;
}
uint32_t probe_warps(const struct machine *m, uint32_t threads);
/* Instructions of a warp per load, in the steps of a loop. */
double probe_per_load(const struct launch *l);

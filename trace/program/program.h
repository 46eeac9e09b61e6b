/* program.h - programs: an ordered list of commands (launches and copies) and, per CTA, the warps'
 * streams.
 *
 * There is one interface for all sources: a .plt file (mapped), a directory with kernelslist.g
 * (packed once into the cache directory, then read as .plt), a generator .cfg (generated on the
 * fly), `suite:NAME` (a list of programs; see suite.h). Every source provides *segments*: the
 * encoded streams of all warps of one CTA between two seek points. One cursor reads them all
 * (cursor.h).
 *
 * Threads: a struct program is immutable after opening and may be shared; each thread has its own
 * reader. Source: design of the format in docs/develop/trace-format.md. */
#pragma once

#include "base/error.h"
#include "base/text/digest.h"
#include "base/text/text.h"
#include "trace/stream/inst.h"

#include <stdbool.h>
#include <stdint.h>

enum command_kind { COMMAND_LAUNCH, COMMAND_COPY_TO_DEVICE, COMMAND_COPY_TO_HOST };

struct command {
    enum command_kind kind;
    uint32_t launch;      /* COMMAND_LAUNCH: index for program_launch */
    uint64_t addr, bytes; /* copies */
};

/* The last `most` bytes of a copy, in whole pieces of `step` bytes (a power of two): the address of
 * the first and their number. Copies end within the address space (readers ensure it); the last
 * piece may end with it. */
struct copy_pieces {
    uint64_t first, n;
};
static inline struct copy_pieces copy_tail(const struct command *c, uint64_t most, uint64_t step)
{
    uint64_t bytes = c->bytes < most ? c->bytes : most, from = c->addr + (c->bytes - bytes);
    struct copy_pieces p = {from & ~(step - 1), 0};
    if (bytes) p.n = (from + (bytes - 1) - p.first) / step + 1;
    return p;
}
/* Whether a copy ends within the address space. */
static inline bool program_copy_fits(uint64_t addr, uint64_t bytes)
{
    return bytes <= UINT64_MAX - addr;
}

enum { LAUNCH_LIMIT_WIDTH = 32 }; /* lanes of the warps that launch.resident_warps counts */

struct launch {
    const char *name;
    uint32_t id; /* as the source numbers it */
    uint32_t grid[3], block[3];
    uint64_t ctas;               /* grid[0] * grid[1] * grid[2] */
    uint32_t warps_per_cta;      /* at `warp_width` */
    uint32_t warp_width;         /* as the engine asked for (see program_opts) */
    uint32_t registers_per_lane; /* 0 = unknown */
    uint32_t shared_bytes;       /* per CTA, static and dynamic */
    /* At most so many warps of it at a time on an SM, in whole CTAs, at least one; 0 = no limit.
     * Counted in warps of LAUNCH_LIMIT_WIDTH lanes whatever the width that the engine asked for: a
     * warp of 64 lanes takes two. */
    uint32_t resident_warps;
    uint32_t n_code;
    const struct static_inst *code;
    uint32_t n_registers; /* register numbers in `code` are below this */
    /* Other information of the source on this launch, lines "key = value"; may be "". */
    const char *header;
    const char *strings;        /* mnemonics, see static_inst.opcode */
    uint64_t warp_instructions; /* of the whole launch; 0 = not known without reading it */
};

/* What a program may know of the card that it is made for: a library's choice of tiles hangs on it.
 * Rates are per core cycle. */
struct program_card {
    double sms; /* 0: the card is not known, and nothing else is set */
    /* Of an SM: lanes, 4-byte registers (0: no limit) and bytes of shared memory (0: no limit) that
     * CTAs share. */
    double lanes, registers, shared_bytes;
    double matrix_macs,
        fp32_macs;             /* multiply-adds of an SM: of 16-bit matrix instructions, of fp32 */
    double sm_bytes, l2_bytes; /* that an SM alone, and all of them, get from the L2 */
    double dram_bytes;         /* 0: no limit */
    double latency;            /* core cycles to the memory and back */
    bool warpgroups;           /* whether four warps multiply together (wgmma) */
};

struct program_opts {
    uint32_t warp_width; /* of the machine; 0 = the source's own.  64-wide sources are read 32 wide
                            by halves; a 32-wide source on a 64-lane machine is refused */
    bool allow_unknown;  /* memory and matrix instructions of Accel-Sim traces whose opcodes are not
                            known are no error but a warning */
    struct program_card card;
};

struct program;
/* Opens a PROGRAM of the command line: a .plt, a generator .cfg, a directory with kernelslist.g, or
 * the name of a program that comes with plumb (catalog.h); behind a generator's, parameters that
 * replace those of its file (program_spec.h). */
struct program *program_open(const char *spec, const struct program_opts *o, struct error *e);
/* Opens a program that the text of a generator .cfg describes; `name` stands for it in results and
 * errors. */
struct program *program_generate(const char *name, const char *config, const struct program_opts *o,
                                 struct error *e);
void program_close(struct program *p);
/* Base name without its ending, and the parameters behind it: "gemm M=4096". */
const char *program_name(const struct program *p);
/* Of the content, independent of its location; O(1). */
struct digest program_digest(const struct program *p);
/* Whether program_opts.card decides what the program does, so that it differs from card to card. */
bool program_follows_card(const struct program *p);
/* Equal for cards for which the program is the same; costs less than opening it for the card. */
struct digest program_choice(const struct program *p, const struct program_card *card);
/* Adds the kernel that a program of one kernel has for its card: "256x128x64, 4 stages". Adds
 * nothing where the program follows no card, or has several kernels. */
void program_chosen(const struct program *p, struct text *out);
uint32_t program_commands(const struct program *p);
const struct command *program_command(const struct program *p, uint32_t i);
uint32_t program_launches(const struct program *p);
const struct launch *program_launch(const struct program *p, uint32_t i);
uint32_t program_source_width(const struct program *p);
/* The program's origin (the writer's note); "" if unknown. */
const char *program_note(const struct program *p);
/* Size of the file; 0: generated on the fly. */
uint64_t program_stored_bytes(const struct program *p);
/* Warnings from opening or importing, one line each: what answers with this program lack. */
uint32_t program_warnings(const struct program *p);
const char *program_warning(const struct program *p, uint32_t i);
/* Reads everything and compares with counts, checksums and digest of the file; false: *e. */
bool program_verify(const struct program *p, struct error *e);

/* A parameter that may stand behind the program's name: generators and layers have some. */
struct program_parameter {
    const char *name, *meaning; /* meaning: "" if its file says nothing */
    char value[64], allowed[256];
};
/* The i-th one; false: there are fewer. */
bool program_parameter_at(const struct program *p, uint32_t i, struct program_parameter *out);

/* Seek points of a CTA: segment 0 starts at the beginning.  Instructions before segment s, summed
 * over the CTA's warps, come from the index in O(1). */
uint32_t program_segments(const struct program *p, uint32_t launch, uint64_t cta);
uint64_t program_segment_start(const struct program *p, uint32_t launch, uint64_t cta,
                               uint32_t segment);

/* Warp instructions of the launch's first `cta` CTAs, in O(1). */
uint64_t program_cta_start(const struct program *p, uint32_t launch, uint64_t cta);

/* A program with only the first ctas[launch] CTAs (at least 1) of each launch, for users to whom a
 * part suffices. It has its own digest and must be closed before p. NULL: *e says why. */
struct program *program_head(const struct program *p, const uint64_t *ctas, struct error *e);

/* Counts the warp instructions of each launch, by decoding if the program does not know them.
 * out[program_launches]. */
bool program_count(const struct program *p, uint64_t *out, struct error *e);

/* importer.h - what the parts of the import share: options that are read, values that are written.
 *
 * A fault is told once, at its option; reading goes on with a value that is allowed, so that all
 * faults are found. */
#pragma once

#include "gpu/machine/import/option_list.h"
#include "gpu/machine/machine.h"

enum { IMPORT_LINES_MOST = 400 };

/* The string of a data cache, S:4:128:64,L:T:m:L:L,A:512:8,16:0,32. */
struct cache_string {
    uint32_t sets, line_bytes, sector_bytes, ways, mshr_entries, mshr_merge, miss_queue;
    char replacement, write, alloc, write_miss, index; /* the letters */
};

struct machine_importer {
    struct option_list options;
    const struct option *l1_option, *l2_option;
    struct cache_string l1, l2; /* an L1 of 0 sets: there is none */
    struct errors *all;
    struct text *out;
    struct machine scratch;                         /* where values are tried for their range */
    char group[64];                                 /* of the last value: "sm.units.int32." */
    uint32_t line;                                  /* lines written */
    const struct option *origin[IMPORT_LINES_MOST]; /* of the value on a line */
};

/* The option, GPGPU-Sim's default `dflt` where no file has it (NULL: there is none, a fault),
 * marked as carried over; never NULL. */
const struct option *importer_take(struct machine_importer *im, const char *key, const char *dflt);
/* The same, as a whole number from lo to hi. */
uint64_t importer_whole(struct machine_importer *im, const char *key, const char *dflt, uint64_t lo,
                        uint64_t hi);
bool importer_flag(struct machine_importer *im, const char *key, const char *dflt);
/* The numbers of a value "A,B,C", separated by `mark`, blanks around them allowed: as many as there
 * are, `most` at most; 0: a fault was told. */
uint32_t importer_numbers(struct machine_importer *im, const struct option *o, char mark,
                          uint32_t most, double *v);
void importer_fault(struct machine_importer *im, const struct option *o, const char *fmt, ...)
    PLUMB_PRINTF(3, 4);
/* Something else stands for the option, which changes answers; `why` says what, and what it may
 * cost, and lives as long as the importer. */
void importer_replaces(struct machine_importer *im, const struct option *o, const char *why);
/* Writes `path = VALUE;` in its groups, with the option and a note as its comment (each may be
 * NULL; with "" there is no comment). */
void importer_set(struct machine_importer *im, const struct option *o, const char *note,
                  const char *path, const char *fmt, ...) PLUMB_PRINTF(5, 6);
void importer_comment(struct machine_importer *im, const char *fmt, ...) PLUMB_PRINTF(2, 3);
void importer_close(struct machine_importer *im); /* the groups that are open */

/* Reads the strings of the L1 and the L2 into the importer. */
void importer_caches(struct machine_importer *im);

/* With -gpgpu_adaptive_cache_config: the option that lists the sizes of shared memory. */
const struct option *importer_shared_sizes(struct machine_importer *im);

/* The parts, in their order in the file. */
void import_core(struct machine_importer *im);
void import_l1(struct machine_importer *im);
void import_l2(struct machine_importer *im);
void import_network(struct machine_importer *im);
void import_dram(struct machine_importer *im);

/* Which of the bits of -gpgpu_mem_addr_mapping, from high to low, are rows, banks and columns. */
struct address_bits {
    uint32_t channel_at;        /* lowest address bit of the channel */
    uint32_t row, bank, column; /* bits of each */
    uint32_t lowest_bank;       /* position of the lowest bank bit, the channel's bits left out */
    char field[64];             /* letters R, B, C from high to low; NUL-terminated */
};
void importer_address(struct machine_importer *im, struct address_bits *b);

/* What is known of options that nothing is read from. */
struct known_option {
    const char *name; /* a '*' at its end: all that begin so */
    /* NULL: it changes nothing here; else why it has no counterpart */
    const char *lacks;
    /* With this value plumb does the same; NULL: there is none */
    const char *same;
    bool counts; /* any other value changes answers */
};
const struct known_option *known_option_find(const char *key); /* NULL: unknown */

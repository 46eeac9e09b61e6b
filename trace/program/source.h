/* source.h - the sources of programs: a small table of operations per kind of source.
 *
 * A source fills the program's commands and launches when it opens, and from then on provides
 * blocks: pieces of memory that hold one or more encoded segments (segment.h). Blocks are numbered
 * over the whole program; the reader stores them, the source only makes them. All operations may
 * run in several threads at once. */
#pragma once

#include "base/text/zstd_frame.h"
#include "trace/program/program.h"
#include "trace/stream/segment.h"

/* The place of a segment: in `block`, from `offset` on, `size` bytes (0: to the end of the block).
 */
struct segment_place {
    uint64_t block;
    uint32_t offset, size;
};

/* Per-thread workspace for loading blocks. */
struct block_tools {
    struct zstd_frame *codec;
    struct segment_encoder encoder;
};

struct source_ops {
    uint32_t (*segments)(const struct program *p, uint32_t launch, uint64_t cta);
    /* Instructions of the launch before that CTA; of all of it at cta = ctas. */
    uint64_t (*cta_start)(const struct program *p, uint32_t launch, uint64_t cta);
    /* Instructions of the CTA before the segment, as the program's width delivers them. */
    uint64_t (*segment_start)(const struct program *p, uint32_t launch, uint64_t cta,
                              uint32_t segment);
    struct segment_place (*place)(const struct program *p, uint32_t launch, uint64_t cta,
                                  uint32_t segment);
    /* Loads a block into *out, replacing its content (its memory is reused). */
    bool (*load)(const struct program *p, uint64_t block, struct block_tools *t, struct bytes *out,
                 struct error *e);
    bool narrows; /* load honours tools.encoder.global_only */
    /* Checks the digest of the stored data; NULL if nothing is stored. */
    bool (*verify)(const struct program *p, struct block_tools *t, struct error *e);
    /* As program_parameter; NULL: the source has none. */
    bool (*parameter)(const struct program *p, uint32_t i, struct program_parameter *out);
    /* As program_choice; NULL: no program of the source follows the card. */
    struct digest (*choice)(const struct program *p, const struct program_card *card);
    /* As program_chosen; NULL: nothing. */
    void (*chosen)(const struct program *p, struct text *out);
    void (*close)(void *source);
};

struct program_launch {
    struct launch face;
    const struct code_table *code;
    /* Per CTA, as stored: half of the launch's when read by halves, rounded up. */
    uint32_t source_warps;
};

struct program {
    const struct source_ops *ops;
    void *source;
    bool allow_unknown; /* as program_opts */
    bool borrowed;      /* ops and source are another program's: program_head */
    char *name, *path;
    char *spec;               /* as program_open took it */
    const char *params;       /* the end of it that program_spec.h calls parameters; "": none */
    struct program_card card; /* as program_opts */
    bool follows_card;
    struct digest digest;
    uint32_t source_width, width;
    struct command *commands;
    struct program_launch *launches;
    uint32_t n_commands, n_launches;
    const char *note;
    uint64_t stored_bytes;
    const char **warnings;
    uint32_t n_warnings;
};

static inline bool program_by_halves(const struct program *p)
{
    return p->width < p->source_width;
}

/* Determines p->width from the requested width that it holds (0: any) and p->source_width. */
bool program_fit_width(struct program *p, struct error *e);

/* Fill a new program's source and contents. The program frees commands, launches and warnings (not
 * what they point to, which belongs to the source). p->path and p->width (the requested one) are
 * set before. */
bool source_open_plt(struct program *p, struct error *e);
bool source_open_accelsim(struct program *p, struct error *e);
/* config: the text of the configuration; NULL: it is the file p->path. */
bool source_open_generator(struct program *p, const char *config, struct error *e);

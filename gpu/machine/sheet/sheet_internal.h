/* sheet_internal.h - a machine that is being made of a data sheet. */
#pragma once

#include "gpu/machine/load/evidence.h"
#include "gpu/machine/machine.h"
#include "gpu/machine/sheet/sheet.h"

enum { SHEET_VALUES = 24, SHEET_TEXT = 160 };

struct sheet_value {
    char path[64], value[64];
    enum evidence_grade grade; /* EVIDENCE_VENDOR or EVIDENCE_DERIVED */
    char source[SHEET_TEXT];
};

struct card_making {
    const struct card_sheet *sheet;
    struct machine base, made;
    struct machine_evidence evidence; /* of the base */
    struct sheet_value value[SHEET_VALUES];
    uint32_t n;
    uint32_t usual_slices; /* of the L2, as many a channel as the base has; 0: its L2 is taken */
    struct errors *all;
};

struct sheet_memory {
    char kind[32];
    uint32_t channels;
    double gbit, rate; /* of a channel; Gb/s of a pin */
};

/* Adds a value that the file sets. */
void sheet_set(struct card_making *m, enum evidence_grade grade, const char *source,
               const char *path, const char *fmt, ...) PLUMB_PRINTF(5, 6);
/* The machine with the values so far and `more` (n of them); false: it is not legal, *all says why
 * (NULL: nobody asks). */
bool sheet_try(const struct card_making *m, const char *const *more, uint32_t n,
               struct machine *out, struct errors *all);
/* Reads "gddr6:12x16gbit@18"; what cannot be meant is refused with what might be. */
bool sheet_read_memory(struct card_making *m, struct sheet_memory *out);
bool sheet_is_sane(struct card_making *m); /* false: *m->all names what no card has */
void sheet_report(const struct card_making *m, struct text *out);
/* Adds what looks like a mistake, each a line of its own. */
void sheet_doubts(const struct card_making *m, struct text *out);

/* evidence.h - where the values of a machine come from: a grade and a source for each parameter,
 * which a machine file states beside its values, and the measured curves of the card.
 *
 *   evidence : {
 *       curves   = [ "a100_80" ];
 *       sheet    = true;   of a card that was made from its data sheet
 *       measured : ( { of = [ "sm.count", "l2.line_bytes" ]; source = "mt4g ..."; }, ... );
 *       doubtful : { engine = "estimate"; what = "cycles 27 % too few ..."; source = "..."; };
 *       vendor   : ( ... ); derived : ( ... ); configured : ( ... ); guessed : ( ... );
 *   };
 *
 * A path is a parameter, or a group with a dot at its end ("sm.units."), which stands for all
 * parameters below it that a file sets; within a file the longer path counts. A file inherits the
 * evidence of its base. A value that is set by a file or by --set without evidence has none: what
 * its base says of another value does not count. Answers of a doubtful engine say so (an empty
 * group takes back what a base states). Evidence changes no result and is not in a machine's
 * digest. */
#pragma once

#include "base/memory/arena.h"
#include "gpu/machine/machine.h"

enum evidence_grade {
    EVIDENCE_NONE,
    EVIDENCE_MEASURED, /* by a public micro-benchmark on the card */
    EVIDENCE_VENDOR,   /* a document of the vendor, or a driver's answer */
    EVIDENCE_DERIVED, /* arithmetic on measured and stated values, or a fit to a measured latency */
    EVIDENCE_CONFIGURED, /* by a public simulator: says nothing of silicon */
    EVIDENCE_GUESSED,    /* general knowledge, or an assumption */
    EVIDENCE_GRADES
};

struct evidence_value {
    enum evidence_grade grade;
    bool is_set;        /* by a file or --set; else it is the parameter's default */
    bool changed;       /* since the file that stated the evidence */
    const char *source; /* NULL without a grade */
};

enum { EVIDENCE_CURVES_MAX = 8 };

struct machine_evidence {
    struct evidence_value *of; /* indexed by the number of the row */
    uint32_t rows;
    const char *curve[EVIDENCE_CURVES_MAX]; /* NAME of configs/curves/NAME.csv */
    uint32_t curves;
    const char *whose;  /* the machine whose file stated curves and evidence; NULL: none did */
    bool inherited;     /* that is a base of the machine */
    bool sheet;         /* it is made from a data sheet: nobody measured its latencies */
    struct arena arena; /* holds the texts */
};

/* What a machine's file stands for. */
enum machine_kind {
    MACHINE_OF_PAPER,     /* it has no evidence: a paper, a simulator, a file of the user */
    MACHINE_SHEET,        /* a real card from its data sheet: nobody measured its latencies */
    MACHINE_CARD,         /* a real card without curves */
    MACHINE_CARD_MEASURED /* a real card with curves */
};

/* machine_load, and the evidence, to be freed with machine_evidence_fini if it returns true. */
bool machine_load_evidence(struct machine *m, struct machine_evidence *ev, const char *spec,
                           const char *const *sets, size_t n, struct errors *all);
void machine_evidence_fini(struct machine_evidence *ev);
/* NULL: no such path. */
const struct evidence_value *machine_evidence_of(const struct machine_evidence *ev,
                                                 const char *path);
enum machine_kind machine_evidence_kind(const struct machine_evidence *ev);
const char *evidence_grade_name(enum evidence_grade grade); /* "none" of EVIDENCE_NONE */
/* How many parameters that apply to m have each grade; of those without one, [EVIDENCE_NONE] counts
 * all. */
void machine_evidence_count(const struct machine_evidence *ev, const struct machine *m,
                            uint32_t count[EVIDENCE_GRADES]);

/* Whose evidence it is and which values differ, if it is not the machine's own; adds nothing
 * otherwise. */
void machine_evidence_note(const struct machine_evidence *ev, struct text *out);

/* machine_dump with the grade of each value and the number of its source, how many values each
 * grade has, and the sources, if there is evidence. */
void machine_dump_evidence(const struct machine *m, const struct machine_evidence *ev,
                           struct text *out);
/* One JSON object: machine, description, digest, parameters (those that apply, by path), evidence
 * (if there is any: curves, counts by grade, values), derived. */
void machine_json_evidence(const struct machine *m, const struct machine_evidence *ev,
                           struct text *out);

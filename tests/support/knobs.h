/* knobs.h - every parameter of the tables turned up and down on a few small machines and programs,
 * in the cycle model and in the estimate: what a test of signs needs, and whatever walks the
 * tables.
 *
 * A parameter that applies only beside a choice ("only with" of its row) is turned where that
 * choice has been made; one that is refused alone is set with its companion in knobs.c. */
#pragma once

#include "engine/engine.h"
#include "tests/support/knob_programs.h"
#include "tests/support/random_machine.h"

enum { VARIANTS = 8, KNOB_SETS = 6, MEMO = 1 << 13 };

/* What an engine says of a machine; fits: it takes it. */
struct said {
    bool fits;
    double cycles, energy;
    struct explanation x; /* of the estimate */
};

/* A machine to start from and a program; answers are kept. */
struct bench {
    struct machine base;
    struct program *p;
    struct profile *profile;
    struct profile_view view;
    struct memo {
        struct digest machine;
        bool used;
        struct said by[ENGINE_N];
        bool has[ENGINE_N];
    } * memo;
};

void bench_fini(struct bench *b);

/* Makes the profile of the machine's view, unless the kept one is of that view. */
bool bench_profile(struct bench *b, const struct machine *m, struct error *e);

/* The engine's answer, kept or asked for now; valid as long as the bench. */
const struct said *said_by(struct bench *b, enum engine engine, const struct machine *m);

/* Sets an override; false: it is refused. */
bool set_text(struct machine *m, const char *set);

/* Makes the choice without which the parameter stands at its default. */
bool make_apply(struct machine *m, const struct param *p);

/* The machines that turning one parameter gives, and its values. */
struct variants {
    uint32_t n;
    struct machine m[VARIANTS];
    char value[VARIANTS][PARAM_TEXT_MAX];
};

/* Adds the machine with that value, unless it is refused or changes nothing. */
bool try_number(struct variants *v, const struct machine *base, const char *path,
                const struct param *p, double x);

/* Where parameters are turned: a preset with overrides, and a program. */
struct place {
    const char *name, *preset, *sets[KNOB_SETS], *program;
};

enum { KNOB_PLACES_N = 12 };
extern const struct place knob_places[KNOB_PLACES_N];

/* The bench of a place; bench_fini gives it back. */
void bench_init(struct bench *b, const struct place *at);

/* How the signs of the two engines go together. */
enum verdict { SIGNS_AGREE, SIGNS_STILL, SIGNS_BETWEEN, SIGNS_WRONG, SIGNS_JUMP, SIGNS_N };

/* The verdict on one turn.  simulated, estimated: relative changes.  noise: of the simulated one,
 * its own or, of a mean, the standard error. */
enum verdict judge_signs(double simulated, double estimated, double noise);

/* A parameter, and how often its turns ended in each verdict. */
struct knob {
    const char *path;
    uint32_t n[SIGNS_N];
    bool named; /* in not_modelled, itself or the choice that it belongs to */
    uint32_t turned;
};

/* All parameters. */
struct knobs {
    char **paths;
    uint32_t n;
    struct knob *at;
    bool tell;
};

/* tell: prints each turn that goes wrong. */
void knobs_init(struct knobs *k, bool tell);
void knobs_fini(struct knobs *k);

/* Turns each parameter that applies at the place, and judges each turn. */
void turn_all(struct knobs *all, const struct place *place);

/* Whether the sign is wrong more often than not, or the estimate jumps where the cycle model stands
 * still more than now and then; once may be chance. */
bool knob_fails(const struct knob *k);

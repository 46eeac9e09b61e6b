/* random_machine.h - machines drawn from the parameter tables themselves, so that a new parameter
 * or policy joins by being in its table; which pairs of choices have met is recorded.
 *
 * A machine is a preset and a list of overrides, set one after the other; one that is refused is
 * left out and counted.  Half of the machines begin with two choices that have not met yet. */
#pragma once

#include "base/memory/alloc.h"
#include "tests/support/random_values.h"

enum { SETS_MAX = 48, SET_CHARS = 96, LEVELS_MAX = 320 };

/* A machine: a preset and n overrides. */
struct drawn {
    char preset[PARAM_TEXT_MAX];
    char set[SETS_MAX][SET_CHARS];
    uint32_t n;
};

/* One value of a parameter that has a few named ones. */
struct level {
    const char *path;
    const struct param *p;
    char value[PARAM_TEXT_MAX];
};

/* What machines are drawn from, and which levels have met in a machine. */
struct atlas {
    struct name_lists names;
    uint32_t n;
    struct level level[LEVELS_MAX];
    uint8_t met[LEVELS_MAX][LEVELS_MAX];
    uint64_t tried, refused;
    bool extremes; /* numbers over all that is documented, not near what stands there */
};

void atlas_init(struct atlas *a);
void atlas_fini(struct atlas *a);

/* Whether the parameter has the value. */
bool param_value_is(const struct machine *m, const char *path, const char *value);

/* Whether the machine has made the choice without which the parameter does nothing. */
bool param_applies(const struct machine *m, const struct param *p);

/* The machine that a list of overrides makes; those that are refused change nothing. */
struct machine build_machine(const struct drawn *d);

/* Keeps an override if the machine takes it; counts it as tried. */
bool try_set(struct atlas *a, struct drawn *d, struct machine *m, const char *path,
             const char *value);

/* Draws a value of the parameter.  false: this one is not drawn (the table knows of no value of
 * other texts). */
bool draw_value(const struct atlas *a, struct rng *r, const struct machine *m, const char *path,
                char *out, size_t size);

/* Draws a machine, of a few SMs, and notes which levels met in it. */
struct machine draw_machine(struct atlas *a, struct rng *r, struct drawn *d);

/* How many pairs of levels of different parameters met; *all: of how many.  The rest is forbidden
 * or was not drawn yet. */
uint32_t count_pairs(const struct atlas *a, uint32_t *all);

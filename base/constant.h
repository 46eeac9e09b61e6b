/* constant.h - how a room lists its tuned numbers.
 *
 * A tuned number is one that somebody chose, fitted or measured: neither a unit, nor a closed form,
 * nor a parameter of machines, nor the size of a table.  Each room that has some lists them in its
 * constants.h, one row per number:
 *   X(kind, role, asks, NAME, value, "unit", "what it stands for", "how it was found")
 * kind: REAL or WHOLE (a whole number, small enough for an int).
 * role: MODEL (a quantity of a model), THRESHOLD (a step: answers may jump where it is crossed),
 *   EFFORT (how much work is done for an answer), SOLVER (how exactly an equation is solved),
 *   MARGIN (part of an error bar).
 * asks: what an answer needs to feel it: PROFILE, ESTIMATE, SAMPLE, LONG (a sample of a
 *   long program), SIMULATE, CALIBRATE, SWEEP or TEXT (only what is said of an answer).
 * Definitions follow from the rows, and so does docs/develop/constants.md (scripts/constants.sh).
 *
 * With PLUMB_TUNING, which only that script uses, the numbers are variables of
 * scripts/constants.c. */
#pragma once

#define CONSTANT_DEFINE(kind, role, asks, name, value, unit, meaning, source) \
    CONSTANT_##kind(name, value)

#ifdef PLUMB_TUNING
#define CONSTANT_REAL(name, value) extern double name;
#define CONSTANT_WHOLE(name, value) extern int name;
#else
#define CONSTANT_REAL(name, value) static const double name = value;
#define CONSTANT_WHOLE(name, value) enum { name = value };
#endif

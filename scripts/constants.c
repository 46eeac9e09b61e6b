/* constants.c - the register of tuned numbers (base/constant.h) of all rooms.
 *
 * Alone it is a program that lists them, one line of fields between tabs for each: room, name,
 * value, unit, what it stands for, how it was found, role, what it acts on.  With PLUMB_TUNING it
 * is a part of plumb instead: there the numbers are variables, and the environment variable
 * PLUMB_TUNE=NAME=FACTOR[,NAME=FACTOR]... multiplies some of them at the start. */
#include "base/constants.h"
#include "calibration/constants.h"
#include "cards/constants.h"
#include "cli/constants.h"
#include "detailed/constants.h"
#include "engine/constants.h"
#include "estimator/constants.h"
#include "gpu/functional/constants.h"
#include "sampler/constants.h"
#include "sweeps/constants.h"
#include "trace/constants.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_CONSTANTS(X)     \
    BASE_CONSTANTS(X)        \
    TRACE_CONSTANTS(X)       \
    FUNCTIONAL_CONSTANTS(X)  \
    DETAILED_CONSTANTS(X)    \
    ESTIMATOR_CONSTANTS(X)   \
    CALIBRATION_CONSTANTS(X) \
    SAMPLER_CONSTANTS(X)     \
    ENGINE_CONSTANTS(X)      \
    SWEEPS_CONSTANTS(X)      \
    CARDS_CONSTANTS(X)       \
    CLI_CONSTANTS(X)

#ifdef PLUMB_TUNING

#define VARIABLE_REAL(name, value) double name = value;
#define VARIABLE_WHOLE(name, value) int name = value;
#define VARIABLE(kind, role, asks, name, value, ...) VARIABLE_##kind(name, value)
ALL_CONSTANTS(VARIABLE)

#define PLACE_REAL(name) {#name, &name, NULL},
#define PLACE_WHOLE(name) {#name, NULL, &name},
#define PLACE(kind, role, asks, name, ...) PLACE_##kind(name)
static const struct place {
    const char *name;
    double *real;
    int *whole;
} places[] = {ALL_CONSTANTS(PLACE)};

/* A whole number becomes the nearest one, at least 1. */
static bool multiply(const char *name, double factor)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const struct place *p = &places[i];
        if (strcmp(p->name, name) != 0) continue;
        if (p->real) *p->real *= factor;
        if (p->whole) *p->whole = (int)fmax(1, round(*p->whole * factor));
        return true;
    }
    return false;
}

__attribute__((constructor)) static void tune(void)
{
    const char *at = getenv("PLUMB_TUNE");
    char name[64];
    double factor;
    int length;
    while (at && *at) {
        if (sscanf(at, "%63[A-Z0-9_]=%lf%n", name, &factor, &length) != 2 ||
            !multiply(name, factor)) {
            fprintf(stderr, "PLUMB_TUNE: no constant and factor: %s\n", at);
            exit(2);
        }
        at += length;
        at += *at == ',';
    }
}

#else

#define LIST(kind, role, asks, name, value, unit, meaning, source)                             \
    printf("%s\t%s\t%.10g\t%s\t%s\t%s\t%s\t%s\n", room, #name, (double)(value), unit, meaning, \
           source, #role, #asks);

int main(void)
{
    const char *room = "base";
    BASE_CONSTANTS(LIST)
    room = "trace";
    TRACE_CONSTANTS(LIST)
    room = "gpu/functional";
    FUNCTIONAL_CONSTANTS(LIST)
    room = "detailed";
    DETAILED_CONSTANTS(LIST)
    room = "estimator";
    ESTIMATOR_CONSTANTS(LIST)
    room = "calibration";
    CALIBRATION_CONSTANTS(LIST)
    room = "sampler";
    SAMPLER_CONSTANTS(LIST)
    room = "engine";
    ENGINE_CONSTANTS(LIST)
    room = "sweeps";
    SWEEPS_CONSTANTS(LIST)
    room = "cards";
    CARDS_CONSTANTS(LIST)
    room = "cli";
    CLI_CONSTANTS(LIST)
    return 0;
}

#endif

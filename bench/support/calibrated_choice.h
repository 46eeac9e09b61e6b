/* calibrated_choice.h - for sampler_calibrated: the points of all designs x programs, and which of
 * them a calibration is made from. */
#pragma once

#include "bench/support/drawn.h"
#include "calibration/calibrate.h"

/* A point: a program on a design, simulated and estimated. */
struct item {
    struct cal_point cal;
    double raw, after, half, raw_half;
    uint32_t program;
    bool trained;
};

/* All points, by program. */
struct bed {
    struct item *at;
    uint32_t n, programs, held;
    struct profile *profile[MOST_PROGRAMS][MOST_DESIGNS];
    uint32_t profiles[MOST_PROGRAMS];
    struct profile_view view[MOST_PROGRAMS][MOST_DESIGNS];
    uint32_t candidate[MOST_DESIGNS], candidates;
};

/* Ways of choosing. */
enum pick { CHANCE_APART, CHANCE_MACHINES, CHOICES_N };

/* How reports call them. */
extern const char *const choice_name[CHOICES_N];

/* Draws the candidates, chooses `train` points, marks them as trained and copies them to out. */
void choose_points(struct bed *b, enum pick how, uint32_t train, uint64_t seed,
                   struct cal_point *out);

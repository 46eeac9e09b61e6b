/* place.h - where an answer lies, so that two answers of one program can be compared.
 *
 * Estimates of one program are off alike on machines that are alike and that it uses alike.  A
 * place has the numbers that say so: every parameter of the machine (a number as log(1 + value), a
 * choice as itself), what holds the estimate up (the gain of each station, hit rates), and the
 * logarithm of the estimated cycles.  Parameters are compared in groups that act alike; a group's
 * distance is the Euclidean one, a choice that differs counting 1.  Parameters of the energy model
 * and texts take no part. */
#pragma once

#include "estimator/model/estimate.h"

#include <stdbool.h>
#include <stdint.h>

struct machine;

enum place_group {
    PLACE_SM,
    PLACE_L1_SIZE,
    PLACE_L1_TIME,
    PLACE_L1_MSHR, /* and the SM's buffer of memory accesses */
    PLACE_L2_MSHR,
    PLACE_L2_SIZE,
    PLACE_L2_TIME,
    PLACE_NOC,
    PLACE_DRAM_WIDTH, /* channels and their width */
    PLACE_DRAM_CLOCK,
    PLACE_DRAM_ORDER,
    PLACE_OTHER,   /* all other numbers */
    PLACE_CHOICE,  /* all choices: policies, switches */
    PLACE_MACHINE, /* all of the above together */
    PLACE_USE,     /* how the program uses the machine: the features */
    PLACE_TIME,    /* the estimated cycles */
    PLACE_GROUPS
};
extern const char *const place_group_name[PLACE_GROUPS];

enum { PLACE_PARAMS_MAX = 512, PLACE_FEATURES = 16 };

struct place {
    double param[PLACE_PARAMS_MAX]; /* [place_params()] */
    double feature[PLACE_FEATURES];
    double estimate; /* logarithm of the estimated cycles */
};

/* The parameters that take part, and their names; NULL: no such. */
uint32_t place_params(void);
const char *place_param_name(uint32_t i);
uint32_t place_param_index(const char *name); /* UINT32_MAX: none of them */

void place_of_machine(struct place *p, const struct machine *m);
/* Gives a machine the parameters of a place, to nine digits. false: *all says which of them no
 * machine has. */
bool place_to_machine(const struct place *p, struct machine *m, struct errors *all);
/* Fills the other fields from an estimate that nothing corrected. */
void place_of_estimate(struct place *p, const struct metrics *m, const struct explanation *x);

void place_distance(const struct place *a, const struct place *b, double out[PLACE_GROUPS]);

/* most[n_most]: the parameters in which they differ most, the farthest apart first.  Returns the
 * number of all in which they differ. */
uint32_t place_differences(const struct place *a, const struct place *b, uint32_t most[],
                           uint32_t n_most);
/* Between the values of machine files (of choices, their numbers) and those of places. */
double place_value(uint32_t param, double at);
/* The name of a choice, static; NULL: the parameter is a number. */
const char *place_choice_name(uint32_t param, double at);
double place_of_number(uint32_t param, double value);

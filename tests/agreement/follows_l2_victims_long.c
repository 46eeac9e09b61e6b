/* follows_l2_victims_long.c - follows_l2_victims.c with every configuration. */
#define EVERY 1
#include "tests/agreement/follows_l2_victims.c"

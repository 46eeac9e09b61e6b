/* remembered_long.c - remembered.c with every policy. */
#define EVERY 1
#include "tests/behaviour/detailed/remembered.c"

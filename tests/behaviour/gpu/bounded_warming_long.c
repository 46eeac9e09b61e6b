/* bounded_warming_long.c - bounded_warming.c with every program. */
#define EVERY 1
#include "tests/behaviour/gpu/bounded_warming.c"

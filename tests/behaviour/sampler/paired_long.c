/* paired_long.c - paired.c with more seeds. */
#define SEEDS 20
#include "tests/behaviour/sampler/paired.c"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>

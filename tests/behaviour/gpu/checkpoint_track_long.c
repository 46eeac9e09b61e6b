/* checkpoint_track_long.c - checkpoint_track.c with every program on every machine. */
#define EVERY 1
#include "tests/behaviour/gpu/checkpoint_track.c"

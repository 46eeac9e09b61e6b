/* calibrate.h - the parts of plumb calibrate. */
#pragma once

#include "base/text/text.h"
#include "calibration/calibrate.h"
#include "cli/parse/args.h"

/* plumb calibrate --renew; returns the exit status. */
int calibrate_renew(const struct args *a);
/* The errors of a calibration, and where it is. */
void calibrate_print_errors(struct text *out, const struct calibration *c, const char *path);

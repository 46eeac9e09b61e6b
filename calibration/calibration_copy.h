/* calibration_copy.h - reads calibrations and ranges from their texts, or from what an earlier
 * process kept of them (parsed_copy.h). */
#pragma once

#include "calibration/calibrate.h"

/* As calibration_load and range_model_load; *text: the digest of the file's text. */
bool calibration_read(struct calibration *c, const char *path, struct digest *text,
                      struct error *e);
bool range_model_read(struct range_model *r, const char *path, struct digest *text,
                      struct error *e);

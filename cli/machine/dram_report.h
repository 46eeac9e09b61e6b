/* dram_report.h - prints the results of `plumb dram`. */
#pragma once

#include "base/text/text.h"
#include "detailed/dram/dram_driver.h"

/* seconds: wall-clock time of the host. */
void dram_report_json(struct text *out, const char *set, const struct dram_traffic *t,
                      const struct dram_params *p, const struct dram_result *r, double seconds);
void dram_report_table(struct text *out, const struct dram_params *p, const struct dram_result *r,
                       double seconds);

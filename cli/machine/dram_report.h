/* dram_report.h - what `plumb dram` prints. */
#ifndef PLUMB_CLI_MACHINE_DRAM_REPORT_H
#define PLUMB_CLI_MACHINE_DRAM_REPORT_H

#include "base/text/text.h"
#include "detailed/dram/dram_driver.h"

/* seconds: of the host, wall clock. */
void dram_report_json(struct text *out, const char *set, const struct dram_traffic *t,
                      const struct dram_params *p, const struct dram_result *r, double seconds);
void dram_report_table(struct text *out, const struct dram_params *p, const struct dram_result *r,
                       double seconds);

#endif

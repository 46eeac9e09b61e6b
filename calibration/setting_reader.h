/* setting_reader.h - reads the settings of a calibration's file one after another.
 *
 * The reader records its first error; after it, what is read is 0 or "". */
#pragma once

#include "base/text/conf.h"

struct setting_reader {
    const char *path, *what; /* what: the file should be: "a calibration" */
    struct error *e;
    bool failed;
};

/* Says that the setting must be what is allowed; n NULL: of the whole file. */
void setting_fault(struct setting_reader *r, const struct conf_node *n, const char *name,
                   const char *allowed);
/* NULL: it is missing, which is an error. */
const struct conf_node *setting_find(struct setting_reader *r, const struct conf_node *group,
                                     const char *name);
double setting_real(struct setting_reader *r, const struct conf_node *group, const char *name,
                    double lo, double hi);
int setting_int(struct setting_reader *r, const struct conf_node *group, const char *name);
const char *setting_text(struct setting_reader *r, const struct conf_node *group, const char *name);
/* NULL: an error was recorded, here or before. */
const struct conf_node *setting_group(struct setting_reader *r, const struct conf_node *root,
                                      const char *name);
/* out[count] */
void setting_reals(struct setting_reader *r, const struct conf_node *group, const char *name,
                   uint32_t count, double *out);

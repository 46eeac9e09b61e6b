/* parts.h - the table of each part, assembled in parts.c (machine's own files only). */
#pragma once

#include "gpu/machine/machine.h"

/* A full path is a part's name, a dot and a row's path. */
enum { PATH_MAX_LENGTH = 96 };

/* A row with its part and its number over all parts (0..parts_count_params()-1). */
struct param_ref {
    const struct part *part;
    const struct param *param;
    uint32_t id;
};

uint32_t parts_count_params(void);
bool parts_ref_by_id(uint32_t id, struct param_ref *ref); /* false: no such number */
/* `path` as the tables spell it: the first of a part that repeats may be numbered, dram[0].set.
 * `plain` holds the result if it differs. */
const char *parts_plain_path(const char *path, char plain[PATH_MAX_LENGTH]);
bool parts_ref_by_path(const char *path, struct param_ref *ref);        /* false: no such path */
void *param_ref_struct(const struct param_ref *ref, struct machine *m); /* the part's struct in m */
const void *param_ref_struct_const(const struct param_ref *ref, const struct machine *m);

/* Whether the row's `when` holds on m, and that of the row that it names, and so on. selector:
 * where it does not, the row that has another value. */
bool param_ref_is_active(const struct param_ref *ref, const struct machine *m,
                         struct param_ref *selector);
/* What a row that is not active lacks, for messages: "l2.miss_management = conventional". */
void param_ref_when_text(const struct param_ref *ref, const struct machine *m, struct text *out);

/* setting_reader.c - see setting_reader.h. */
#include "calibration/setting_reader.h"

#include <math.h>
#include <stdio.h>

void setting_fault(struct setting_reader *r, const struct conf_node *n, const char *name,
                   const char *allowed)
{
    if (!r->failed)
        error_input(r->e, "%s:%u: '%s' must be %s", r->path, n ? conf_line(n) : 1, name, allowed);
    r->failed = true;
}

const struct conf_node *setting_find(struct setting_reader *r, const struct conf_node *group,
                                     const char *name)
{
    const struct conf_node *n = conf_find(group, name);
    if (!n && !r->failed)
        error_input(r->e, "%s:%u: '%s' is missing; is this %s?", r->path, conf_line(group), name,
                    r->what);
    r->failed |= !n;
    return n;
}

double setting_real(struct setting_reader *r, const struct conf_node *group, const char *name,
                    double lo, double hi)
{
    const struct conf_node *n = setting_find(r, group, name);
    double v = 0;
    if (!n || (conf_real(n, &v) && v >= lo && v <= hi)) return v;
    char allowed[64];
    snprintf(allowed, sizeof(allowed), "a number from %g to %g", lo, hi);
    setting_fault(r, n, name, allowed);
    return v;
}

int setting_int(struct setting_reader *r, const struct conf_node *group, const char *name)
{
    const struct conf_node *n = setting_find(r, group, name);
    int64_t v = 0;
    if (n && (!conf_int(n, &v) || v < 0 || v > INT32_MAX))
        setting_fault(r, n, name, "a whole number from 0 to 2147483647");
    return (int)v;
}

const char *setting_text(struct setting_reader *r, const struct conf_node *group, const char *name)
{
    const struct conf_node *n = setting_find(r, group, name);
    const char *s = n ? conf_text(n) : NULL;
    if (n && !s) setting_fault(r, n, name, "a text");
    return s ? s : "";
}

const struct conf_node *setting_group(struct setting_reader *r, const struct conf_node *root,
                                      const char *name)
{
    const struct conf_node *n = setting_find(r, root, name);
    if (n && conf_type(n) != CONF_GROUP) setting_fault(r, n, name, "a group { ... }");
    return r->failed ? NULL : n;
}

void setting_reals(struct setting_reader *r, const struct conf_node *group, const char *name,
                   uint32_t count, double *out)
{
    const struct conf_node *n = setting_find(r, group, name);
    bool ok = n && conf_count(n) == count;
    for (uint32_t i = 0; ok && i < count; i++)
        ok = conf_real(conf_child(n, i), &out[i]) && isfinite(out[i]);
    if (!n || ok) return;
    char allowed[64];
    snprintf(allowed, sizeof allowed, "a list of %u numbers", count);
    setting_fault(r, n, name, allowed);
}

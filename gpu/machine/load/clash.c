/* clash.c - says, of two values that clash, which one was inherited, from where, and what line would
 * end the clash; see loader.h. */
#include "gpu/machine/load/loader.h"

#include <string.h>

/* "l2.mshr.entries" and 4: l2 : { mshr : { entries = 4; }; }; */
static void add_line(const struct param_ref *ref, const struct machine *m, bool of_set,
                     struct text *out)
{
    const char *path = ref->param->full_path;
    const void *part = param_ref_struct_const(ref, m);
    if (of_set) {
        text_add(out, "--set %s=", path);
        param_print_bare(ref->param, part, out);
        return;
    }
    for (const char *dot; (dot = strchr(path, '.')); path = dot + 1)
        text_add(out, "%.*s : { ", (int)(dot - path), path);
    text_add(out, "%s = ", path);
    param_print(ref->param, part, out);
    text_add(out, ";");
    for (const char *s = ref->param->full_path; (s = strchr(s, '.')); s++)
        text_add(out, " };");
}

static bool holds_on(const struct check *c, struct machine *trial)
{
    struct text why = {0};
    loader_derive_fields(trial);
    bool ok = c->holds(trial, &why);
    text_fini(&why);
    return ok;
}

static bool holds_with(const struct loader *l, const struct check *c, const struct param_ref *ref,
                       const char *value, struct machine *trial)
{
    struct text why = {0};
    *trial = *l->m;
    bool ok = param_from_text(ref->param, param_ref_struct(ref, trial), value, &why) &&
              holds_on(c, trial);
    text_fini(&why);
    return ok;
}

/* Finds another value with which the check holds: the default, or one of the choices. */
static bool find_value(const struct loader *l, const struct check *c, const struct param_ref *ref,
                       struct machine *trial)
{
    if (holds_with(l, c, ref, ref->param->dflt, trial)) return true;
    for (const struct choice *k = ref->param->choices; k && k->name; k++)
        if (holds_with(l, c, ref, k->name, trial)) return true;
    return false;
}

/* The version of the base whose value of the row would not clash; 0: none. */
static uint32_t find_version(const struct loader *l, const struct check *c,
                             const struct param_ref *ref)
{
    struct text why = {0};
    struct machine trial = *l->m;
    uint32_t version;
    const struct conf_node *n = loader_earlier(l, ref->param->full_path, &version);
    bool ok = n && param_from_conf(ref->param, param_ref_struct(ref, &trial), n, &why) &&
              holds_on(c, &trial);
    text_fini(&why);
    return ok ? version : 0;
}

static void name_inherited(const struct loader *l, const struct param_ref *ref, struct text *why)
{
    const struct origin *o = &l->origin[ref->id];
    text_add(why, "; %s = ", ref->param->full_path);
    param_print(ref->param, param_ref_struct_const(ref, l->m), why);
    text_add(why, " is inherited from %s", o->file);
    if (o->line) text_add(why, ":%u", o->line);
}

void loader_clash(const struct loader *l, const struct check *c, const struct param_ref *culprit,
                  struct text *why)
{
    const struct origin *own = &l->origin[culprit->id];
    struct param_ref ref, selector;
    struct machine trial;
    for (uint32_t i = 0; i < CHECK_READS_MAX && c->reads[i]; i++) {
        if (!parts_ref_by_path(c->reads[i], &ref) || ref.id == culprit->id) continue;
        const struct origin *o = &l->origin[ref.id];
        bool inherited = o->file && o->layer < own->layer;
        if (!inherited || !param_ref_is_active(&ref, l->m, &selector)) continue;
        bool found = find_value(l, c, &ref, &trial);
        uint32_t version = find_version(l, c, &ref);
        if (!found && !version) continue;
        name_inherited(l, &ref, why);
        if (found) text_add(why, "; this would go with it: ");
        if (found) add_line(&ref, &trial, own->line == 0, why);
        if (version)
            text_add(why, "; for the base's values of version %u: base_version = %u;", version,
                     version);
        return;
    }
}

/* clash.c - says, of two values that clash, which one was inherited, from where, and what line
 * would end the clash; see loader.h. */
#include "gpu/machine/load/loader.h"

#include "base/text/quote.h"

#include <string.h>

/* "l2.mshr.entries" and 4: --set l2.mshr.entries=4 */
static void add_setting(const struct param_ref *ref, const struct machine *m,
                        enum setting_form form, struct text *out)
{
    struct text setting = {0};
    text_add(&setting, "%s=", ref->param->full_path);
    param_print_bare(ref->param, param_ref_struct_const(ref, m), &setting);
    switch (form) {
    case SETTING_OPTION: quote_command(out, "--set %s", text_str(&setting)); break;
    case SETTING_OF_SWEEP: text_add(out, "set = ( \"%s\" );", text_str(&setting)); break;
    }
    text_fini(&setting);
}

/* "l2.mshr.entries" and 4: l2 : { mshr : { entries = 4; }; }; */
static void add_line(const struct param_ref *ref, const struct machine *m, struct text *out)
{
    const char *path = ref->param->full_path;
    const void *part = param_ref_struct_const(ref, m);
    text_add(out, "'");
    for (const char *dot; (dot = strchr(path, '.')); path = dot + 1)
        text_add(out, "%.*s : { ", (int)(dot - path), path);
    text_add(out, "%s = ", path);
    param_print(ref->param, part, out);
    text_add(out, ";");
    for (const char *s = ref->param->full_path; (s = strchr(s, '.')); s++)
        text_add(out, " };");
    text_add(out, "'");
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

/* Finds another value with which the check holds: the default, or one of the choices. No number: it
 * would be a guess. */
static bool find_value(const struct loader *l, const struct check *c, const struct param_ref *ref,
                       struct machine *trial)
{
    enum param_type type = ref->param->type;
    if (type == PARAM_INT || type == PARAM_REAL || type == PARAM_SIZE) return false;
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

static void name_value(const struct loader *l, const struct param_ref *ref, struct text *why)
{
    const struct origin *o = &l->origin[ref->id];
    const void *part = param_ref_struct_const(ref, l->m);
    text_add(why, "; %s = ", ref->param->full_path);
    param_print(ref->param, part, why);
    if (!o->file)
        text_add(why, " is the %s",
                 param_is(ref->param, part, ref->param->dflt) ? "default" : "machine's");
    else if (o->line)
        text_add(why, " is inherited from %s:%u", o->file, o->line);
    else
        text_add(why, " is inherited from %s", o->file);
}

static void offer_version(uint32_t version, struct text *why)
{
    text_add(why, "; for the base's values of version %u: 'base_version = %u;'", version, version);
}

void loader_inherited_choice(const struct loader *l, const struct param_ref *selector,
                             const struct param_ref *row, struct text *why)
{
    struct param_ref unmet;
    struct text said = {0};
    uint32_t version;
    struct machine trial = *l->m;
    const struct origin *own = &l->origin[row->id], *o = &l->origin[selector->id];
    if (o->file && o->layer >= own->layer) return;
    name_value(l, selector, why);
    const struct conf_node *n = loader_earlier(l, selector->param->full_path, &version);
    bool ok = n && param_from_conf(selector->param, param_ref_struct(selector, &trial), n, &said) &&
              param_ref_is_active(row, &trial, &unmet);
    text_fini(&said);
    if (ok) offer_version(version, why);
}

/* Names the value and what would replace it. false: nothing would end the clash. */
static bool name_and_replace(const struct loader *l, const struct check *c,
                             const struct param_ref *ref, bool of_set, struct text *why)
{
    struct machine trial;
    bool found = find_value(l, c, ref, &trial);
    uint32_t version = find_version(l, c, ref);
    if (!found && !version) return false;
    name_value(l, ref, why);
    if (found) {
        text_add(why, "; this would go with it: ");
        if (of_set)
            add_setting(ref, &trial, l->form, why);
        else
            add_line(ref, &trial, why);
    }
    if (version) offer_version(version, why);
    return true;
}

void loader_clash(const struct loader *l, const struct check *c, const struct param_ref *culprit,
                  struct text *why)
{
    const struct origin *own = &l->origin[culprit->id];
    struct param_ref ref, selector, other = *culprit;
    uint32_t others = 0;
    for (uint32_t i = 0; own->file && i < CHECK_READS_MAX && c->reads[i]; i++) {
        if (!parts_ref_by_path(c->reads[i], &ref) || ref.id == culprit->id) continue;
        const struct origin *o = &l->origin[ref.id];
        bool inherited = !o->file || o->layer < own->layer;
        if (!inherited || !param_ref_is_active(&ref, l->m, &selector)) continue;
        if (name_and_replace(l, c, &ref, own->line == 0, why)) return;
        other = ref;
        others++;
    }
    if (others == 1) name_value(l, &other, why);
}

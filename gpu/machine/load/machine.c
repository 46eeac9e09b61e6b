/* machine.c - see machine.h: loading and changing a machine as a whole. */
#include "gpu/machine/load/loader.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void machine_defaults(struct machine *m)
{
    struct param_ref ref;
    struct text why = {0};
    *m = (struct machine){.name = "defaults", .description = "every parameter at its default"};
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++) {
        bool ok = param_from_text(ref.param, param_ref_struct(&ref, m), ref.param->dflt, &why);
        assert(ok && "a default is allowed");
        (void)ok;
    }
    text_fini(&why);
    loader_derive_fields(m);
}

/* Applies overrides, settles, and copies the machine to *to, and its evidence to *ev unless that is
 * NULL, if no error was added since `faults`. */
static bool finish_load(struct loader *l, struct machine *to, struct machine_evidence *ev,
                        const char *const *sets, size_t n, uint32_t faults)
{
    l->file_layer = l->layer;
    loader_sets(l, sets, n);
    loader_settle(l);
    bool ok = l->all->n == faults && !l->all->overflow;
    if (ok && ev && !loader_take_evidence(l, ev)) {
        struct error e;
        error_no_memory(&e);
        errors_add_error(l->all, &e);
        ok = false;
    }
    if (ok) *to = *l->m;
    loader_fini(l);
    return ok;
}

static void refuse_machine(const char *spec, struct errors *all)
{
    char **names = machine_presets(NULL);
    size_t n = 0;
    while (names && names[n])
        n++;
    struct text alike = {0};
    bool any = n && text_alike(&alike, spec, (const char *const *)names, n);
    struct text file = {0};
    text_add(&file, "./%s.cfg", spec);
    if (file_exists(text_str(&file))) {
        text_add(&alike, "%s%s", any ? " or " : "", text_str(&file));
        any = true;
    }
    text_fini(&file);
    errors_add(
        all,
        "%s: no such machine%s%s%s 'plumb machine list' lists the presets, and your own is a "
        "file (with a / or .cfg)",
        spec, any ? ": did you mean " : "", text_str(&alike), any ? "?" : ";");
    text_fini(&alike);
    machine_config_dirs_free(names);
}

bool machine_load(struct machine *m, const char *spec, const char *const *sets, size_t n,
                  struct errors *all)
{
    return machine_load_evidence(m, NULL, spec, sets, n, all);
}

bool machine_load_evidence(struct machine *m, struct machine_evidence *ev, const char *spec,
                           const char *const *sets, size_t n, struct errors *all)
{
    struct machine fresh;
    struct loader l;
    uint32_t faults = all->n;
    bool ok = false;
    char *path = loader_resolve_config(spec, "gpus", NULL);
    if (!path) refuse_machine(spec, all);
    machine_defaults(&fresh);
    if (path && loader_init(&l, &fresh, path, all)) {
        loader_file(&l, path);
        ok = finish_load(&l, m, ev, sets, n, faults);
    }
    mem_free(path);
    return ok;
}

bool machine_parse(struct machine *m, const char *text, const char *name, const char *const *sets,
                   size_t n, struct errors *all)
{
    struct machine fresh;
    struct loader l;
    struct error e;
    uint32_t faults = all->n;
    struct conf *c = conf_parse(text, name, &e);
    if (!c) {
        errors_add_error(all, &e);
        return false;
    }
    machine_defaults(&fresh);
    if (!loader_init(&l, &fresh, name, all)) {
        conf_free(c);
        return false;
    }
    loader_conf(&l, c);
    return finish_load(&l, m, NULL, sets, n, faults);
}

bool machine_set_as(struct machine *m, const char *const *sets, size_t n, enum setting_form form,
                    struct errors *all)
{
    struct machine changed = *m;
    struct loader l;
    uint32_t faults = all->n;
    if (!loader_init(&l, &changed, m->name, all)) return false;
    l.form = form;
    return finish_load(&l, m, NULL, sets, n, faults);
}

bool machine_set(struct machine *m, const char *const *sets, size_t n, struct errors *all)
{
    return machine_set_as(m, sets, n, SETTING_OPTION, all);
}

static bool scale_number(struct machine *m, const char *set)
{
    char path[PATH_MAX_LENGTH];
    struct param_ref ref, selector;
    struct text why = {0};
    double before, after;
    const char *value = strchr(set, '=');
    if (!value) return false;
    snprintf(path, sizeof path, "%.*s", (int)(value - set), set);
    if (!parts_ref_by_path(path, &ref) || !param_ref_is_active(&ref, m, &selector)) return false;
    void *part = param_ref_struct(&ref, m);
    bool ok = param_number(ref.param, part, &before) &&
              param_from_text(ref.param, part, value + 1, &why) &&
              param_number(ref.param, part, &after);
    assert(!ok || (before != 0 && after != 0));
    text_fini(&why);
    return ok;
}

bool machine_scale(struct machine *m, const char *const *sets, size_t n)
{
    struct machine scaled = *m;
    for (size_t i = 0; i < n; i++)
        if (!scale_number(&scaled, sets[i])) return false;
    loader_derive_fields(&scaled);
    if (!loader_checks_hold(&scaled)) return false;
    *m = scaled;
    return true;
}

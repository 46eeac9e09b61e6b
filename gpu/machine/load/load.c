/* load.c - reads machine files and overrides into a machine; see loader.h and machine.h. */
#include "base/shown.h"
#include "base/text/quote.h"
#include "gpu/machine/load/loader.h"

#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"

#include <stdio.h>
#include <string.h>

enum {
    TOP_MAX = 32,        /* names at the top level of a file: those of the file, and the parts */
    SUGGESTIONS_MAX = 32 /* a file with more errors is probably no machine file: no more suggestions
                            are looked for */
};

bool loader_init(struct loader *l, struct machine *m, const char *name, struct errors *all)
{
    *l = (struct loader){.m = m, .all = all, .name = name};
    l->origin = mem_new(parts_count_params(), sizeof *l->origin);
    l->mark = mem_new(parts_count_params(), sizeof *l->mark);
    if (l->origin && l->mark) return true;
    struct error e;
    error_no_memory(&e);
    errors_add_error(all, &e);
    loader_fini(l);
    return false;
}

void loader_fini(struct loader *l)
{
    for (uint32_t i = 0; i < l->confs; i++)
        conf_free(l->conf[i]);
    paths_config_dirs_free(l->dirs);
    mem_free(l->origin);
    mem_free(l->mark);
    arena_fini(&l->arena);
    l->confs = 0;
    l->dirs = NULL;
    l->origin = NULL;
    l->mark = NULL;
}

void loader_fault(struct loader *l, const struct param_ref *ref, const char *text)
{
    const struct origin *o = &l->origin[ref->id];
    const char *path = ref->param->full_path;
    if (!o->file)
        errors_add(l->all, "%s: %s: %s", l->name, path, text);
    else if (o->line == 0)
        errors_add(l->all, "%s: %s: %s", o->file, path, text);
    else
        errors_add(l->all, "%s:%u: %s: %s", o->file, o->line, path, text);
}

/* --- names of files ------------------------------------------------------------------------ */

static bool is_path(const char *spec)
{
    size_t n = strlen(spec);
    return strchr(spec, '/') || (n > 4 && strcmp(spec + n - 4, ".cfg") == 0);
}

char *loader_resolve_config(const char *spec, const char *folder, const char *from)
{
    char dir[4096], relative[512];
    if (!is_path(spec)) {
        snprintf(relative, sizeof relative, "%s/%s.cfg", folder, spec);
        return paths_config(relative);
    }
    const char *slash = from ? strrchr(from, '/') : NULL;
    if (!slash || spec[0] == '/') return mem_strdup(spec);
    snprintf(dir, sizeof dir, "%.*s", (int)(slash - from), from);
    return file_join(slash == from ? "/" : dir, spec);
}

static void loader_add_presets(struct text *t)
{
    char **names = machine_presets(NULL);
    for (char **p = names; p && *p; p++)
        text_add(t, "%s%s", p == names ? "" : ", ", *p);
    machine_config_dirs_free(names);
}

/* --- groups of settings -------------------------------------------------------------------- */

static void set_origin(struct loader *l, const struct param_ref *ref, const char *file,
                       uint32_t line, bool refused)
{
    l->origin[ref->id] = (struct origin){file, line, l->layer, refused};
}

static void report_unknown(struct loader *l, const struct conf_node *n, const char *path)
{
    struct text what = {0};
    if (l->all->n < SUGGESTIONS_MAX) machine_suggest_param(&what, path);
    errors_add(l->all, "%s:%u: %s: unknown parameter; %s", conf_file(n), conf_line(n), path,
               what.len ? text_str(&what) : "'plumb machine params' lists all");
    text_fini(&what);
}

static bool is_group_of_rows(const char *path)
{
    struct param_ref ref;
    size_t n = strlen(path);
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++) {
        const char *full = ref.param->full_path;
        if (strncmp(full, path, n) == 0 && full[n] == '.') return true;
    }
    return false;
}

static void load_value(struct loader *l, const struct param_ref *ref, const struct conf_node *n)
{
    struct text why = {0};
    bool ok = param_from_conf(ref->param, param_ref_struct(ref, l->m), n, &why);
    set_origin(l, ref, conf_file(n), conf_line(n), !ok);
    if (!ok) loader_fault(l, ref, text_str(&why));
    text_fini(&why);
}

static void load_fragment(struct loader *l, const struct param_ref *ref, const struct conf_node *n);

void loader_group(struct loader *l, const struct conf_node *group, const char *prefix, bool in_set)
{
    char path[PATH_MAX_LENGTH];
    struct param_ref ref;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < conf_count(group); i++) {
            const struct conf_node *n = conf_child(group, i);
            if (in_set && loader_is_of_set(prefix, conf_name(n))) continue;
            snprintf(path, sizeof path, "%s.%s", prefix, conf_name(n));
            bool known = parts_ref_by_path(path, &ref);
            bool fragment = known && ref.param->type == PARAM_FRAGMENT;
            if (fragment != (pass == 0)) continue;
            if (fragment && in_set)
                errors_add(l->all, "%s:%u: %s: a set stands in a set; not allowed", conf_file(n),
                           conf_line(n), path);
            else if (fragment)
                load_fragment(l, &ref, n);
            else if (known)
                load_value(l, &ref, n);
            else if (!is_group_of_rows(path))
                report_unknown(l, n, path);
            else if (conf_type(n) == CONF_GROUP)
                loader_group(l, n, path, in_set);
            else
                errors_add(l->all, "%s:%u: %s: a value stands here; allowed: a group { ... }",
                           conf_file(n), conf_line(n), path);
        }
    }
}

/* Takes ownership of c until loader_fini. */
static bool keep_conf(struct loader *l, struct conf *c)
{
    if (l->confs == sizeof l->conf / sizeof l->conf[0]) {
        errors_add(l->all, "%s: too many files build on each other", l->name);
        conf_free(c);
        return false;
    }
    l->conf[l->confs++] = c;
    return true;
}

struct conf *loader_open(struct loader *l, const char *path)
{
    struct error e;
    if (!l->dirs) l->dirs = paths_config_dirs();
    if (!l->dirs) error_no_memory(&e);
    struct conf *c = l->dirs ? conf_load(path, (const char *const *)l->dirs, &e) : NULL;
    if (!c) errors_add_error(l->all, &e);
    return c && keep_conf(l, c) ? c : NULL;
}

static void load_fragment(struct loader *l, const struct param_ref *ref, const struct conf_node *n)
{
    load_value(l, ref, n);
    if (!l->origin[ref->id].refused) loader_set(l, ref, conf_file(n));
}

/* --- whole files --------------------------------------------------------------------------- */

void loader_text(struct loader *l, const struct conf_node *n, char *to, size_t size)
{
    const char *text = conf_text(n);
    bool plain = text && strlen(text) < size && !strpbrk(text, "\n\r");
    if (plain)
        snprintf(to, size, "%s", text);
    else
        errors_add(l->all,
                   "%s:%u: %s: this does not fit; allowed: a text of at most %zu characters in one"
                   " line",
                   conf_file(n), conf_line(n), conf_name(n), size - 1);
}

static void load_file(struct loader *l, const char *path, uint32_t version);

static void load_base(struct loader *l, const struct conf_node *n, uint32_t version)
{
    const char *spec = conf_text(n);
    char *path = spec ? loader_resolve_config(spec, "gpus", conf_file(n)) : NULL;
    char *kept = path && file_may_exist(path) ? arena_strdup(&l->arena, path) : NULL;
    mem_free(path);
    if (kept) {
        load_file(l, kept, version);
        return;
    }
    struct text known = {0};
    loader_add_presets(&known);
    errors_add(l->all, "%s:%u: base: %s%s%s; allowed: a path from this file, or a preset: %s",
               conf_file(n), conf_line(n), spec ? "\"" : "", spec ? spec : "not a text",
               spec ? "\" is not there" : "", text_str(&known));
    text_fini(&known);
}

static bool is_part(const char *name)
{
    for (uint32_t i = 0; i < machine_parts_n; i++)
        if (strcmp(machine_parts[i]->name, name) == 0) return true;
    return false;
}

/* What a file says of itself, besides its parts. */
static const char *const of_file[] = {"name",    "description", "base",    "base_version",
                                      "version", "before",      "evidence"};

/* The settings that load_root reads before all others. */
static bool is_of_root(const char *name)
{
    return strcmp(name, "base") == 0 || strcmp(name, "base_version") == 0 ||
           strcmp(name, "version") == 0 || strcmp(name, "before") == 0;
}

static void unknown_top(struct loader *l, const struct conf_node *n)
{
    const char *names[TOP_MAX] = {0};
    uint32_t known = 0;
    for (; known < sizeof of_file / sizeof *of_file; known++)
        names[known] = of_file[known];
    struct text list = {0};
    for (uint32_t i = 0; i < machine_parts_n && known < TOP_MAX; i++)
        if (!strchr(machine_parts[i]->name, '[')) names[known++] = machine_parts[i]->name;
    for (uint32_t i = 0; i < known; i++)
        text_add(&list, "%s%s", i ? ", " : "", names[i]);
    const char *closest =
        l->all->n < SUGGESTIONS_MAX ? text_closest(conf_name(n), names, known) : NULL;
    errors_add(l->all, "%s:%u: %s: unknown%s%s; allowed: %s", conf_file(n), conf_line(n),
               conf_name(n), closest ? ", the closest known one is " : "", closest ? closest : "",
               text_str(&list));
    text_fini(&list);
}

/* Names the machine after its file, in one line. */
static void name_after(struct machine *m, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *stem = slash ? slash + 1 : path;
    size_t n = strlen(stem);
    if (n > 4 && strcmp(stem + n - 4, ".cfg") == 0) n -= 4;
    snprintf(m->name, sizeof m->name, "%.*s", (int)n, stem);
    shown_clean(m->name, strlen(m->name), false);
    m->description[0] = '\0';
}

/* The groups of a part that repeats: the first by its name, the others with a number. */
static void load_repeated(struct loader *l, const struct conf_node *list, const char *name)
{
    char path[PATH_MAX_LENGTH];
    for (uint32_t i = 0; i < conf_count(list); i++) {
        const struct conf_node *n = conf_child(list, i);
        snprintf(path, sizeof path, i ? "%s[%u]" : "%s", name, i);
        if (is_part(path) && conf_type(n) == CONF_GROUP) {
            loader_group(l, n, path, false);
            continue;
        }
        errors_add(l->all, "%s:%u: %s[%u]: %s; allowed: a group { ... }, or two of dram",
                   conf_file(n), conf_line(n), name, i,
                   is_part(path) ? "a value stands here" : "one too many");
        return;
    }
}

void loader_top(struct loader *l, const struct conf_node *n)
{
    const char *name = conf_name(n);
    if (strcmp(name, "name") == 0)
        loader_text(l, n, l->m->name, sizeof l->m->name);
    else if (strcmp(name, "description") == 0)
        loader_text(l, n, l->m->description, sizeof l->m->description);
    else if (strcmp(name, "evidence") == 0)
        loader_evidence(l, n);
    else if (!is_part(name))
        unknown_top(l, n);
    else if (conf_type(n) == CONF_GROUP)
        loader_group(l, n, name, false);
    else if (conf_type(n) == CONF_LIST)
        load_repeated(l, n, name);
    else
        errors_add(l->all, "%s:%u: %s: a value stands here; allowed: a group { ... }", conf_file(n),
                   conf_line(n), name);
}

/* A file that is a preset by its name, and not just called like one. */
static bool is_preset(const struct machine *m, const char *path)
{
    char relative[PARAM_TEXT_MAX + 16];
    snprintf(relative, sizeof relative, "gpus/%s.cfg", m->name);
    char *preset = paths_config(relative);
    bool is = preset && file_same(preset, path);
    mem_free(preset);
    return is;
}

/* wanted: the version whose values the file that builds on this one states; 0: the newest. */
static void load_root(struct loader *l, const struct conf_node *root, const char *path,
                      uint32_t wanted)
{
    const struct conf_node *base = conf_find(root, "base");
    uint32_t of_base = loader_version(l, root, "base_version");
    l->version = 0;
    l->depth++;
    if (base) load_base(l, base, of_base);
    loader_compare_versions(l, root, of_base);
    l->layer++;
    name_after(l->m, path);
    bool preset = is_preset(l->m, path);
    if (preset) snprintf(l->m->preset, sizeof l->m->preset, "%s", l->m->name);
    for (uint32_t i = 0; i < conf_count(root); i++)
        if (!is_of_root(conf_name(conf_child(root, i)))) loader_top(l, conf_child(root, i));
    if (conf_find(root, "evidence")) loader_note_evidence(l);
    l->version = loader_restore(l, root, loader_version(l, root, "version"), wanted);
    if (preset) l->m->preset_version = l->version;
    if (--l->depth > 0) l->before = conf_find(root, "before");
}

void loader_conf(struct loader *l, struct conf *c)
{
    if (keep_conf(l, c)) load_root(l, conf_root(c), l->name, 0);
}

static bool being_read(const struct loader *l, const char *path)
{
    for (uint32_t i = 0; i < l->bases; i++)
        if (strcmp(l->base[i], path) == 0) return true;
    return false;
}

static void load_file(struct loader *l, const char *path, uint32_t version)
{
    if (l->bases == BASES_MAX || being_read(l, path)) {
        errors_add(l->all,
                   "%s: base: this file builds on itself; allowed: at most %d files on each other,"
                   " without a circle",
                   path, BASES_MAX);
        return;
    }
    struct conf *c = loader_open(l, path);
    if (!c) return;
    l->base[l->bases++] = path;
    load_root(l, conf_root(c), path, version);
    l->bases--;
}

void loader_file(struct loader *l, const char *path)
{
    load_file(l, path, 0);
}

/* --- overrides ----------------------------------------------------------------------------- */

/* Splits "path=value"; path is empty without a '='. false: no such parameter. */
static bool split_set(const char *set, char path[PATH_MAX_LENGTH], struct param_ref *ref,
                      const char **value)
{
    const char *equals = strchr(set, '=');
    size_t n = equals ? (size_t)(equals - set) : 0;
    snprintf(path, PATH_MAX_LENGTH, "%.*s", (int)(n < PATH_MAX_LENGTH ? n : PATH_MAX_LENGTH - 1),
             set);
    *value = equals ? equals + 1 : "";
    return parts_ref_by_path(path, ref);
}

static void refuse_set(struct loader *l, const char *set, const char *path)
{
    struct text what = {0};
    const char *closest;
    if (path[0] == '\0') {
        errors_add(l->all, "--set %s: no value; allowed: PATH=VALUE", set);
        return;
    }
    machine_find_param(path, NULL, &closest);
    if (closest || strchr(path, '.') || is_group_of_rows(path))
        machine_suggest_param(&what, path);
    else
        quote_command(&what,
                      "a machine's have a dot, such as l2.bank_kb; a program's go after --p: "
                      "--p %s",
                      set);
    errors_add(l->all, "--set %s: %s: unknown parameter; %s", set, path, text_str(&what));
    text_fini(&what);
}

static void load_set(struct loader *l, const char *set, const struct param_ref *ref,
                     const char *value)
{
    struct text why = {0}, origin = {0};
    text_add(&origin, "--set %s", set);
    char *kept = arena_strdup(&l->arena, text_str(&origin));
    bool ok = param_from_text(ref->param, param_ref_struct(ref, l->m), value, &why);
    set_origin(l, ref, kept ? kept : "--set", 0, !ok);
    if (!ok) loader_fault(l, ref, text_str(&why));
    if (ok && ref->param->type == PARAM_FRAGMENT) loader_set(l, ref, NULL);
    text_fini(&origin);
    text_fini(&why);
}

void loader_sets(struct loader *l, const char *const *sets, size_t n)
{
    char path[PATH_MAX_LENGTH];
    struct param_ref ref;
    const char *value;
    for (int pass = 0; pass < 2; pass++) {
        l->layer++;
        for (size_t i = 0; i < n; i++) {
            bool known = split_set(sets[i], path, &ref, &value);
            if (!known && pass == 0) refuse_set(l, sets[i], path);
            if (known && (ref.param->type == PARAM_FRAGMENT) == (pass == 0))
                load_set(l, sets[i], &ref, value);
        }
    }
}

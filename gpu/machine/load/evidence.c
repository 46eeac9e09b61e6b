/* evidence.c - reads and keeps the evidence of a machine's values; see evidence.h. */
#include "gpu/machine/load/evidence.h"

#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "gpu/machine/load/loader.h"

#include <stdio.h>
#include <string.h>

static const char *const grade_names[EVIDENCE_GRADES] = {[EVIDENCE_NONE] = "none",
                                                         [EVIDENCE_MEASURED] = "measured",
                                                         [EVIDENCE_VENDOR] = "vendor",
                                                         [EVIDENCE_DERIVED] = "derived",
                                                         [EVIDENCE_CONFIGURED] = "configured",
                                                         [EVIDENCE_GUESSED] = "guessed"};

const char *evidence_grade_name(enum evidence_grade grade)
{
    return grade_names[grade];
}

/* --- reading ------------------------------------------------------------------------------- */

static void evidence_fault(struct loader *l, const struct conf_node *n, const char *what,
                           const char *text)
{
    errors_add(l->all, "%s:%u: evidence: %s%s", conf_file(n), conf_line(n), what, text);
}

static void mark_row(struct loader *l, const struct param_ref *ref, const struct conf_node *path,
                     enum evidence_grade grade, const char *source)
{
    struct evidence_mark *mark = &l->mark[ref->id];
    const char *name = conf_text(path);
    uint32_t length = (uint32_t)strlen(name);
    bool same_file = mark->grade != EVIDENCE_NONE && mark->layer == l->layer;
    if (same_file && mark->length > length) return;
    *mark = (struct evidence_mark){grade, source, l->layer, length, name[length - 1] == '.'};
}

/* Whether an equal path stands in the same file before this one: it has marked its rows. */
static bool stands_twice(const struct loader *l, const char *path)
{
    for (uint32_t i = 0; i < l->evidence_paths; i++)
        if (strcmp(conf_text(l->evidence_path[i]), path) == 0) return true;
    return false;
}

static void report_unknown_path(struct loader *l, const struct conf_node *n)
{
    const char *path = conf_text(n);
    struct text what = {0};
    machine_suggest_param(&what, path);
    errors_add(l->all,
               "%s:%u: evidence: %s: unknown parameter, %s; allowed: a parameter, or a "
               "group of them with a dot at its end",
               conf_file(n), conf_line(n), path, text_str(&what));
    text_fini(&what);
}

static void mark_path(struct loader *l, const struct conf_node *n, enum evidence_grade grade,
                      const char *source)
{
    const char *path = conf_text(n);
    struct param_ref ref;
    bool found = false;
    if (!path) {
        evidence_fault(l, n, "a path is a text", "; allowed: [ \"sm.count\", \"sm.units.\" ]");
        return;
    }
    size_t length = strlen(path);
    bool group = length > 0 && path[length - 1] == '.';
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++) {
        const char *full = ref.param->full_path;
        if (group ? strncmp(full, path, length) != 0 : strcmp(full, path) != 0) continue;
        found = true;
        mark_row(l, &ref, n, grade, source);
    }
    if (!found)
        report_unknown_path(l, n);
    else if (stands_twice(l, path))
        errors_add(l->all, "%s:%u: evidence: %s stands twice; allowed: one grade for each path",
                   conf_file(n), conf_line(n), path);
    else if (l->evidence_paths < EVIDENCE_PATHS_MAX)
        l->evidence_path[l->evidence_paths++] = n;
    else
        evidence_fault(l, n, "too many paths", "; allowed: groups, with a dot at their end");
}

static bool has_plain_text(const struct conf_node *n)
{
    const char *text = n ? conf_text(n) : NULL;
    return text && text[0] && !strpbrk(text, "\"\\\n\r");
}

/* One statement: { of = [ paths ]; source = "..."; }. */
static void read_statement(struct loader *l, const struct conf_node *n, enum evidence_grade grade)
{
    const struct conf_node *of = conf_find(n, "of"), *source = conf_find(n, "source");
    bool whole = conf_type(n) == CONF_GROUP && conf_count(n) == 2 && of && source;
    if (!whole || conf_type(of) != CONF_LIST || !has_plain_text(source)) {
        evidence_fault(l, n, evidence_grade_name(grade),
                       ": this does not fit; allowed: { of = [ \"PATH\", ... ]; source = \"plain "
                       "text\"; }");
        return;
    }
    const char *kept = arena_strdup(&l->arena, conf_text(source));
    for (uint32_t i = 0; kept && i < conf_count(of); i++)
        mark_path(l, conf_child(of, i), grade, kept);
}

static enum evidence_grade grade_by_name(const char *name)
{
    for (int g = EVIDENCE_MEASURED; g < EVIDENCE_GRADES; g++)
        if (strcmp(grade_names[g], name) == 0) return (enum evidence_grade)g;
    return EVIDENCE_NONE;
}

static void read_curve(struct loader *l, const struct conf_node *n)
{
    char relative[PARAM_TEXT_MAX + 16];
    const char *name = conf_text(n);
    bool fits = name && name[0] && strlen(name) < PARAM_TEXT_MAX && !strchr(name, '/');
    snprintf(relative, sizeof relative, "curves/%s.csv", fits ? name : "");
    char *path = fits ? paths_config(relative) : NULL;
    char *kept = path ? arena_strdup(&l->arena, name) : NULL;
    if (!kept || l->curves == EVIDENCE_CURVES_MAX)
        errors_add(l->all,
                   "%s:%u: evidence: curves: %s; allowed: at most %d names of files "
                   "configs/curves/NAME.csv",
                   conf_file(n), conf_line(n), name ? name : "not a text", EVIDENCE_CURVES_MAX);
    else
        l->curve[l->curves++] = kept;
    mem_free(path);
}

static void read_sheet(struct loader *l, const struct conf_node *n)
{
    if (!conf_bool(n, &l->sheet))
        evidence_fault(l, n, "sheet", ": this does not fit; allowed: true or false");
}

/* A file's curves take the place of its base's. */
static void read_curves(struct loader *l, const struct conf_node *n)
{
    l->curves = 0;
    l->curves_layer = l->layer;
    if (conf_type(n) == CONF_TEXT)
        read_curve(l, n);
    else if (conf_type(n) != CONF_LIST)
        evidence_fault(l, n, "curves", ": this does not fit; allowed: [ \"NAME\", ... ]");
    for (uint32_t i = 0; i < conf_count(n); i++)
        read_curve(l, conf_child(n, i));
}

static bool is_engine(const char *name)
{
    static const char *const names[] = {"estimate", "sample", "simulate"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

/* A file's doubt takes the place of its base's. */
static void read_doubt(struct loader *l, const struct conf_node *n)
{
    struct machine_doubt *d = &l->m->doubt;
    const struct conf_node *engine = conf_find(n, "engine"), *what = conf_find(n, "what"),
                           *source = conf_find(n, "source");
    *d = (struct machine_doubt){.engine = ""};
    if (conf_type(n) == CONF_GROUP && conf_count(n) == 0) return;
    bool whole = conf_type(n) == CONF_GROUP && conf_count(n) == 3 && engine && what && source;
    const char *name = whole ? conf_text(engine) : NULL;
    if (!name || !is_engine(name)) {
        evidence_fault(l, n, "doubtful",
                       ": this does not fit; allowed: { engine = \"estimate\", \"sample\" or "
                       "\"simulate\"; what = \"plain text\"; source = \"plain text\"; }");
        return;
    }
    loader_text(l, engine, d->engine, sizeof d->engine);
    loader_text(l, what, d->what, sizeof d->what);
    loader_text(l, source, d->source, sizeof d->source);
}

void loader_evidence(struct loader *l, const struct conf_node *group)
{
    l->evidence_paths = 0;
    if (conf_type(group) != CONF_GROUP) {
        evidence_fault(l, group, "a value stands here", "; allowed: a group { ... }");
        return;
    }
    if (conf_find(group, "curves")) l->sheet = false; /* a base's */
    for (uint32_t i = 0; i < conf_count(group); i++) {
        const struct conf_node *n = conf_child(group, i);
        enum evidence_grade grade = grade_by_name(conf_name(n));
        if (strcmp(conf_name(n), "curves") == 0)
            read_curves(l, n);
        else if (strcmp(conf_name(n), "sheet") == 0)
            read_sheet(l, n);
        else if (strcmp(conf_name(n), "doubtful") == 0)
            read_doubt(l, n);
        else if (grade == EVIDENCE_NONE)
            evidence_fault(l, n, conf_name(n),
                           ": unknown grade; allowed: measured, vendor, derived, configured, "
                           "guessed, and curves, sheet and doubtful");
        else if (conf_type(n) != CONF_LIST)
            evidence_fault(l, n, conf_name(n), ": this does not fit; allowed: a list ( ... )");
        else
            for (uint32_t k = 0; k < conf_count(n); k++)
                read_statement(l, conf_child(n, k), grade);
    }
}

/* Curves that the file does not state itself remain those of its base. */
void loader_note_evidence(struct loader *l)
{
    if (l->curves > 0 && l->curves_layer != l->layer) return;
    l->evidence_of = arena_strdup(&l->arena, l->m->name);
    l->evidence_layer = l->layer;
    l->at_evidence = *l->m;
}

/* --- what a loaded machine has -------------------------------------------------------------- */

/* Whether a value that applies is another than where the evidence was stated. */
static bool has_changed(const struct loader *l, const struct param_ref *ref)
{
    struct param_ref selector;
    const struct origin *o = &l->origin[ref->id];
    if (!l->evidence_of || !o->file || o->layer <= l->evidence_layer) return false;
    return ref->param->type != PARAM_FRAGMENT && param_ref_is_active(ref, l->m, &selector) &&
           !param_equal(ref->param, param_ref_struct_const(ref, l->m),
                        param_ref_struct_const(ref, &l->at_evidence));
}

bool loader_take_evidence(const struct loader *l, struct machine_evidence *ev)
{
    *ev = (struct machine_evidence){.rows = parts_count_params(), .curves = l->curves};
    ev->of = arena_new(&ev->arena, ev->rows, sizeof *ev->of);
    bool ok = ev->of != NULL;
    if (ok && l->evidence_of) ok = (ev->whose = arena_strdup(&ev->arena, l->evidence_of)) != NULL;
    ev->inherited = l->evidence_of && l->evidence_layer < l->file_layer;
    ev->sheet = l->sheet;
    for (uint32_t i = 0; ok && i < l->curves; i++)
        ok = (ev->curve[i] = arena_strdup(&ev->arena, l->curve[i])) != NULL;
    for (uint32_t id = 0; ok && id < ev->rows; id++) {
        const struct evidence_mark *mark = &l->mark[id];
        const struct origin *o = &l->origin[id];
        struct param_ref ref, selector;
        bool known = parts_ref_by_id(id, &ref);
        ev->of[id].is_set = o->file && known && param_ref_is_active(&ref, l->m, &selector);
        ev->of[id].changed = known && has_changed(l, &ref);
        bool counts = o->file ? o->layer <= mark->layer : !mark->group;
        if (mark->grade == EVIDENCE_NONE || !counts) continue;
        ev->of[id].grade = mark->grade;
        ok = (ev->of[id].source = arena_strdup(&ev->arena, mark->source)) != NULL;
    }
    if (!ok) machine_evidence_fini(ev);
    return ok;
}

void machine_evidence_fini(struct machine_evidence *ev)
{
    arena_fini(&ev->arena);
    *ev = (struct machine_evidence){0};
}

const struct evidence_value *machine_evidence_of(const struct machine_evidence *ev,
                                                 const char *path)
{
    struct param_ref ref;
    return parts_ref_by_path(path, &ref) ? &ev->of[ref.id] : NULL;
}

enum machine_kind machine_evidence_kind(const struct machine_evidence *ev)
{
    bool graded = false;
    for (uint32_t id = 0; id < ev->rows && !graded; id++)
        graded = ev->of[id].grade != EVIDENCE_NONE;
    if (!graded) return MACHINE_OF_PAPER;
    if (ev->curves > 0) return MACHINE_CARD_MEASURED;
    return ev->sheet ? MACHINE_SHEET : MACHINE_CARD;
}

void machine_evidence_note(const struct machine_evidence *ev, struct text *out)
{
    enum { NAMED = 6 };
    struct param_ref ref;
    uint32_t changed = 0;
    for (uint32_t id = 0; id < ev->rows; id++)
        changed += ev->of[id].changed;
    if (!ev->whose || (!ev->inherited && changed == 0)) return;
    text_add(out, "the evidence%s of %s, ", ev->curves ? " and the curves are" : " is", ev->whose);
    if (changed == 0) text_add(out, "which has the same values");
    if (changed > 0)
        text_add(out, "from which %u value%s:", changed, changed > 1 ? "s differ" : " differs");
    for (uint32_t id = 0, named = 0; id < ev->rows && named < NAMED; id++)
        if (ev->of[id].changed && parts_ref_by_id(id, &ref))
            text_add(out, "%s %s", named++ ? "," : "", ref.param->full_path);
    if (changed > NAMED) text_add(out, " and %u more", changed - NAMED);
}

void machine_evidence_count(const struct machine_evidence *ev, const struct machine *m,
                            uint32_t count[EVIDENCE_GRADES])
{
    struct param_ref ref, selector;
    memset(count, 0, EVIDENCE_GRADES * sizeof count[0]);
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++)
        if (param_ref_is_active(&ref, m, &selector)) count[ev->of[id].grade]++;
}

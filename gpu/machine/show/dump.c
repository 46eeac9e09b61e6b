/* dump.c - prints a machine as text: the effective configuration, single values, the digest; see
 * machine.h. */
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "base/text/text.h"
#include "gpu/machine/load/evidence.h"
#include "gpu/machine/tables/parts.h"

#include <string.h>

/* Length of the common groups of two paths: "units.int32.latency", "units.int32.interval" -> 12. */
static size_t common_groups(const char *a, const char *b)
{
    size_t n = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '.') n = i + 1;
    return n;
}

static size_t depth_of(const char *path, size_t n)
{
    size_t depth = 0;
    for (size_t i = 0; i < n; i++)
        depth += path[i] == '.';
    return depth;
}

static size_t groups_length(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? (size_t)(dot - path) + 1 : 0;
}

/* A sweep prints each of its machines, so that nothing here looks for formats. */
static void put(struct text *out, const char *s)
{
    text_add_bytes(out, s, strlen(s));
}

static void put_indent(struct text *out, size_t depth)
{
    while (depth--)
        text_add_bytes(out, "    ", 4);
}

/* Closes the groups of `from` and opens those of `to` that are not common. */
static void change_groups(const char *from, const char *to, struct text *out)
{
    size_t common = common_groups(from, to), depth = depth_of(from, groups_length(from));
    for (; depth > depth_of(from, common); depth--) {
        put_indent(out, depth);
        put(out, "};\n");
    }
    for (const char *s = to + common, *dot; (dot = strchr(s, '.')); s = dot + 1) {
        put_indent(out, ++depth);
        text_add_bytes(out, s, (size_t)(dot - s));
        put(out, " : {\n");
    }
}

/* The sources in the order of their first value, which have their numbers from 1 on. */
struct dumped_sources {
    const struct machine_evidence *ev; /* NULL: none is shown */
    const char **text;
    size_t n, cap;
};

/* 0: no memory. */
static size_t number_of(struct dumped_sources *s, const char *source)
{
    size_t i = 0;
    while (i < s->n && strcmp(s->text[i], source) != 0)
        i++;
    if (i < s->n) return i + 1;
    if (!mem_grow(&s->text, &s->cap, s->n + 1, sizeof *s->text)) return 0;
    s->text[s->n++] = source;
    return s->n;
}

/* Unit, and grade and number of the source if there are any. */
static void dump_comment(const struct param *p, const struct evidence_value *v,
                         struct dumped_sources *s, struct text *out)
{
    size_t number = v && v->grade != EVIDENCE_NONE ? number_of(s, v->source) : 0;
    if (p->unit[0] || v) put(out, " # ");
    put(out, p->unit);
    if (v) put(out, p->unit[0] ? "; " : "");
    if (v && v->grade == EVIDENCE_NONE) text_add(out, "%s", v->is_set ? "set here" : "default");
    if (number) text_add(out, "%s [%zu]", evidence_grade_name(v->grade), number);
    out->failed |= v && v->grade != EVIDENCE_NONE && !number;
    put(out, "\n");
}

static void dump_row(const struct param_ref *ref, const struct machine *m, struct dumped_sources *s,
                     struct text *out)
{
    const struct param *p = ref->param;
    const char *dot = strrchr(p->path, '.');
    bool fragment = p->type == PARAM_FRAGMENT;
    put_indent(out, 1 + depth_of(p->path, strlen(p->path)));
    put(out, fragment ? "# from " : "");
    put(out, dot ? dot + 1 : p->path);
    put(out, " = ");
    param_print(p, param_ref_struct_const(ref, m), out);
    if (!fragment) put(out, ";");
    dump_comment(p, s->ev ? &s->ev->of[ref->id] : NULL, s, out);
}

static bool worth_dumping(const struct param_ref *ref, const struct machine *m)
{
    struct param_ref selector;
    const char *text = (const char *)param_ref_struct_const(ref, m) + ref->param->offset;
    if (ref->param->type == PARAM_FRAGMENT) return text[0] != '\0';
    return param_ref_is_active(ref, m, &selector);
}

/* Whether the part is the second of its kind, which stands in a list behind the first. */
static bool is_second(const struct part *part)
{
    return part && strchr(part->name, '[');
}

/* Ends a part and begins the next; without parameters to show, a second one is left out. */
static void change_parts(const struct part *from, const struct part *to, bool list,
                         struct text *out)
{
    if (from) text_add(out, is_second(from) ? "});\n" : is_second(to) ? "}, {\n" : "};\n");
    if (to && !is_second(to)) text_add(out, list ? "%s : ( {\n" : "%s : {\n", to->name);
}

static void dump_doubt(const struct machine_doubt *d, struct text *out)
{
    if (!d->engine[0]) return;
    text_add(out, "evidence : { doubtful : { engine = ");
    quote_conf(out, d->engine);
    text_add(out, "; what = ");
    quote_conf(out, d->what);
    text_add(out, "; source = ");
    quote_conf(out, d->source);
    text_add(out, "; }; };\n");
}

static void dump_machine(const struct machine *m, struct dumped_sources *s, struct text *out)
{
    struct param_ref ref;
    const struct part *part = NULL;
    const char *last = "";
    bool two = m->second_dram.channels > 0;
    if (m->name[0]) text_add(out, "name = ");
    if (m->name[0]) quote_conf(out, m->name);
    text_add(out, "%sdescription = ", m->name[0] ? ";\n" : "");
    quote_conf(out, m->description);
    text_add(out, ";\n");
    dump_doubt(&m->doubt, out);
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++) {
        if (is_second(ref.part) && !two) continue;
        if (ref.part != part) {
            change_groups(last, "", out);
            change_parts(part, ref.part, two && ref.part == &dram_part, out);
            part = ref.part;
            last = "";
        }
        if (!worth_dumping(&ref, m)) continue;
        change_groups(last, ref.param->path, out);
        dump_row(&ref, m, s, out);
        last = ref.param->path;
    }
    change_groups(last, "", out);
    change_parts(part, NULL, false, out);
}

void machine_dump(const struct machine *m, struct text *out)
{
    dump_machine(m, &(struct dumped_sources){0}, out);
}

/* The preset, beside which all values stand: evidence and calibrations are found by it. */
static void dump_base(const struct machine *m, struct text *out)
{
    if (!m->preset[0]) return;
    text_add(out, "base = ");
    quote_conf(out, m->preset);
    text_add(out, ";\n");
    if (m->preset_version) text_add(out, "base_version = %u;\n", m->preset_version);
}

void machine_dump_file(const struct machine *m, struct text *out)
{
    dump_base(m, out);
    machine_dump(m, out);
}

static void add_comment(struct text *out, const char *what, const char *text)
{
    text_add_shown(out, "# %s%s\n", what, text);
}

static void dump_sources(const struct machine *m, const struct dumped_sources *s, struct text *out)
{
    uint32_t count[EVIDENCE_GRADES];
    machine_evidence_count(s->ev, m, count);
    text_add(out, "\n# Evidence:");
    for (int g = EVIDENCE_MEASURED; g < EVIDENCE_GRADES; g++)
        text_add(out, " %u %s,", count[g], evidence_grade_name((enum evidence_grade)g));
    text_add(out, " %u without; curves:", count[EVIDENCE_NONE]);
    for (uint32_t i = 0; i < s->ev->curves; i++)
        text_add_shown(out, " %s", s->ev->curve[i]);
    text_add(out, s->ev->curves ? "\n" : " none\n");
    struct text note = {0};
    machine_evidence_note(s->ev, &note);
    if (note.len) add_comment(out, "Inherited: ", text_str(&note));
    text_fini(&note);
    for (size_t i = 0; i < s->n; i++)
        text_add_shown(out, "#   [%zu] %s\n", i + 1, s->text[i]);
}

void machine_dump_evidence(const struct machine *m, const struct machine_evidence *ev,
                           struct text *out)
{
    bool graded = machine_evidence_kind(ev) != MACHINE_OF_PAPER;
    struct dumped_sources s = {.ev = graded ? ev : NULL};
    if (m->preset[0])
        text_add(out, "# %s %s, version %u\n",
                 strcmp(m->preset, m->name) == 0 ? "Preset" : "Builds on preset", m->preset,
                 m->preset_version);
    if (m->moved[0]) add_comment(out, "warning: ", m->moved);
    dump_base(m, out);
    dump_machine(m, &s, out);
    if (graded) dump_sources(m, &s, out);
    mem_free(s.text);
}

const char *machine_difference(const struct machine *a, const struct machine *b,
                               bool (*skip)(const char *path, const void *ctx), const void *ctx)
{
    struct param_ref ref;
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++) {
        const struct param *p = ref.param;
        if (ref.part == &energy_part || p->type == PARAM_FRAGMENT) continue;
        if (param_equal(p, param_ref_struct_const(&ref, a), param_ref_struct_const(&ref, b)))
            continue;
        if (!skip(p->full_path, ctx)) return p->full_path;
    }
    return NULL;
}

/* All that a machine without a second memory has of one is that it has no channels. */
static bool is_of_absent(const struct param_ref *ref, const struct machine *m)
{
    return ref->part == &second_dram_part && !dram_is_there(&m->second_dram);
}

struct digest machine_digest(const struct machine *m)
{
    struct param_ref ref;
    struct text all = {0};
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++) {
        if (ref.param->type == PARAM_FRAGMENT || is_of_absent(&ref, m)) continue;
        text_add_bytes(&all, ref.param->full_path, strlen(ref.param->full_path));
        text_add_bytes(&all, "=", 1);
        param_print_bare(ref.param, param_ref_struct_const(&ref, m), &all);
        text_add_bytes(&all, "\n", 1);
    }
    struct digest d = {0};
    if (!all.failed) d = digest_text(text_str(&all));
    text_fini(&all);
    return d;
}

bool machine_get(const struct machine *m, const char *path, struct text *out)
{
    struct param_ref ref;
    if (!parts_ref_by_path(path, &ref)) return false;
    param_print(ref.param, param_ref_struct_const(&ref, m), out);
    return true;
}

bool machine_get_bare(const struct machine *m, const char *path, struct text *out)
{
    struct param_ref ref;
    if (!parts_ref_by_path(path, &ref)) return false;
    param_print_bare(ref.param, param_ref_struct_const(&ref, m), out);
    return true;
}

bool machine_is(const struct machine *m, const char *path, const char *value)
{
    struct param_ref ref;
    return parts_ref_by_path(path, &ref) &&
           param_is(ref.param, param_ref_struct_const(&ref, m), value);
}

bool machine_get_number(const struct machine *m, const char *path, double *v)
{
    struct param_ref ref;
    return parts_ref_by_path(path, &ref) &&
           param_number(ref.param, param_ref_struct_const(&ref, m), v);
}

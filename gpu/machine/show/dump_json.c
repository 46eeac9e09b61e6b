/* dump_json.c - a machine as one JSON object; see machine.h. */
#include "gpu/machine/tables/parts.h"

#include "base/text/json.h"
#include "gpu/machine/load/evidence.h"

static void list_json(const struct param_list *list, struct json *j)
{
    json_array(j);
    for (uint32_t i = 0; i < list->n; i++)
        json_integer(j, list->v[i]);
    json_end(j);
}

static void value_json(const struct param_ref *ref, const struct machine *m, struct json *j)
{
    const struct param *p = ref->param;
    const void *part = param_ref_struct_const(ref, m);
    struct text bare = {0};
    double v = 0;
    param_number(p, part, &v);
    switch (p->type) {
    case PARAM_BOOL: json_bool(j, v != 0); break;
    case PARAM_INT:
    case PARAM_SIZE:
    case PARAM_REAL: json_number(j, v); break;
    case PARAM_LIST: list_json((const void *)((const char *)part + p->offset), j); break;
    case PARAM_ENUM:
    case PARAM_TEXT:
    case PARAM_FRAGMENT:
        param_print_bare(p, part, &bare);
        json_string(j, text_str(&bare));
        break;
    }
    text_fini(&bare);
}

static void parameters_json(const struct machine *m, struct json *j)
{
    struct param_ref ref, selector;
    json_object(json_key(j, "parameters"));
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++) {
        if (!param_ref_is_active(&ref, m, &selector)) continue;
        json_key(j, ref.param->full_path);
        value_json(&ref, m, j);
    }
    json_end(j);
}

static void values_json(const struct machine_evidence *ev, const struct machine *m, struct json *j)
{
    struct param_ref ref, selector;
    json_object(json_key(j, "values"));
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++) {
        const struct evidence_value *v = &ev->of[id];
        if (v->grade == EVIDENCE_NONE || !param_ref_is_active(&ref, m, &selector)) continue;
        json_object(json_key(j, ref.param->full_path));
        json_string(json_key(j, "grade"), evidence_grade_name(v->grade));
        json_string(json_key(j, "source"), v->source);
        json_end(j);
    }
    json_end(j);
}

static void changed_json(const struct machine_evidence *ev, struct json *j)
{
    struct param_ref ref;
    json_array(json_key(j, "changed"));
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++)
        if (ev->of[id].changed) json_string(j, ref.param->full_path);
    json_end(j);
}

static void evidence_json(const struct machine_evidence *ev, const struct machine *m,
                          struct json *j)
{
    uint32_t count[EVIDENCE_GRADES];
    machine_evidence_count(ev, m, count);
    json_object(json_key(j, "evidence"));
    if (ev->whose) json_string(json_key(j, "of"), ev->whose);
    changed_json(ev, j);
    json_array(json_key(j, "curves"));
    for (uint32_t i = 0; i < ev->curves; i++)
        json_string(j, ev->curve[i]);
    json_end(j);
    if (m->doubt.engine[0]) {
        json_object(json_key(j, "doubtful"));
        json_string(json_key(j, "engine"), m->doubt.engine);
        json_string(json_key(j, "what"), m->doubt.what);
        json_string(json_key(j, "source"), m->doubt.source);
        json_end(j);
    }
    json_object(json_key(j, "counts"));
    for (int g = EVIDENCE_NONE; g < EVIDENCE_GRADES; g++)
        json_integer(json_key(j, evidence_grade_name((enum evidence_grade)g)), count[g]);
    json_end(j);
    values_json(ev, m, j);
    json_end(j);
}

void machine_json_evidence(const struct machine *m, const struct machine_evidence *ev,
                           struct text *out)
{
    char hex[33];
    struct json j;
    digest_hex(machine_digest(m), hex);
    json_init(&j, out);
    json_object(&j);
    json_string(json_key(&j, "machine"), m->name);
    json_string(json_key(&j, "description"), m->description);
    json_string(json_key(&j, "digest"), hex);
    if (m->preset[0]) {
        json_string(json_key(&j, "preset"), m->preset);
        json_integer(json_key(&j, "preset_version"), m->preset_version);
    }
    if (m->moved[0]) json_string(json_key(&j, "warning"), m->moved);
    parameters_json(m, &j);
    if (machine_evidence_kind(ev) != MACHINE_OF_PAPER) evidence_json(ev, m, &j);
    machine_figures_json(m, &j);
    json_end(&j);
}

/* reference.c - the reference of all parameters, from their tables; see machine.h. */
#include "gpu/machine/tables/parts.h"

#include "base/text/json.h"

#include <string.h>

static const char *type_name(enum param_type type)
{
    switch (type) {
    case PARAM_BOOL: return "bool";
    case PARAM_INT: return "int";
    case PARAM_REAL: return "real";
    case PARAM_SIZE: return "size";
    case PARAM_ENUM: return "enum";
    case PARAM_TEXT: return "text";
    case PARAM_LIST: return "list";
    case PARAM_FRAGMENT: return "set";
    }
    return "";
}

/* Adds the range or the choices. */
static void add_range(const struct param *p, struct text *out)
{
    bool number = p->type == PARAM_INT || p->type == PARAM_REAL || p->type == PARAM_SIZE ||
                  p->type == PARAM_LIST;
    if (number) text_add(out, "%.12g..%.12g", p->lo, p->hi);
    for (const struct choice *c = p->choices; c && c->name; c++)
        text_add(out, "%s%s", c == p->choices ? "" : ", ", c->name);
}

static void reference_text(const struct param_ref *ref, struct text *out)
{
    const struct param *p = ref->param;
    text_add(out, "%s = %s", p->full_path, p->dflt[0] ? p->dflt : "\"\"");
    text_add(out, "%s%s  [%s", p->unit[0] ? " " : "", p->unit, type_name(p->type));
    text_add(out, "%s", p->choices || p->hi > p->lo ? " " : "");
    add_range(p, out);
    text_add(out, "]\n    %s\n", p->meaning);
    for (const struct choice *c = p->choices; c && c->name; c++)
        text_add(out, "      %-18s %s\n", c->name, c->meaning);
    if (p->when) text_add(out, "    only with %s\n", p->when);
    text_add(out, "    source: %s\n", p->source);
}

static void reference_json(const struct param_ref *ref, struct json *j)
{
    const struct param *p = ref->param;
    json_object(j);
    const char *const pairs[][2] = {
        {"path", p->full_path}, {"type", type_name(p->type)}, {"unit", p->unit},
        {"default", p->dflt},   {"meaning", p->meaning},      {"source", p->source},
        {"when", p->when},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (!pairs[i][1]) continue;
        json_string(json_key(j, pairs[i][0]), pairs[i][1]);
    }
    if (p->hi > p->lo) {
        json_number(json_key(j, "min"), p->lo);
        json_number(json_key(j, "max"), p->hi);
    }
    if (p->choices) {
        json_array(json_key(j, "choices"));
        for (const struct choice *c = p->choices; c->name; c++)
            json_string(j, c->name);
        json_end(j);
    }
    json_end(j);
}

static void markdown_head(const struct part *part, struct text *out)
{
    text_add(out, "\n## %s\n\nThe %s.\n\n", part->name, part->meaning);
    text_add(
        out,
        "| path | type | default | unit | allowed | meaning | only with | seen | term | source "
        "|\n"
        "|---|---|---|---|---|---|---|---|---|---|\n");
}

static const char *const term_name[] = {
    [PARAM_TERM] = "yes", [PARAM_NO_TERM] = "no", [PARAM_PARTLY] = "in part", [PARAM_SILENT] = "-"};

static void reference_markdown(const struct param_ref *ref, struct text *out)
{
    const struct param *p = ref->param;
    text_add(out, "| `%s` | %s | `%s` | %s | ", p->full_path, type_name(p->type),
             p->dflt[0] ? p->dflt : "\"\"", p->unit);
    if (!p->choices) add_range(p, out);
    for (const struct choice *c = p->choices; c && c->name; c++)
        text_add(out, "%s`%s`: %s", c == p->choices ? "" : "; ", c->name, c->meaning);
    text_add(out, " | %s | %s%s%s | %s | %s | %s |\n", p->meaning, p->when ? "`" : "",
             p->when ? p->when : "", p->when ? "`" : "", p->seen == PARAM_SEEN ? "yes" : "no",
             term_name[p->term], p->source);
}

static const char markdown_intro[] =
    "# Parameters\n"
    "\n"
    "Made by `cmake --build DIR --target docs` from the tables in `gpu/machine/tables/`; do not "
    "edit.\n"
    "\n"
    "A machine file is libconfig: one group per part, nested groups for the dots in a path.\n"
    "`base = \"rx540\";` builds on a preset, or on a file by its path from this one; what the "
    "file\n"
    "sets itself overrides it. `dram.set = \"hbm2\"` starts from `configs/dram/hbm2.cfg` in the "
    "same\n"
    "way. `--set PATH=VALUE` overrides both. \"[A]\" in a source marks an assumption of ours.\n"
    "A parameter with an entry under \"only with\" may be set only where that holds; what an "
    "earlier\n"
    "layer (base, file, `--set`) set for it yields when a later one changes the choice.\n"
    "\n"
    "\"seen\": a functional pass depends on it; machines that differ only in others share warm "
    "state.\n"
    "\"term\": the estimator has one; \"no\": an estimate names it under `not_modelled` where it "
    "is off its\n"
    "default; \"in part\": only in some machines; \"-\": none, and answers never name it "
    "separately.\n"
    "\n"
    "`dram.mapping` cuts an address into fields, from high to low, separated by colons: row, "
    "pseudo,\n"
    "rank, bankgroup, bank, column, channel. `name[bits]` takes that many bits, a name alone what\n"
    "is left of its total, and stands last of its name. Totals are log2 of `rows`,\n"
    "`pseudo_channels`, `ranks`, `bankgroups`, `banks_per_group`, `row_bytes` x `lockstep` "
    "(columns "
    "count\n"
    "bytes) and `channels`. Without a\n"
    "bankgroup in the text, bank holds both: the flat bank, whose group is flat /\n"
    "`banks_per_group`. Every field with bits must be covered exactly. Example:\n"
    "`row:bank[3]:column[3]:bank[1]:column`.\n"
    "\n"
    "Without a channel in the text, it is about the address inside a channel, and the channel\n"
    "follows from the slice. With one, it is about the whole address: "
    "`row:bank:column[3]:channel:\n"
    "column` deals 256 bytes to each channel in turn (rows of 2 KB), `row:bank:channel:column`\n"
    "keeps pages of up to a row in one bank, so that channel and bank are the page's colour.\n"
    "`l2.slice_hash = \"channel\"` makes slices go with the channels.\n";

static bool is_named(const struct param *p, const char *word, bool begins)
{
    if (begins) return strncmp(p->full_path, word, strlen(word)) == 0;
    return strcasestr(p->full_path, word) || strcasestr(p->meaning, word);
}

static bool has_beginning(const char *word)
{
    struct param_ref ref;
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++)
        if (is_named(ref.param, word, true)) return true;
    return false;
}

uint32_t machine_reference(const char *word, enum reference_format format, struct text *out)
{
    struct param_ref ref;
    const struct part *part = NULL;
    struct json j;
    uint32_t n = 0;
    char plain[PATH_MAX_LENGTH];
    json_init(&j, out);
    word = parts_plain_path(word, plain);
    bool begins = has_beginning(word);
    if (format == REFERENCE_MARKDOWN) text_add(out, "%s", markdown_intro);
    if (format == REFERENCE_JSON) json_array(&j);
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++) {
        if (!is_named(ref.param, word, begins)) continue;
        if (format == REFERENCE_MARKDOWN && ref.part != part) markdown_head(ref.part, out);
        part = ref.part;
        n++;
        switch (format) {
        case REFERENCE_TEXT: reference_text(&ref, out); break;
        case REFERENCE_JSON: reference_json(&ref, &j); break;
        case REFERENCE_MARKDOWN: reference_markdown(&ref, out); break;
        }
    }
    if (format == REFERENCE_JSON) json_end(&j);
    return n;
}

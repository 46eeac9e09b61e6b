/* parts.c - all parameter tables in one order, found by path or by number; see parts.h. */
#include "gpu/machine/tables/parts.h"

#include "base/memory/alloc.h"
#include "gpu/machine/machine.h"
#include "gpu/mechanisms/mechanisms.h"

#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define PART_TABLE(part, type) &part##_part,
const struct part *const machine_parts[] = {MACHINE_PARTS(PART_TABLE)};
const uint32_t machine_parts_n = sizeof machine_parts / sizeof machine_parts[0];

uint32_t parts_count_params(void)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < machine_parts_n; i++)
        n += machine_parts[i]->n;
    return n;
}

bool parts_ref_by_id(uint32_t id, struct param_ref *ref)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < machine_parts_n; i++) {
        const struct part *part = machine_parts[i];
        if (id - first < part->n) {
            *ref = (struct param_ref){part, &part->params[id - first], id};
            return true;
        }
        first += part->n;
    }
    return false;
}

/* All rows by path, an open hash table that is filled once: every sweep point and every trial of
 * another machine looks up hundreds of paths. */
enum { SLOTS = 2048 };
static struct param_ref by_path[SLOTS]; /* param NULL: empty */
static pthread_once_t filled = PTHREAD_ONCE_INIT;

/* The slot of the path, or the empty one where it belongs (FNV-1a). */
static struct param_ref *slot_of(const char *path)
{
    uint32_t h = UINT32_C(2166136261);
    for (const char *c = path; *c; c++)
        h = (h ^ (unsigned char)*c) * UINT32_C(16777619);
    while (by_path[h % SLOTS].param && strcmp(by_path[h % SLOTS].param->full_path, path) != 0)
        h++;
    return &by_path[h % SLOTS];
}

static void fill_slots(void)
{
    struct param_ref ref;
    assert(2 * parts_count_params() <= SLOTS && "look-ups end soon");
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++)
        *slot_of(ref.param->full_path) = ref;
}

/* Whether there is a second part of the name that path[0, n) spells. */
static bool repeats(const char *path, size_t n)
{
    for (uint32_t i = 0; i < machine_parts_n; i++) {
        const char *name = machine_parts[i]->name;
        if (strncmp(name, path, n) == 0 && strcmp(name + n, "[1]") == 0) return true;
    }
    return false;
}

const char *parts_plain_path(const char *path, char plain[PATH_MAX_LENGTH])
{
    const char *first = strstr(path, "[0].");
    if (!first || !repeats(path, (size_t)(first - path))) return path;
    snprintf(plain, PATH_MAX_LENGTH, "%.*s%s", (int)(first - path), path, first + 3);
    return plain;
}

bool parts_ref_by_path(const char *path, struct param_ref *ref)
{
    char plain[PATH_MAX_LENGTH];
    if (pthread_once(&filled, fill_slots) != 0) return false;
    const struct param_ref *slot = slot_of(parts_plain_path(path, plain));
    if (slot->param) *ref = *slot;
    return slot->param != NULL;
}

void *param_ref_struct(const struct param_ref *ref, struct machine *m)
{
    return (char *)m + ref->part->offset;
}

const void *param_ref_struct_const(const struct param_ref *ref, const struct machine *m)
{
    return (const char *)m + ref->part->offset;
}

char **machine_paths(uint32_t *n)
{
    struct param_ref ref;
    *n = parts_count_params();
    char **paths = mem_new(1, *n * (sizeof *paths + PATH_MAX_LENGTH));
    if (!paths) return NULL;
    char *text = (char *)(paths + *n);
    for (uint32_t id = 0; parts_ref_by_id(id, &ref); id++) {
        paths[id] = text + (size_t)id * PATH_MAX_LENGTH;
        strcpy(paths[id], ref.param->full_path);
    }
    return paths;
}

/* Whether `word` is one of the words of `name`, which underscores separate. */
static bool has_word(const char *name, const char *word, size_t n)
{
    for (; *name; name += strcspn(name, "_"), name += *name == '_')
        if (strcspn(name, "_") == n && memcmp(name, word, n) == 0) return true;
    return false;
}

/* The shortest path whose last name contains the word: kb finds l2.bank_kb. */
static const char *path_with_word(const char *word, const char *const *paths, uint32_t n)
{
    const char *found = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const char *last = strrchr(paths[i], '.') + 1;
        if (!has_word(last, word, strlen(word))) continue;
        if (!found || strlen(paths[i]) < strlen(found)) found = paths[i];
    }
    return found;
}

/* What people call a thing that our names call otherwise. */
static const char *our_word(const char *word, size_t n)
{
    static const char *const others[][2] = {
        {"size", "kb"},     {"capacity", "kb"},    {"assoc", "ways"},  {"associativity", "ways"},
        {"freq", "mhz"},    {"frequency", "mhz"},  {"speed", "mhz"},   {"slices", "banks"},
        {"cores", "count"}, {"number", "count"},   {"num", "count"},   {"cus", "count"},
        {"sms", "count"},   {"delay", "latency"},  {"block", "line"},  {"policy", "replacement"},
        {"width", "bytes"}, {"registers", "regs"}, {"smem", "shared"}, {"threads", "warps"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i][0]) == n && strncasecmp(word, others[i][0], n) == 0)
            return others[i][1];
    return NULL;
}

/* The path that has one of the words of `name`, or what we call it. */
static const char *path_with_any_word(const char *name, const char *const *paths, uint32_t n)
{
    const char *found = path_with_word(name, paths, n);
    for (; *name && !found; name += strcspn(name, "_."), name += *name != '\0') {
        char word[PATH_MAX_LENGTH];
        size_t length = strcspn(name, "_.");
        const char *ours = our_word(name, length);
        snprintf(word, sizeof word, "%.*s", (int)length, name);
        found = ours ? path_with_word(ours, paths, n) : NULL;
        if (!found && length > 1) found = path_with_word(word, paths, n);
    }
    return found;
}

/* Prefers paths of the same part: l2.kb most likely means a parameter of the L2. */
static const char *closest_of(const char *path, const char *const *paths, uint32_t n)
{
    const char *dot = strchr(path, '.'), *closest = NULL;
    size_t part = dot ? (size_t)(dot + 1 - path) : 0;
    uint32_t from = 0, to;
    while (part && from < n && strncmp(paths[from], path, part) != 0)
        from++;
    for (to = from; part && to < n && strncmp(paths[to], path, part) == 0;)
        to++;
    if (part && to > from) {
        const char *ours = our_word(dot + 1, strlen(dot + 1));
        if (ours) closest = path_with_word(ours, paths + from, to - from);
        if (!closest) closest = text_closest(path, paths + from, to - from);
        if (!closest) closest = path_with_any_word(dot + 1, paths + from, to - from);
    }
    return closest ? closest : text_closest(path, paths, n);
}

/* The nearest known path, in a thread-local buffer. */
static const char *closest_path(const char *typed)
{
    static _Thread_local char found[PATH_MAX_LENGTH];
    char path[PATH_MAX_LENGTH];
    uint32_t n;
    char **paths = machine_paths(&n);
    if (!paths) return NULL;
    snprintf(path, sizeof path, "%s", typed);
    for (char *c = path; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    const char *closest = closest_of(path, (const char *const *)paths, n);
    char *mark = closest || strchr(path, '.') ? NULL : strchr(path, '_'); /* l2_kb */
    if (mark) *mark = '.';
    if (mark) closest = closest_of(path, (const char *const *)paths, n);
    if (closest) snprintf(found, sizeof found, "%s", closest);
    mem_free(paths);
    return closest ? found : NULL;
}

static bool is_part_name(const char *path)
{
    size_t n = strlen(path);
    for (size_t i = 0; i < machine_parts_n; i++)
        if (n && strncmp(machine_parts[i]->name, path, n) == 0 && !machine_parts[i]->name[n])
            return true;
    return false;
}

void machine_suggest_param(struct text *out, const char *path)
{
    struct param_ref ref;
    char part[PATH_MAX_LENGTH];
    const char *closest = closest_path(path);
    snprintf(part, sizeof part, "%.*s", (int)strcspn(path, "."), path);
    if (is_part_name(path))
        text_add(out, "'plumb machine params %s' lists those of %s", path, path);
    else if (closest && parts_ref_by_path(closest, &ref))
        text_add(out, "the closest known one is %s (%.*s)", closest,
                 (int)strcspn(ref.param->meaning, ";"), ref.param->meaning);
    else if (is_part_name(part))
        text_add(out, "'plumb machine params %s' lists those of %s", part, part);
    else
        text_add(out, "'plumb machine params' lists all");
}

const struct param *machine_find_param(const char *path, const struct part **part,
                                       const char **closest)
{
    struct param_ref ref;
    bool known = parts_ref_by_path(path, &ref);
    if (part) *part = known ? ref.part : NULL;
    if (closest) *closest = known ? NULL : closest_path(path);
    return known ? ref.param : NULL;
}

/* Splits "path=value" or "path!=value". */
static bool split_when(const char *when, char path[PATH_MAX_LENGTH], const char **value)
{
    const char *equals = strchr(when, '=');
    assert(equals && equals > when);
    bool negated = equals[-1] == '!';
    size_t n = (size_t)(equals - when - negated);
    assert(n < PATH_MAX_LENGTH);
    memcpy(path, when, n);
    path[n] = '\0';
    *value = equals + 1;
    return !negated;
}

static bool condition_holds(const char *condition, const struct machine *m,
                            struct param_ref *selector)
{
    char path[PATH_MAX_LENGTH];
    const char *wanted;
    bool equal = split_when(condition, path, &wanted);
    bool known = parts_ref_by_path(path, selector);
    assert(known && "a condition names a parameter");
    if (!known) return true;
    return param_is(selector->param, param_ref_struct_const(selector, m), wanted) == equal;
}

bool param_ref_is_active(const struct param_ref *ref, const struct machine *m,
                         struct param_ref *selector)
{
    if (!ref->param->when) return true;
    if (!condition_holds(ref->param->when, m, selector)) return false;
    struct param_ref named = *selector;
    return param_ref_is_active(&named, m, selector);
}

bool machine_meets(const struct machine *m, const char *conditions)
{
    struct param_ref selector;
    char one[2 * PATH_MAX_LENGTH];
    for (const char *s = conditions; *s; s += strspn(s, " ")) {
        size_t n = strcspn(s, " ");
        snprintf(one, sizeof one, "%.*s", (int)n, s);
        if (!condition_holds(one, m, &selector)) return false;
        s += n;
    }
    return true;
}

uint64_t machine_mechanisms(const struct machine *m)
{
    uint64_t on = 0;
    for (uint32_t i = 0; i < MECHANISM_GROUPS; i++)
        if (!mechanisms[i].on || machine_meets(m, mechanisms[i].on)) on |= UINT64_C(1) << i;
    return on;
}

struct part_pointers machine_part_pointers(const struct machine *m)
{
    return (struct part_pointers){MACHINE_PARTS(PART_POINTER_IN_M).mechanisms = machine_mechanisms(m)};
}

void param_ref_when_text(const struct param_ref *ref, const struct machine *m, struct text *out)
{
    char path[PATH_MAX_LENGTH];
    const char *wanted;
    struct param_ref row = *ref, selector = *ref;
    while (condition_holds(row.param->when, m, &selector))
        row = selector;
    bool equal = split_when(row.param->when, path, &wanted);
    text_add(out, "%s %s %s", path, equal ? "=" : "other than", *wanted ? wanted : "\"\"");
}

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

/* "path=value" or "path!=value" */
struct condition {
    struct param_ref selector;
    const char *value; /* inside the condition's text */
    bool equal;
};

/* All rows by number, each with its `when`, and by path, an open hash table.  Both are filled once:
 * every sweep point and every trial of another machine looks up hundreds of rows. */
enum { SLOTS = 2048, ROWS_MAX = SLOTS / 2 };
static struct {
    struct param_ref ref;
    struct condition when;
} by_id[ROWS_MAX];
static uint32_t rows;
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

/* condition: its first n characters; they name a row. */
static struct condition condition_of(const char *condition, size_t n)
{
    char path[PATH_MAX_LENGTH];
    const char *equals = memchr(condition, '=', n);
    assert(equals && equals > condition);
    bool negated = equals[-1] == '!';
    size_t length = (size_t)(equals - condition - negated);
    assert(length < PATH_MAX_LENGTH);
    memcpy(path, condition, length);
    path[length] = '\0';
    struct condition c = {.selector = *slot_of(path), .value = equals + 1, .equal = !negated};
    assert(c.selector.param && "a condition names a parameter");
    return c;
}

static void fill(void)
{
    assert(parts_count_params() <= ROWS_MAX && "look-ups end soon");
    for (uint32_t i = 0; i < machine_parts_n; i++)
        for (uint32_t k = 0; k < machine_parts[i]->n; k++) {
            const struct param *p = &machine_parts[i]->params[k];
            by_id[rows].ref = (struct param_ref){machine_parts[i], p, rows};
            *slot_of(p->full_path) = by_id[rows++].ref;
        }
    for (uint32_t id = 0; id < rows; id++) {
        const char *when = by_id[id].ref.param->when;
        if (when) by_id[id].when = condition_of(when, strlen(when));
    }
}

bool parts_ref_by_id(uint32_t id, struct param_ref *ref)
{
    if (pthread_once(&filled, fill) != 0 || id >= rows) return false;
    *ref = by_id[id].ref;
    return true;
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
    if (pthread_once(&filled, fill) != 0) return false;
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

static bool holds(const struct condition *c, const char *value, const struct machine *m)
{
    const void *from = param_ref_struct_const(&c->selector, m);
    return param_is(c->selector.param, from, value) == c->equal;
}

bool param_ref_is_active(const struct param_ref *ref, const struct machine *m,
                         struct param_ref *selector)
{
    for (const struct param_ref *row = ref; row->param->when; row = selector) {
        const struct condition *when = &by_id[row->id].when;
        *selector = when->selector;
        if (!holds(when, when->value, m)) return false;
    }
    return true;
}

bool machine_meets(const struct machine *m, const char *conditions)
{
    char value[PATH_MAX_LENGTH];
    if (pthread_once(&filled, fill) != 0) return false;
    for (const char *s = conditions; *s; s += strspn(s, " ")) {
        size_t n = strcspn(s, " ");
        struct condition c = condition_of(s, n);
        snprintf(value, sizeof value, "%.*s", (int)(s + n - c.value), c.value);
        if (!holds(&c, value, m)) return false;
        s += n;
    }
    return true;
}

struct mechanism_set machine_mechanisms(const struct machine *m)
{
    struct mechanism_set on;
    for (uint32_t i = 0; i < MECHANISM_N; i++)
        on.has[i] = !mechanisms[i].on || machine_meets(m, mechanisms[i].on);
    return on;
}

struct part_pointers machine_part_pointers(const struct machine *m)
{
    return (struct part_pointers){MACHINE_PARTS(PART_POINTER_IN_M).mechanisms =
                                      machine_mechanisms(m)};
}

void param_ref_when_text(const struct param_ref *ref, const struct machine *m, struct text *out)
{
    const struct condition *when = &by_id[ref->id].when;
    while (holds(when, when->value, m))
        when = &by_id[when->selector.id].when;
    text_add(out, "%s %s %s", when->selector.param->full_path, when->equal ? "=" : "other than",
             *when->value ? when->value : "\"\"");
}

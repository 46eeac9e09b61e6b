/* answer_schema.c - see answer_schema.h. */
#include "engine/answer_schema.h"

#include "base/text/json.h"
#include "gpu/metrics/metrics.h"

#include <assert.h>
#include <string.h>

/* answer_schema.json.in, followed by a NUL; cmake/Embed.cmake embeds it. */
extern const char answer_schema_template[], answer_schema_template_end[];

/* Shares that were published without an upper bound. */
static const char *const unbounded[] = {
    "register_file.far_share", "tlb.l1_hit_rate",  "tlb.l2_hit_rate",
    "tlb.walk_free",           "l2.frc_share",     "l3.hit_rate",
    "l2.prefetch_accuracy",    "dram.local_ratio",
};

/* What the table of metrics does not say: a text about a branch, and members that were published
 * and that no engine fills any more. */
static const struct by_hand {
    const char *branch, *about, *member;
} by_hand[] = {
    {"stall_roots",
     "\"description\": \"who would have to move for more instructions to issue; the parts sum to "
     "1\", ",
     NULL},
    {"stalls", "", "\"dram\": {\"type\": \"number\", \"minimum\": 0, \"description\": \"[1]\"}"},
};

/* The members of a JSON object, each on a line of its own. */
struct members {
    struct text *out;
    unsigned indent;
    bool any;
};

static void begin_member(struct members *m)
{
    text_add(m->out, "%s%*s", m->any ? ",\n" : "", (int)m->indent, "");
    m->any = true;
}

static void add_name(struct members *m, const char *name, size_t n)
{
    begin_member(m);
    text_add(m->out, "\"%.*s\": ", (int)n, name);
}

static void add_description(struct text *out, const char *key)
{
    struct text about = {0};
    struct json j;
    text_add(&about, "%s [%s]", metrics_meaning(key), metrics_unit(key));
    text_add(out, "\"description\": ");
    json_init(&j, out);
    json_string(&j, text_str(&about));
    text_add(out, ", ");
    text_fini(&about);
}

static bool has_upper_bound(const char *key)
{
    for (size_t i = 0; i < sizeof unbounded / sizeof *unbounded; i++)
        if (strcmp(unbounded[i], key) == 0) return false;
    return metrics_is_share(key);
}

static void add_metric(struct members *m, const char *key, const char *name)
{
    add_name(m, name, strlen(name));
    text_add(m->out, "{\"type\": \"number\", ");
    if (*metrics_meaning(key)) add_description(m->out, key);
    text_add(m->out, "\"minimum\": 0%s}", has_upper_bound(key) ? ", \"maximum\": 1" : "");
}

static const struct by_hand *find_by_hand(const char *branch, size_t n)
{
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++)
        if (strlen(by_hand[i].branch) == n && memcmp(by_hand[i].branch, branch, n) == 0)
            return &by_hand[i];
    return NULL;
}

/* The metrics from *i on whose keys share these n letters ("l2.reuse."); the table has them one
 * after the other. */
static void add_branch(struct members *m, uint32_t *i, size_t n)
{
    const char *key, *first = metrics_key(*i);
    while ((key = metrics_key(*i)) && strncmp(key, first, n) == 0) {
        const char *dot = strchr(key + n, '.');
        if (!dot) {
            add_metric(m, key, key + n);
            ++*i;
            continue;
        }
        const struct by_hand *extra = find_by_hand(key, (size_t)(dot - key));
        struct members inner = {.out = m->out, .indent = m->indent + 2};
        add_name(m, key + n, (size_t)(dot - key) - n);
        text_add(m->out, "{\"type\": \"object\", \"additionalProperties\": false, %s",
                 extra ? extra->about : "");
        text_add(m->out, "\"properties\": {\n");
        add_branch(&inner, i, (size_t)(dot + 1 - key));
        if (extra && extra->member) {
            begin_member(&inner);
            text_add(m->out, "%s", extra->member);
        }
        text_add(m->out, "\n%*s}}", (int)m->indent, "");
    }
}

static void add_metrics(struct members *m)
{
    uint32_t i = 0;
    add_branch(m, &i, 0);
}

/* Means and percentiles of histograms have no half width. */
static void add_half_widths(struct members *m)
{
    const char *key;
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        if (metrics_by_path(key) < 0) continue;
        add_name(m, key, strlen(key));
        text_add(m->out, "{\"type\": \"number\", \"minimum\": 0}");
    }
}

/* Members written by hand follow, hence the comma. */
static void add_references(struct members *m)
{
    const char *key, *last = "";
    for (uint32_t i = 0; (key = metrics_key(i)); i++) {
        size_t n = strcspn(key, ".");
        if (strcspn(last, ".") == n && strncmp(key, last, n) == 0) continue;
        add_name(m, key, n);
        text_add(m->out, "{\"$ref\": \"#/$defs/metrics/properties/%.*s\"}", (int)n, key);
        last = key;
    }
    text_add(m->out, ",");
}

static void add_made(struct text *out, const char *what, unsigned indent)
{
    static const struct {
        const char *name;
        void (*add)(struct members *);
    } made[] = {{"@metrics\n", add_metrics},
                {"@half_widths\n", add_half_widths},
                {"@references\n", add_references}};
    struct members m = {.out = out, .indent = indent};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (strncmp(what, made[i].name, strlen(made[i].name)) == 0) made[i].add(&m);
    assert(m.any && "a line that begins with @ is one of these");
    text_add(out, "\n");
}

void answer_schema(struct text *out)
{
    for (const char *line = answer_schema_template; line < answer_schema_template_end;) {
        size_t indent = strspn(line, " "), n = strcspn(line, "\n") + 1;
        if (line[indent] == '@')
            add_made(out, line + indent, (unsigned)indent);
        else
            text_add_bytes(out, line, n);
        line += n;
    }
}

/* mechanisms.c - see mechanisms.h. */
#include "gpu/mechanisms/mechanisms.h"

#include <string.h>

/* The next word of a list, from *at on; its length, 0: none is left. */
static size_t next_word(const char *list, const char **at)
{
    if (!*at) *at = list;
    *at += strspn(*at, " ");
    return strcspn(*at, " ");
}

bool mechanism_lists(const char *list, const char *name, size_t *fits)
{
    const char *word = NULL;
    *fits = 0;
    for (size_t n; list && (n = next_word(list, &word)); word += n) {
        bool begins = word[n - 1] == '.' || word[n - 1] == '_';
        bool same = strncmp(word, name, n) == 0 && (begins || name[n] == '\0');
        if (same && n > *fits) *fits = n;
    }
    return *fits > 0;
}

enum mechanism_id mechanism_of(const char *path)
{
    uint32_t found = MECHANISM_N;
    size_t longest = 0, n;
    for (uint32_t i = 0; i < MECHANISM_N; i++) {
        if (!mechanism_lists(mechanisms[i].params, path, &n) || n <= longest) continue;
        longest = n;
        found = i;
    }
    return (enum mechanism_id)found;
}

const char *mechanism_reason(const char *path)
{
    enum mechanism_id id = mechanism_of(path);
    const char *reason = id < MECHANISM_N ? mechanisms[id].estimator.lacks : NULL;
    return reason ? reason : "";
}

/* --- the page --- */

/* Writes a list as code, a beginning with a star. */
static void add_list(struct text *out, const char *list)
{
    const char *word = NULL, *gap = "";
    for (size_t n; list && (n = next_word(list, &word)); word += n, gap = " ") {
        bool begins = word[n - 1] == '.' || word[n - 1] == '_';
        text_add(out, "%s`%.*s%s`", gap, (int)n, word, begins ? "*" : "");
    }
}

static void add_effect(struct text *out, const struct mechanism_effect *e, const char *none)
{
    if (e->where) add_list(out, e->where);
    if (e->lacks) text_add(out, "%s%s", e->where ? "; not: " : none, e->lacks);
}

static void add_mechanism(struct text *out, const struct mechanism *m)
{
    text_add(out, "| %s | %s | ", m->name, m->what);
    add_list(out, m->params);
    text_add(out, " | ");
    add_effect(out, &m->functional, "none: ");
    text_add(out, " | ");
    add_effect(out, &m->estimator, "none: ");
    text_add(out, " | ");
    add_effect(out, &m->energy, "none: ");
    if (m->absent) text_add(out, "; absent: ");
    add_list(out, m->absent);
    text_add(out, " | ");
    add_list(out, m->metrics);
    text_add(out, " |\n");
}

void mechanisms_markdown(struct text *out)
{
    text_add(
        out,
        "# Mechanisms\n\n"
        "Made by `cmake --build DIR --target docs` from the table in "
        "`gpu/mechanisms/`; do not edit.\n\n"
        "Each mechanism of the machine, and what each engine models of it. The column "
        "\"functional\" names its effect\non the state from which intervals of `plumb sample` "
        "begin. The column "
        "\"estimate\" names its term, and what\nanswers list under `not_modelled`. A star stands "
        "for all names that begin with the text before it.\n\n"
        "| mechanism | what it does | parameters | functional | estimate | energy and area | "
        "metrics |\n|---|---|---|---|---|---|---|\n");
    for (uint32_t i = 0; i < MECHANISM_N; i++)
        if (!mechanisms[i].group) add_mechanism(out, &mechanisms[i]);
    text_add(out, "\n## Sizes and times\n\nThe other parameters.\n\n"
                  "| group | what | parameters |\n|---|---|---|\n");
    for (uint32_t i = 0; i < MECHANISM_N; i++) {
        if (!mechanisms[i].group) continue;
        text_add(out, "| %s | %s | ", mechanisms[i].name, mechanisms[i].what);
        add_list(out, mechanisms[i].params);
        text_add(out, " |\n");
    }
}

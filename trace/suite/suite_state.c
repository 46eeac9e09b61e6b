/* suite_state.c - which programs of a suite are available; see suite.h. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "base/text/text.h"
#include "trace/program/program.h"
#include "trace/suite/suite.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

char *suite_folder(void)
{
    const char *told = getenv("PLUMB_SUITES");
    if (told && *told) return mem_strdup(told);
    char *cache = file_cache_dir();
    char *folder = cache ? file_join(cache, "suites") : NULL;
    mem_free(cache);
    return folder;
}

char *suite_accepted_path(const struct suite_entry *t)
{
    struct text path = {0};
    text_add(&path, "%s.accepted", t->path);
    char *result = path.failed ? NULL : mem_strdup(path.s);
    text_fini(&path);
    return result;
}

static bool is_accepted(const struct suite_entry *t, struct digest found)
{
    struct digest accepted;
    struct error e;
    char *bytes = NULL;
    size_t n = 0;
    char *path = suite_accepted_path(t);
    bool ok = path && file_exists(path) && file_read(path, &bytes, &n, &e);
    if (ok) bytes[strcspn(bytes, "\n")] = '\0';
    ok = ok && digest_parse(&accepted, bytes) && digest_equal(accepted, found);
    mem_free(bytes);
    mem_free(path);
    return ok;
}

enum suite_state suite_state(const struct suite_entry *t, struct digest *found)
{
    struct error e;
    if (!file_exists(t->path)) return SUITE_MISSING;
    if (t->file && !*t->digest_hex && !found) return SUITE_READY;
    struct program *p = program_open(t->path, NULL, &e);
    if (!p) return t->file ? SUITE_READY : SUITE_MISSING; /* running the file reports why */
    struct digest d = program_digest(p);
    program_close(p);
    if (found) *found = d;
    bool same = !*t->digest_hex || digest_equal(d, t->digest) || is_accepted(t, d);
    return same ? SUITE_READY : SUITE_OTHER;
}

static bool check_present(const struct suite *s, struct error *e)
{
    uint32_t missing = 0, other = 0;
    const char *first = NULL;
    for (uint32_t i = 0; i < s->n; i++) {
        enum suite_state state = suite_state(&s->entry[i], NULL);
        missing += state == SUITE_MISSING;
        other += state == SUITE_OTHER;
        if (state != SUITE_READY && !first) first = s->entry[i].name;
    }
    if (!first) return true;
    struct text command = {0};
    quote_command(&command, "plumb trace suite %s", s->name);
    if (s->n == 1)
        error_input(e, "suite:%s: %s is %s; run: %s", s->name, first,
                    other ? "not what the suite records" : "not captured yet", text_str(&command));
    else
        error_input(e, "suite:%s: %u of %u programs %s (%s%s); run: %s", s->name, missing + other,
                    s->n,
                    other ? "are missing or not what the suite records" : "are not captured yet",
                    first, missing + other > 1 ? " and others" : "", text_str(&command));
    text_fini(&command);
    return false;
}

static bool refuse_program(const struct suite *s, const char *spec, const char *name,
                           struct error *e)
{
    struct text alike = {0}, command = {0};
    const char **names = mem_new(s->n + 1, sizeof *names);
    for (uint32_t i = 0; names && i < s->n; i++)
        names[i] = s->entry[i].name;
    bool any = names && text_alike(&alike, name, names, s->n);
    quote_command(&command, "plumb trace suite %s --list", s->name);
    error_input(e, "%s: suite %s has no such program; %s%s%s'%s' lists its programs", spec, s->name,
                any ? "the closest is " : "", text_str(&alike), any ? "; " : "",
                text_str(&command));
    text_fini(&alike);
    text_fini(&command);
    mem_free(names);
    return false;
}

/* Leaves out all programs but that one. */
static bool keep_one(struct suite *s, const char *spec, const char *name, struct error *e)
{
    uint32_t at = 0;
    while (at < s->n && strcmp(s->entry[at].name, name) != 0)
        at++;
    if (at == s->n) return refuse_program(s, spec, name, e);
    const struct suite_entry first = s->entry[0];
    s->entry[0] = s->entry[at];
    s->entry[at] = first;
    while (s->n > 1)
        mem_free(s->entry[--s->n].path);
    return true;
}

bool suite_read(struct suite *s, const char *spec, struct error *e)
{
    struct errors all = {0};
    struct text whole = {0}; /* the suite alone */
    const char *one = suite_is_program(spec) ? strchr(spec, '/') : NULL;
    text_add(&whole, "%.*s", one ? (int)(one - spec) : INT_MAX, spec);
    bool ok = !whole.failed && suite_load(s, text_str(&whole), &all);
    if (!ok && all.n > 0) *e = all.item[0];
    if (!ok && all.n == 0) error_no_memory(e);
    errors_fini(&all);
    bool read = ok && (!one || keep_one(s, spec, one + 1, e)) && check_present(s, e);
    if (ok && !read) suite_fini(s);
    if (read) s->name = strchr(spec, ':') + 1;
    text_fini(&whole);
    return read;
}

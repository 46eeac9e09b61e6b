/* suite_state.c - which programs of a suite are available; see suite.h. */
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "base/text/text.h"
#include "trace/program/program.h"
#include "trace/suite/suite.h"

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
    error_input(e, "suite:%s: %u of %u %s %s (%s%s); run: %s", s->name, missing + other, s->n,
                text_noun(s->n, "program", "programs"),
                other ? "are missing or not what the suite records" : "are not captured yet", first,
                missing + other > 1 ? " and others" : "", text_str(&command));
    text_fini(&command);
    return false;
}

bool suite_read(struct suite *s, const char *spec, struct error *e)
{
    struct errors all = {0};
    bool ok = suite_load(s, spec, &all);
    if (!ok && all.n > 0) *e = all.item[0];
    if (!ok && all.n == 0) error_no_memory(e);
    errors_fini(&all);
    if (!ok) return false;
    if (check_present(s, e)) return true;
    suite_fini(s);
    return false;
}

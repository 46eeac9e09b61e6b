/* options.c - the options of a run; see plumb.h. Each is read from text by the function that the
 * command line uses; a number in the struct is checked as if it had been written there. A number 0
 * stands for no option, in the struct and as a text. */
#include "libplumb/handles.h"

#include "base/text/allowed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { TEXT, WHOLE, COUNT, FRACTION, FLAG };

static const struct member {
    const char *name;
    enum kind kind;
    size_t at, end;
    uint64_t high; /* of whole numbers, from 1 */
} member[] = {
#define MEMBER(NAME, KIND, HIGH)                                                                   \
    {                                                                                              \
#NAME, KIND, offsetof(struct plumb_options, NAME),                                         \
            offsetof(struct plumb_options, NAME) + sizeof(((struct plumb_options *)0)->NAME), HIGH \
    }
    MEMBER(cal, TEXT, 0),
    MEMBER(kernel, TEXT, 0),
    MEMBER(max_instructions, WHOLE, RUN_INSTRUCTIONS_MAX),
    MEMBER(budget, WHOLE, RUN_INSTRUCTIONS_MAX),
    MEMBER(seed, WHOLE, RUN_SEED_MAX),
    MEMBER(error, FRACTION, 0),
    MEMBER(confidence, FRACTION, 0),
    MEMBER(threads, COUNT, RUN_THREADS_MAX),
    MEMBER(per_kernel, FLAG, 1),
    MEMBER(per_load, FLAG, 1),
    MEMBER(what_helps, FLAG, 1),
    MEMBER(exact_profile, FLAG, 1),
    MEMBER(no_cache, FLAG, 1),
    MEMBER(bank, TEXT, 0),
#undef MEMBER
};
enum { MEMBERS = sizeof member / sizeof *member };

/* --- from text --- */

static bool read_flag(const struct member *m, const char *value, int *v, struct error *e)
{
    bool on = strcmp(value, "1") == 0;
    if (!on && strcmp(value, "0") != 0)
        return error_input(e, "%s %s: allowed are 0 and 1", m->name, value);
    *v = on;
    return true;
}

/* Whether the text is a 0 of a member that is a number. */
static bool is_zero(const struct member *m, const char *value)
{
    struct error unused;
    uint64_t whole;
    char *end;
    if (m->kind == TEXT || m->kind == FLAG) return false;
    if (m->kind != FRACTION) return allowed_whole(m->name, value, 0, 0, &whole, &unused);
    errno = 0; /* the smallest numbers are read as 0, with ERANGE */
    return strtod(value, &end) == 0 && end != value && !*end && errno == 0;
}

static bool read_member(const struct member *m, const char *value, void *to, struct error *e)
{
    uint64_t whole;
    switch (m->kind) {
    case TEXT: *(const char **)to = value; return true;
    case FRACTION: return allowed_fraction(m->name, value, to, e);
    case FLAG: return read_flag(m, value, to, e);
    case WHOLE: return allowed_whole(m->name, value, 1, m->high, to, e);
    case COUNT:
        if (!allowed_whole(m->name, value, 1, m->high, &whole, e)) return false;
        *(unsigned *)to = (unsigned)whole;
        return true;
    }
    return false;
}

static const struct member *find_member(const char *name, struct error *e)
{
    const char *names[MEMBERS];
    for (int i = 0; i < MEMBERS; i++) {
        if (strcmp(member[i].name, name) == 0) return &member[i];
        names[i] = member[i].name;
    }
    const char *closest = text_closest(name, names, MEMBERS);
    error_input(e, "no option %s%s%s%s allowed are the members of struct plumb_options", name,
                closest ? ": did you mean " : "", closest ? closest : "", closest ? "?" : ";");
    return NULL;
}

static bool size_fits(const struct plumb_options *o, struct error *e)
{
    if (o->size >= offsetof(struct plumb_options, kernel) && o->size <= sizeof *o) return true;
    return error_input(e, "plumb_options.size is %zu; set it to sizeof(struct plumb_options)",
                       o->size);
}

static bool set_option(struct plumb_options *o, const char *name, const char *value,
                       struct error *e)
{
    if (!o || !name || !value)
        return error_input(e, "%s is NULL", !o ? "the struct" : !name ? "the name" : "the value");
    const struct member *m = size_fits(o, e) ? find_member(name, e) : NULL;
    if (!m) return false;
    if (m->end > o->size)
        return error_input(e, "plumb_options.size is %zu, without the member %s", o->size, name);
    char *to = (char *)o + m->at;
    if (!is_zero(m, value)) return read_member(m, value, to, e);
    memset(to, 0, m->end - m->at);
    return true;
}

int plumb_options_set(struct plumb_options *options, const char *name, const char *value)
{
    PLAIN_LOCALE;
    struct error e;
    last_error_clear();
    if (set_option(options, name, value, &e)) return 1;
    last_error_set(&e);
    return 0;
}

/* --- as they stand --- */

/* Writes a number as a user would; false: it is 0, which stands for no option. */
static bool write_member(const struct member *m, const void *at, char *out, size_t n)
{
    switch (m->kind) {
    case TEXT:
    case FLAG: return false;
    case FRACTION: snprintf(out, n, "%.17g", *(const double *)at); return *(const double *)at != 0;
    case WHOLE:
        snprintf(out, n, "%llu", *(const unsigned long long *)at);
        return *(const uint64_t *)at != 0;
    case COUNT: snprintf(out, n, "%u", *(const unsigned *)at); return *(const unsigned *)at != 0;
    }
    return false;
}

static bool check_members(const struct plumb_options *o, struct error *e)
{
    for (int i = 0; i < MEMBERS; i++) {
        char text[32];
        uint64_t unused[1];
        const struct member *m = &member[i];
        if (write_member(m, (const char *)o + m->at, text, sizeof text) &&
            !read_member(m, text, unused, e))
            return false;
    }
    return true;
}

/* A caller of an older version knows only the first members. */
static bool known_options(const struct plumb_options *given, struct plumb_options *o,
                          struct error *e)
{
    *o = (struct plumb_options){0};
    if (!given) return true;
    if (!size_fits(given, e)) return false;
    memcpy(o, given, given->size);
    return check_members(o, e);
}

bool libplumb_options(const struct plumb_options *given, struct run_opts *r, const char **cal,
                      const char **bank, struct error *e)
{
    struct plumb_options o;
    if (!known_options(given, &o, e)) return false;
    run_opts_default(r);
    *cal = o.cal;
    *bank = o.bank;
    r->kernel_name = o.kernel;
    r->max_instructions = o.max_instructions;
    r->budget = o.budget;
    r->threads = o.threads;
    r->per_kernel = o.per_kernel != 0;
    r->sites = o.per_load != 0;
    r->causes = o.what_helps != 0;
    r->exact_profile = o.exact_profile != 0;
    r->no_cache = o.no_cache != 0;
    if (o.seed) r->seed = o.seed;
    if (o.error > 0) r->error = o.error;
    if (o.confidence > 0) r->confidence = o.confidence;
    return true;
}

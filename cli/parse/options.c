/* options.c - the readers of options that several commands share; see args.h. */
#include "base/io/file.h"
#include "base/text/allowed.h"
#include "base/text/quote.h"
#include "cli/command/cli.h"
#include "cli/parse/args.h"
#include "cli/parse/file_kinds.h"
#include "cli/parse/mistakes.h"

#include <stdio.h>
#include <string.h>

enum { OPTION_NAME_MAX = 64 };

static void *member_of(struct args *a, const struct cli_option *o)
{
    return (char *)a + o->at;
}

bool option_flag(struct args *a, const struct cli_option *o, const char *value)
{
    (void)value;
    *(bool *)member_of(a, o) = true;
    return true;
}

bool option_text(struct args *a, const struct cli_option *o, const char *value)
{
    *(const char **)member_of(a, o) = value;
    return true;
}

bool option_file(struct args *a, const struct cli_option *o, const char *value)
{
    const char *what = o->completes == COMPLETES_FOLDER ? "folder" : "file";
    if (*value) return option_text(a, o, value);
    if (o->letter)
        cli_usage(a->command, "-%c needs the name of a %s", o->letter, what);
    else
        cli_usage(a->command, "--%s needs the name of a %s", o->name, what);
    return false;
}

/* The option as the user typed it. */
static const char *dashed(const struct cli_option *o, char out[OPTION_NAME_MAX])
{
    snprintf(out, OPTION_NAME_MAX, "--%s", o->name);
    return out;
}

static bool tell(const struct args *a, const struct error *e)
{
    cli_usage(a->command, "%s", e->text);
    return false;
}

static bool read_whole(const struct args *a, const struct cli_option *o, const char *value,
                       uint64_t *v)
{
    char name[OPTION_NAME_MAX];
    struct error e;
    return allowed_whole(dashed(o, name), value, o->low, o->high, v, &e) || tell(a, &e);
}

bool option_whole(struct args *a, const struct cli_option *o, const char *value)
{
    return read_whole(a, o, value, member_of(a, o));
}

bool option_count(struct args *a, const struct cli_option *o, const char *value)
{
    uint64_t v;
    if (!read_whole(a, o, value, &v)) return false;
    *(uint32_t *)member_of(a, o) = (uint32_t)v;
    return true;
}

bool option_fraction(struct args *a, const struct cli_option *o, const char *value)
{
    char name[OPTION_NAME_MAX];
    struct error e;
    return allowed_fraction(dashed(o, name), value, member_of(a, o), &e) || tell(a, &e);
}

static bool add_override(struct args *a, const struct cli_option *o, const char *value,
                         const char **list, uint32_t *n)
{
    const char *equals = strchr(value, '=');
    if (!equals || equals == value) {
        cli_usage(a->command, "--%s %s: expected PATH=VALUE such as l2.bank_kb=512%s", o->name,
                  value, o->read == option_vs ? "; another machine goes after --with" : "");
        return false;
    }
    list[(*n)++] = value;
    return true;
}

bool option_set(struct args *a, const struct cli_option *o, const char *value)
{
    return add_override(a, o, value, a->set, &a->n_sets);
}

/* Blanks separate the parameters of a program (program_spec.h). */
bool option_p(struct args *a, const struct cli_option *o, const char *value)
{
    size_t name = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (name == 0 || value[name] != '=' || !value[name + 1] || strchr(value, ' ')) {
        struct text what = {0};
        if (strchr(value, '.') && strchr(value, '='))
            quote_command(&what, "a machine's parameters go after --set: --set %s", value);
        else
            text_add(&what, "expected NAME=VALUE such as M=4096, without blanks");
        cli_usage(a->command, "--%s %s: %s", o->name, value, text_str(&what));
        text_fini(&what);
        return false;
    }
    a->p[a->n_p++] = value;
    return true;
}

bool option_vs(struct args *a, const struct cli_option *o, const char *value)
{
    return add_override(a, o, value, a->vs, &a->n_vs);
}

bool option_with(struct args *a, const struct cli_option *o, const char *value)
{
    if (strchr(value, '=') && !strchr(value, '/') && !file_exists(value)) {
        struct text offer = {0};
        quote_command(&offer, "--vs %s", value);
        cli_usage(a->command, "--%s %s: a setting goes after --vs: %s", o->name, value,
                  text_str(&offer));
        text_fini(&offer);
        return false;
    }
    a->with[a->n_with++] = value;
    return file_kinds_is_machine(a->command, value);
}

/* Reads N, N-M or a kernel's name. */
bool option_kernel(struct args *a, const struct cli_option *o, const char *value)
{
    uint64_t first = 0, last = 0;
    char start[24];
    const char *dash = strchr(value, '-');
    (void)o;
    if (a->opts.kernel_name || a->opts.launches) {
        cli_usage(a->command, "--kernel is given twice; one name or one range N-M is allowed");
        return false;
    }
    if (value[0] < '0' || value[0] > '9') {
        a->opts.kernel_name = value;
        return true;
    }
    snprintf(start, sizeof start, "%.*s", dash ? (int)(dash - value) : 23, value);
    bool ok = allowed_whole("", start, 0, UINT32_MAX - 1, &first, NULL) &&
              allowed_whole("", dash ? dash + 1 : start, first, UINT32_MAX - 1, &last, NULL);
    if (!ok) {
        cli_usage(a->command, "--kernel %s: expected a name, a launch N or a range N-M", value);
        return false;
    }
    a->opts.launch0 = (uint32_t)first;
    a->opts.launches = (uint32_t)(last - first + 1);
    return true;
}

static bool add_engine(struct args *a, const char *name, size_t len)
{
    for (int e = 0; e < ENGINE_N; e++) {
        if (strlen(engine_name[e]) != len || strncmp(engine_name[e], name, len) != 0) continue;
        for (uint32_t i = 0; i < a->n_engines; i++)
            if (a->engine[i] == (enum engine)e) return true;
        a->engine[a->n_engines++] = (enum engine)e;
        return true;
    }
    return false;
}

/* Reads one name, or several separated by commas. */
bool option_engines(struct args *a, const struct cli_option *o, const char *value)
{
    for (const char *name = value; name;) {
        size_t len = strcspn(name, ",");
        if (!add_engine(a, name, len)) {
            mistakes_word_in(a->command, o, name, len);
            return false;
        }
        name = name[len] ? name + len + 1 : NULL;
    }
    return true;
}

/* Reads "2/8": the second of eight. */
bool option_shard(struct args *a, const struct cli_option *o, const char *value)
{
    uint64_t shard = 0, shards = 0;
    char part[16];
    const char *slash = strchr(value, '/');
    bool ok = slash && (size_t)(slash - value) < sizeof part;
    if (ok) snprintf(part, sizeof part, "%.*s", (int)(slash - value), value);
    ok = ok && allowed_whole("", slash + 1, 1, o->high, &shards, NULL) &&
         allowed_whole("", part, 1, shards, &shard, NULL);
    if (!ok)
        cli_usage(a->command, "--shard %s: expected I/N, such as 2/8, with 1 <= I <= N <= %d",
                  value, (int)o->high);
    a->shard = (uint32_t)shard;
    a->shards = (uint32_t)shards;
    return ok;
}

bool option_format(struct args *a, const struct cli_option *o, const char *value)
{
    (void)value;
    enum format wanted = strcmp(o->name, "json") == 0 ? FORMAT_JSON : FORMAT_CSV;
    if (a->format != FORMAT_TABLE && a->format != wanted) {
        cli_usage(a->command, "takes one of --json and --csv");
        return false;
    }
    a->format = wanted;
    return true;
}

bool option_verbosity(struct args *a, const struct cli_option *o, const char *value)
{
    (void)value;
    a->verbosity = strcmp(o->name, "quiet") == 0 ? -1 : 1;
    return true;
}

/* suite.c - reads suite files; see suite.h. */
#include "trace/suite/suite.h"

#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "base/text/conf.h"
#include "base/text/text.h"
#include "trace/program/catalog.h"

#include <ctype.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define PREFIX "suite:"

struct reading {
    struct suite *s;
    struct errors *all;
    char *folder; /* of captures; NULL: none */
};

/* The keys of a group, and their fields in struct suite_entry. */
static const struct key {
    const char *name;
    enum conf_type type;
    size_t at;
} keys[] = {
    {"name", CONF_TEXT, offsetof(struct suite_entry, name)},
    {"file", CONF_TEXT, offsetof(struct suite_entry, file)},
    {"capture", CONF_TEXT, offsetof(struct suite_entry, capture)},
    {"options", CONF_TEXT, offsetof(struct suite_entry, options)},
    {"class", CONF_TEXT, offsetof(struct suite_entry, class)},
    {"why", CONF_TEXT, offsetof(struct suite_entry, why)},
    {"digest", CONF_TEXT, offsetof(struct suite_entry, digest_hex)},
    {"instructions", CONF_INT, offsetof(struct suite_entry, instructions)},
    {"footprint_kb", CONF_INT, offsetof(struct suite_entry, footprint_kb)},
};
enum { N_KEYS = sizeof keys / sizeof *keys };

static const char *const classes[] = {
    "streaming",   "cache-sensitive", "compute-bound", "irregular",
    "write-heavy", "synchronising",   "multi-kernel",  NULL};
static const char *const capture_options[] = {
    "--width", "--kernel", "--launches", "--ctas", "--registers", "--resident-warps", NULL};

bool suite_is(const char *spec)
{
    return strncmp(spec, PREFIX, strlen(PREFIX)) == 0;
}

bool suite_is_program(const char *spec)
{
    return suite_is(spec) && strchr(spec, '/');
}

/* --- small helpers --- */

static bool note_fault(struct reading *r, const struct conf_node *n, const char *fmt, ...)
    PLUMB_PRINTF(3, 4);
static bool note_fault(struct reading *r, const struct conf_node *n, const char *fmt, ...)
{
    char why[768];
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    errors_add(r->all, "%s:%u: %s", conf_file(n), conf_line(n), why);
    return false;
}

static bool is_among(const char *word, size_t length, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == length && memcmp(*list, word, length) == 0) return true;
    return false;
}

static bool is_name(const char *s)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
    return *s && s[strspn(s, allowed)] == '\0' && *s != '-';
}

/* Names are asked for in any case. */
static bool may_be_name(const char *s)
{
    char folded[256];
    size_t n = strlen(s);
    if (n >= sizeof folded) return false;
    for (size_t i = 0; i <= n; i++)
        folded[i] = (char)tolower((unsigned char)s[i]);
    return is_name(folded);
}

static bool unknown_key(struct reading *r, const struct conf_node *n, const char *const *names,
                        size_t count)
{
    struct text list = {0};
    for (size_t i = 0; i < count; i++)
        text_add(&list, "%s%s", i ? ", " : "", names[i]);
    const char *closest = text_closest(conf_name(n), names, count);
    note_fault(r, n, "unknown setting %s; allowed are %s%s%s%s", conf_name(n), text_str(&list),
               closest ? " (did you mean " : "", closest ? closest : "", closest ? "?)" : "");
    text_fini(&list);
    return false;
}

/* --- paths of programs --- */

static char *find_file(const char *relative)
{
    char *path = paths_config(relative);
    if (path) return path;
    char *cache = file_cache_dir();
    path = cache ? file_join(cache, relative) : NULL;
    mem_free(cache);
    if (path && file_exists(path)) return path;
    mem_free(path);
    return NULL;
}

static char *capture_path(const char *folder, const struct suite_entry *t)
{
    struct text key = {0}, path = {0};
    char hex[33];
    text_add(&key, "%u\n%s\n%s\n%s\n", (unsigned)SUITE_CAPTURE_VERSION, t->name, t->capture,
             t->options);
    digest_hex(digest_text(text_str(&key)), hex);
    text_add(&path, "%s/%s/%s.plt", folder, hex, t->name);
    char *result = key.failed || path.failed ? NULL : mem_strdup(path.s);
    text_fini(&key);
    text_fini(&path);
    return result;
}

static bool place_file(struct reading *r, struct suite_entry *t, const struct conf_node *n)
{
    t->path = find_file(t->file);
    return t->path || note_fault(r, n,
                                 "there is no program %s, neither in the configuration directories "
                                 "nor in the cache",
                                 t->file);
}

/* Sets the path of a capture. Without a folder for captures it has none: the suite can still be
 * listed, and capturing reports the error. */
static bool place_capture(struct reading *r, struct suite_entry *t, const struct conf_node *n)
{
    t->path = r->folder ? capture_path(r->folder, t) : mem_strdup("");
    return t->path || note_fault(r, n, "out of memory");
}

/* --- one program --- */

static bool take_key(struct reading *r, struct suite_entry *t, const struct conf_node *n)
{
    const char *names[N_KEYS];
    for (unsigned i = 0; i < N_KEYS; i++) {
        names[i] = keys[i].name;
        if (strcmp(conf_name(n), keys[i].name) != 0) continue;
        void *at = (char *)t + keys[i].at;
        if (keys[i].type == CONF_INT) {
            int64_t v;
            if (!conf_int(n, &v) || v < 1)
                return note_fault(r, n, "%s: allowed is a whole number from 1 on", keys[i].name);
            memcpy(at, &v, sizeof v);
            return true;
        }
        const char *text = conf_text(n);
        if (!text || !*text)
            return note_fault(r, n, "%s: allowed is a text in quotes, not empty", keys[i].name);
        memcpy(at, &text, sizeof text);
        return true;
    }
    return unknown_key(r, n, names, N_KEYS);
}

static bool check_options(struct reading *r, const struct suite_entry *t, const struct conf_node *n)
{
    for (const char *s = t->options; *(s += strspn(s, " "));) {
        size_t length = strcspn(s, " ");
        if (*s == '-' && !is_among(s, length, capture_options))
            return note_fault(
                r, n,
                "options: %.*s; allowed are --width, --kernel, --launches, --ctas, --registers and "
                "--resident-warps, each with its value behind a blank",
                (int)length, s);
        s += length;
    }
    return true;
}

static bool check_program(struct reading *r, const struct suite_entry *t, const struct conf_node *n)
{
    char program[64];
    if (!t->file == !t->capture)
        return note_fault(r, n,
                          "a program has either file = \"PATH\" or capture = \"NAME ARGUMENT...\"");
    if (t->file) return !*t->options || note_fault(r, n, "options: only for a capture");
    snprintf(program, sizeof program, "%.*s", (int)strcspn(t->capture, " "), t->capture);
    return is_name(program) ||
           note_fault(r, n, "capture: \"%s\"; allowed is a program of workloads/ and its arguments",
                      t->capture);
}

static bool check_entry(struct reading *r, struct suite_entry *t, const struct conf_node *n)
{
    bool ok = check_program(r, t, n) && check_options(r, t, n);
    if (!t->name) return note_fault(r, n, "a program in braces needs a name");
    if (!is_name(t->name))
        ok = note_fault(r, n, "name: \"%s\"; allowed are small letters, digits, _ and -", t->name);
    if (*t->class && !is_among(t->class, strlen(t->class), classes))
        ok = note_fault(r, n,
                        "class: \"%s\"; allowed are streaming, cache-sensitive, compute-bound, "
                        "irregular, write-heavy, synchronising and multi-kernel",
                        t->class);
    if (*t->digest_hex && !digest_parse(&t->digest, t->digest_hex))
        ok = note_fault(r, n, "digest: \"%s\"; allowed are 32 hexadecimal digits", t->digest_hex);
    return ok;
}

static bool is_new_name(struct reading *r, const struct suite_entry *t, const struct conf_node *n)
{
    for (uint32_t i = 0; i < r->s->n; i++)
        if (strcmp(r->s->entry[i].name, t->name) == 0)
            return note_fault(r, n, "%s stands in this suite already (line %u)", t->name,
                              r->s->entry[i].line);
    return true;
}

static bool read_entry(struct reading *r, struct suite_entry *t, const struct conf_node *n)
{
    bool ok = true;
    *t = (struct suite_entry){
        .options = "", .class = "", .why = "", .digest_hex = "", .line = conf_line(n)};
    t->file = conf_text(n);
    if (t->file) {
        const char *slash = strrchr(t->file, '/');
        t->name = slash ? slash + 1 : t->file;
        return is_new_name(r, t, n) && place_file(r, t, n);
    }
    if (conf_type(n) != CONF_GROUP)
        return note_fault(
            r, n,
            "a program of a suite is a text such as \"workloads/stream.cfg\", or a group "
            "such as { name = \"fwt\"; capture = \"fwt 262144\"; }");
    for (uint32_t i = 0; i < conf_count(n); i++)
        ok &= take_key(r, t, conf_child(n, i));
    if (!ok || !check_entry(r, t, n) || !is_new_name(r, t, n)) return false;
    return t->file ? place_file(r, t, n) : place_capture(r, t, n);
}

/* --- the file --- */

static void read_programs(struct reading *r, const struct conf_node *list)
{
    struct suite *s = r->s;
    if (conf_type(list) != CONF_LIST || conf_count(list) == 0) {
        note_fault(r, list, "programs: allowed is a list, ( \"...\", { ... } ), of at least one");
        return;
    }
    s->entry = mem_new(conf_count(list), sizeof *s->entry);
    if (!s->entry) {
        note_fault(r, list, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < conf_count(list); i++)
        s->n += read_entry(r, &s->entry[s->n], conf_child(list, i));
}

static void read_root(struct reading *r, const struct conf_node *root)
{
    static const char *const names[] = {"programs", "description", "machine"};
    for (uint32_t i = 0; i < conf_count(root); i++) {
        const struct conf_node *n = conf_child(root, i);
        const char **text = strcmp(conf_name(n), names[1]) == 0   ? &r->s->description
                            : strcmp(conf_name(n), names[2]) == 0 ? &r->s->machine
                                                                  : NULL;
        if (text) {
            *text = conf_text(n);
            if (!*text) note_fault(r, n, "%s: allowed is a text in quotes", conf_name(n));
        } else if (strcmp(conf_name(n), names[0]) == 0) {
            read_programs(r, n);
        } else {
            unknown_key(r, n, names, sizeof names / sizeof *names);
        }
    }
    if (!conf_find(root, names[0]))
        errors_add(r->all, "%s:1: a suite needs programs = ( \"...\", { ... } );", r->s->config);
}

static char *find_suite(const char *name)
{
    struct text relative = {0};
    text_add(&relative, "workloads/suites/%s.cfg", name);
    char *path = relative.failed || !may_be_name(name) ? NULL : paths_config(relative.s);
    text_fini(&relative);
    return path;
}

/* s->conf is there, or *e says why not. */
static bool read_suite(struct suite *s, const struct error *e, struct errors *all)
{
    struct reading r = {.s = s, .all = all, .folder = suite_folder()};
    uint32_t before = all->n;
    if (!s->conf)
        errors_add_error(all, e);
    else
        read_root(&r, conf_root(s->conf));
    mem_free(r.folder);
    if (all->n == before && !all->overflow) return true;
    suite_fini(s);
    return false;
}

static void refuse_unknown(const char *spec, const char *name, struct error *e)
{
    struct text alike = {0};
    bool any = catalog_alike_suite(&alike, name);
    error_input(e,
                "%s: there is no workloads/suites/%s.cfg in the configuration directories%s%s%s "
                "'plumb trace suite' lists the suites",
                spec, name, any ? ": did you mean suite:" : "", text_str(&alike), any ? "?" : ";");
    text_fini(&alike);
}

bool suite_load(struct suite *s, const char *spec, struct errors *all)
{
    struct error e = {0};
    *s = (struct suite){.description = "", .machine = ""};
    s->name = suite_is(spec) ? spec + strlen(PREFIX) : spec;
    s->config = find_suite(s->name);
    if (s->config)
        s->conf = conf_load(s->config, NULL, &e);
    else
        refuse_unknown(spec, s->name, &e);
    return read_suite(s, &e, all);
}

bool suite_parse(struct suite *s, const char *text, const char *name, struct errors *all)
{
    struct error e = {0};
    *s = (struct suite){.name = name, .description = "", .machine = ""};
    s->config = mem_strdup(name);
    if (s->config)
        s->conf = conf_parse(text, name, &e);
    else
        error_no_memory(&e);
    return read_suite(s, &e, all);
}

void suite_fini(struct suite *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        mem_free(s->entry[i].path);
    mem_free(s->entry);
    mem_free(s->config);
    conf_free(s->conf);
    *s = (struct suite){0};
}

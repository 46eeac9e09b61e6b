/* file_kinds.c - see file_kinds.h. */
#include "cli/parse/file_kinds.h"

#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "base/text/conf.h"
#include "base/text/quote.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "gpu/machine/machine.h"
#include "trace/program/catalog.h"
#include "trace/program/program_spec.h"
#include "trace/suite/suite.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum file_kind { UNKNOWN, MACHINE, PROGRAM, SUITE, SWEEP, DATABASE, CALIBRATION, TIMINGS, KINDS };

static const struct {
    const char *name;
    const char *place; /* the argument that takes it */
} kinds[KINDS] = {
    [MACHINE] = {"a machine", "machines come first, and 'plumb compare MACHINE PROGRAM --with "
                              "MACHINE' puts two beside each other"},
    [PROGRAM] = {"a program", "programs follow the machine in 'plumb estimate MACHINE PROGRAM'"},
    [SUITE] = {"a suite", "suite:NAME stands for its programs, suite:NAME/PROGRAM for one of them"},
    [SWEEP] = {"a sweep", "'plumb sweep run' takes it"},
    [DATABASE] = {"a sweep's database", "'plumb report' takes it"},
    [CALIBRATION] = {"a calibration", "--cal takes it"},
    [TIMINGS] = {"a DRAM timing set", "'plumb dram' takes it, and dram.set of a machine"},
};

/* --- files --- */

static bool ends_in(const char *s, const char *ending)
{
    size_t n = strlen(s), m = strlen(ending);
    return n >= m && strcmp(s + n - m, ending) == 0;
}

/* The first known key at the top level of a configuration determines its kind. */
static enum file_kind kind_of_conf(const struct conf_node *root)
{
    static const struct {
        const char *key;
        enum file_kind kind;
    } keys[] = {{"plumb_calibration", CALIBRATION},
                {"generator", PROGRAM},
                {"layer", PROGRAM},
                {"programs", SUITE},
                {"workloads", SWEEP},
                {"axes", SWEEP},
                {"base", MACHINE},
                {"sm", MACHINE},
                {"l1", MACHINE},
                {"l2", MACHINE},
                {"clock", MACHINE},
                {"burst_length", TIMINGS}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (conf_find(root, keys[i].key)) return keys[i].kind;
    return UNKNOWN;
}

static enum file_kind kind_of_cfg(const char *path)
{
    char **dirs = paths_config_dirs();
    struct conf *c = conf_load(path, (const char *const *)dirs, &(struct error){0});
    enum file_kind k = c ? kind_of_conf(conf_root(c)) : UNKNOWN;
    if (c) conf_free(c);
    paths_config_dirs_free(dirs);
    return k;
}

static bool is_database(const char *path)
{
    static const char magic[] = "SQLite format 3";
    char head[sizeof magic] = "";
    int fd = file_open_to_read(path, FILE_REGULAR, &(struct error){0});
    bool is = fd >= 0 && read(fd, head, sizeof head) == sizeof head &&
              memcmp(head, magic, sizeof head) == 0;
    if (fd >= 0) close(fd);
    return is;
}

static enum file_kind kind_of_file(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) return UNKNOWN;
    if (S_ISDIR(st.st_mode)) {
        char *list = file_join(path, "kernelslist.g");
        bool traces = list && file_may_exist(list);
        mem_free(list);
        return traces ? PROGRAM : UNKNOWN;
    }
    if (!S_ISREG(st.st_mode)) return UNKNOWN;
    if (ends_in(path, ".plt")) return PROGRAM;
    if (ends_in(path, ".cfg") || ends_in(path, ".cal")) return kind_of_cfg(path);
    return is_database(path) ? DATABASE : UNKNOWN;
}

/* --- words --- */

static bool is_preset(const char *word)
{
    char relative[256];
    if (strchr(word, '/') || ends_in(word, ".cfg")) return false;
    snprintf(relative, sizeof relative, "gpus/%s.cfg", word);
    char *path = paths_config(relative);
    mem_free(path);
    return path != NULL;
}

static bool is_catalogued(const char *word)
{
    char *path = catalog_find(word);
    mem_free(path);
    return path != NULL;
}

/* A name, without parameters behind it, may be that of several kinds of file; the wanted one wins.
 */
static enum file_kind kind_of_name(const char *word, enum file_kind wanted)
{
    bool preset = wanted != PROGRAM && is_preset(word);
    if (wanted == MACHINE && preset) return MACHINE;
    bool program = suite_is(word) || is_catalogued(word);
    if (wanted == PROGRAM && program) return PROGRAM;
    if (wanted == PROGRAM) preset = is_preset(word);
    char *found = file_may_exist(word) ? NULL : paths_config(word);
    enum file_kind k = kind_of_file(found ? found : word);
    mem_free(found);
    if (k != UNKNOWN) return k;
    return preset ? MACHINE : program ? PROGRAM : UNKNOWN;
}

static enum file_kind kind_of(const char *word, enum file_kind wanted)
{
    char *name = program_spec_name(word);
    enum file_kind k = name ? kind_of_name(name, wanted) : UNKNOWN;
    mem_free(name);
    return k;
}

static enum file_kind wanted_first(const struct cli_command *c, const struct args *a)
{
    switch (c->first) {
    case COMPLETES_MACHINE: return MACHINE;
    case COMPLETES_MACHINE_OR_SWEEP: return a->renew ? PROGRAM : a->n_words == 1 ? SWEEP : MACHINE;
    case COMPLETES_PROGRAM: return PROGRAM;
    case COMPLETES_SWEEP: return SWEEP;
    case COMPLETES_DATABASE: return DATABASE;
    case COMPLETES_NOTHING:
    case COMPLETES_FILE:
    case COMPLETES_FOLDER:
    case COMPLETES_PARAMETER:
    case COMPLETES_ENERGY: break;
    }
    return UNKNOWN;
}

static const char *argument_name(enum file_kind k)
{
    static const char *const names[KINDS] = {
        [MACHINE] = "MACHINE", [PROGRAM] = "PROGRAM", [SWEEP] = "SWEEP", [DATABASE] = "RESULTS.db"};
    return names[k];
}

/* The name without folder and ending. */
static void bare_name(const char *word, char *out, size_t size)
{
    const char *slash = strrchr(word, '/');
    snprintf(out, size, "%s", slash ? slash + 1 : word);
    char *dot = strrchr(out, '.');
    if (dot && strcmp(dot, ".cfg") == 0) *dot = '\0';
}

/* Adds the similar names in that folder of the configuration directories. */
static bool add_alike(struct text *t, const char *folder, const char *word)
{
    char name[256];
    uint32_t n = 0;
    char **names = machine_config_names(folder, &(struct error){0});
    while (names && names[n])
        n++;
    bare_name(word, name, sizeof name);
    bool any = n && text_alike(t, name, (const char *const *)names, n);
    machine_config_dirs_free(names);
    return any;
}

/* Adds the paths of installed sweeps of that name or similar ones. */
static bool add_alike_sweeps(struct text *t, const char *word)
{
    struct text names = {0}, relative = {0};
    bool any = add_alike(&names, "sweeps", word);
    text_add(&relative, "sweeps/%s.cfg", text_str(&names));
    char *path = any && !relative.failed ? paths_config(text_str(&relative)) : NULL;
    text_add_shown(t, "%s",
                   path ? path : text_str(&names)); /* there is no path of "one or another" */
    mem_free(path);
    text_fini(&names);
    text_fini(&relative);
    return any;
}

/* If a machine or sweep was written as a path that does not exist, suggests an installed one. */
static bool told_absent(const char *command, const char *word, enum file_kind wanted)
{
    bool path = strchr(word, '/') || ends_in(word, ".cfg");
    bool read = wanted == SWEEP || (wanted == MACHINE && path);
    if (!read || file_may_exist(word) || ends_in(word, ".sql")) return false;
    struct text alike = {0};
    if (wanted == SWEEP ? add_alike_sweeps(&alike, word) : add_alike(&alike, "gpus", word))
        cli_usage(command, "%s: no such file: did you mean %s?", word, text_str(&alike));
    else
        cli_usage(command, "%s: no such file; %s is expected here", word, argument_name(wanted));
    text_fini(&alike);
    return true;
}

static bool is_machine_at(const struct args *a, uint32_t i)
{
    return kind_of(a->word[i], i == 0 ? MACHINE : PROGRAM) == MACHINE;
}

static void add_words(struct text *t, const struct args *a, bool machines, uint32_t from)
{
    for (uint32_t i = from; i < a->n_words; i++)
        if (is_machine_at(a, i) == machines)
            quote_command(t, machines ? " --with %s" : " %s", a->word[i]);
}

/* Machines and programs in an order that the command does not take; a further machine stands behind
 * --with of compare. */
static bool told_disordered(const struct cli_command *c, const struct args *a)
{
    uint32_t first = 0, machines = 0;
    bool compares = c == &command_compare;
    if (c->first != COMPLETES_MACHINE || c->others != COMPLETES_PROGRAM || !a->n_words)
        return false;
    for (uint32_t i = a->n_words; i-- > 0;)
        if (is_machine_at(a, i)) first = i, machines++;
    if (!machines || (first == 0 && !(compares && machines > 1))) return false;
    if (first > 0 && kind_of(a->word[0], MACHINE) != PROGRAM) return false;
    struct text right = {0};
    const char *also = machines > 1 ? "compare" : c->name;
    quote_command(&right, "plumb %s %s", also, a->word[first]);
    if (machines < a->n_words)
        add_words(&right, a, false, 0);
    else
        text_add(&right, " PROGRAM");
    add_words(&right, a, true, first + 1);
    if (first > 0)
        cli_usage(c->name, "%s is a program and %s a machine; the machine comes first: %s",
                  a->word[0], a->word[first], text_str(&right));
    else
        cli_usage(c->name, "further machines go after --with: %s", text_str(&right));
    text_fini(&right);
    return true;
}

/* false: an error was printed. */
static bool is_wanted(const char *command, const char *word, enum file_kind wanted)
{
    enum file_kind is = wanted == UNKNOWN ? UNKNOWN : kind_of(word, wanted);
    if (is == wanted) return true;
    if (is == UNKNOWN) return !told_absent(command, word, wanted);
    cli_usage(command, "%s is %s; %s is needed here; %s", word, kinds[is].name,
              argument_name(wanted), kinds[is].place);
    return false;
}

bool file_kinds_is_machine(const char *command, const char *word)
{
    return is_wanted(command, word, MACHINE);
}

/* frc/kmeans, for suite:frc/kmeans */
static bool is_suite_program(const char *word)
{
    struct suite s;
    struct errors ignored = {0};
    struct text name = {0};
    const char *slash = strchr(word, '/');
    bool found = false, plain = slash && !file_exists(word) && !is_catalogued(word);
    text_add(&name, "%.*s", plain ? (int)(slash - word) : 0, word);
    if (plain && !name.failed && suite_load(&s, text_str(&name), &ignored)) {
        for (uint32_t i = 0; i < s.n && !found; i++)
            found = strcmp(s.entry[i].name, slash + 1) == 0;
        suite_fini(&s);
    }
    errors_fini(&ignored);
    text_fini(&name);
    return found;
}

/* Folders of programs have the names of suites. */
static bool is_suite_name(const char *word)
{
    struct text relative = {0};
    text_add(&relative, "workloads/suites/%s.cfg", word);
    bool plain = !strpbrk(word, "/. ") && !file_exists(word) && !is_catalogued(word);
    char *path = plain && !relative.failed ? paths_config(text_str(&relative)) : NULL;
    text_fini(&relative);
    mem_free(path);
    return path != NULL;
}

bool file_kinds_is_program(const char *word, struct error *e)
{
    if (is_suite_name(word) || is_suite_program(word))
        return error_input(e, "%s: no such program: did you mean suite:%s?", word, word);
    enum file_kind is = kind_of(word, PROGRAM);
    return is == UNKNOWN || is == PROGRAM ||
           error_input(e, "%s: this is %s; PROGRAM is needed here; %s", word, kinds[is].name,
                       kinds[is].place);
}

bool file_kinds_check(const struct cli_command *c, const struct args *a)
{
    if (told_disordered(c, a)) return false;
    bool several = c->first == c->others;
    return a->n_words == 0 || several || is_wanted(c->name, a->word[0], wanted_first(c, a));
}

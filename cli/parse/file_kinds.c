/* file_kinds.c - see file_kinds.h. */
#include "cli/parse/file_kinds.h"

#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "base/text/conf.h"
#include "cli/cli.h"
#include "gpu/machine/load/machine.h"
#include "sweeps/plan/plan_paths.h"
#include "trace/program/program_spec.h"
#include "trace/suite/catalog.h"
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
    [MACHINE] = {"a machine", "machines are the first argument of 'plumb estimate'"},
    [PROGRAM] = {"a program", "programs follow the machine in 'plumb estimate MACHINE PROGRAM'"},
    [SUITE] = {"a suite", "suite:NAME stands for its programs"},
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
    char **dirs = machine_config_dirs();
    struct conf *c = conf_load(path, (const char *const *)dirs, &(struct error){0});
    enum file_kind k = c ? kind_of_conf(conf_root(c)) : UNKNOWN;
    if (c) conf_free(c);
    machine_config_dirs_free(dirs);
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
        bool traces = list && file_exists(list);
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
    bool preset = is_preset(word), program = suite_is(word) || is_catalogued(word);
    if (wanted == MACHINE && preset) return MACHINE;
    if (wanted == PROGRAM && program) return PROGRAM;
    char *found = file_exists(word) ? NULL : paths_config(word);
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
    case COMPLETES_MACHINE_OR_SWEEP: return a->n_words == 1 ? SWEEP : MACHINE;
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

/* The most similar name in that folder of the configuration directories, or NULL; the caller frees
 * it with mem_free. */
static char *closest_config(const char *folder, const char *word)
{
    char name[256];
    uint32_t n = 0;
    char **names = machine_config_names(folder, &(struct error){0});
    while (names && names[n])
        n++;
    bare_name(word, name, sizeof name);
    const char *closest = n ? text_closest(name, (const char *const *)names, n) : NULL;
    char *found = closest ? mem_strdup(closest) : NULL;
    machine_config_dirs_free(names);
    return found;
}

/* An installed sweep with that or a similar name; the caller frees it with mem_free. */
static char *closest_sweep(const char *word)
{
    struct text relative = {0};
    char *name = closest_config("sweeps", word);
    if (name) text_add(&relative, "sweeps/%s.cfg", name);
    char *path = name && !relative.failed ? paths_config(text_str(&relative)) : NULL;
    text_fini(&relative);
    mem_free(name);
    return path;
}

static bool is_study(const char *word)
{
    char *path = ends_in(word, ".sql") ? plan_find_input("", word) : NULL;
    mem_free(path);
    return path != NULL;
}

/* If a machine or sweep was written as a path that does not exist, suggests an installed one. */
static bool told_absent(const char *command, const char *word, enum file_kind wanted)
{
    bool path = strchr(word, '/') || ends_in(word, ".cfg");
    bool read = wanted == SWEEP || (wanted == MACHINE && path);
    if (!read || file_exists(word) || is_study(word)) return false;
    char *closest = wanted == SWEEP ? closest_sweep(word) : closest_config("gpus", word);
    if (closest)
        cli_usage(command, "%s: no such file: did you mean %s?", word, closest);
    else
        cli_usage(command, "%s: no such file; %s is expected here", word, argument_name(wanted));
    mem_free(closest);
    return true;
}

static bool told_swapped(const struct cli_command *c, const struct args *a)
{
    bool both = a->n_words > 1 && c->first == COMPLETES_MACHINE && c->others == COMPLETES_PROGRAM;
    if (!both || kind_of(a->word[0], MACHINE) != PROGRAM || kind_of(a->word[1], PROGRAM) != MACHINE)
        return false;
    cli_usage(c->name, "%s is a program and %s a machine; the machine comes first: plumb %s %s %s",
              a->word[0], a->word[1], c->name, a->word[1], a->word[0]);
    return true;
}

/* false: an error was printed. */
static bool is_wanted(const char *command, const char *word, enum file_kind wanted)
{
    enum file_kind is = wanted == UNKNOWN ? UNKNOWN : kind_of(word, wanted);
    if (is == wanted) return true;
    if (is == UNKNOWN) return !told_absent(command, word, wanted);
    cli_usage(command, "%s is %s, where %s stands; %s", word, kinds[is].name, argument_name(wanted),
              kinds[is].place);
    return false;
}

bool file_kinds_is_machine(const char *command, const char *word)
{
    return is_wanted(command, word, MACHINE);
}

bool file_kinds_is_program(const char *word, struct error *e)
{
    enum file_kind is = kind_of(word, PROGRAM);
    return is == UNKNOWN || is == PROGRAM ||
           error_input(e, "%s: %s, where PROGRAM stands; %s", word, kinds[is].name,
                       kinds[is].place);
}

bool file_kinds_check(const struct cli_command *c, const struct args *a)
{
    if (told_swapped(c, a)) return false;
    bool several = c->first == c->others;
    return a->n_words == 0 || several || is_wanted(c->name, a->word[0], wanted_first(c, a));
}

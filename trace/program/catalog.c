/* catalog.c - see catalog.h. */
#include "trace/program/catalog.h"

#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char root[] = "workloads";
static const char *const endings[] = {".plt", ".cfg", "/kernelslist.g"};
enum { ENDINGS = sizeof endings / sizeof *endings };

static bool is_suites_folder(const char *name)
{
    return strcasecmp(name, "suites") == 0 || strncasecmp(name, "suites/", strlen("suites/")) == 0;
}

char *catalog_find(const char *name)
{
    char *path = NULL;
    if (!*name || name[0] == '/' || is_suites_folder(name)) return NULL;
    for (unsigned i = 0; i < 2 * ENDINGS && !path; i++) { /* a name in its own case goes first */
        struct text relative = {0};
        text_add(&relative, "%s/%s%s", root, name, endings[i % ENDINGS]);
        if (!relative.failed)
            path = (i < ENDINGS ? paths_config_exact : paths_config)(relative.s);
        text_fini(&relative);
    }
    char *list = path ? strstr(path, endings[ENDINGS - 1]) : NULL;
    if (list) *list = '\0'; /* the directory is the program */
    return path;
}

/* --- listing --- */

/* Adds "folder/name" where the entry is a program; the folder is "" at the root. */
static bool add_program(struct name_list *names, const char *dir, const char *folder,
                        const char *entry)
{
    struct text name = {0}, list = {0};
    size_t length = strlen(entry), ending = strlen(endings[0]);
    bool file = length > ending && (strcmp(entry + length - ending, endings[0]) == 0 ||
                                    strcmp(entry + length - ending, endings[1]) == 0);
    text_add(&list, "%s/%s%s", dir, entry, endings[ENDINGS - 1]);
    text_add(&name, "%s%s%.*s", folder, *folder ? "/" : "", (int)(file ? length - ending : length),
             entry);
    bool program = file || (!list.failed && file_exists(list.s));
    bool ok = !name.failed && !list.failed && (!program || name_list_add(names, name.s, name.len));
    text_fini(&list);
    text_fini(&name);
    return ok;
}

static bool add_folder(struct name_list *names, const char *workloads, const char *folder);

static bool add_entry(struct name_list *names, const char *workloads, const char *folder,
                      const char *dir, const char *entry)
{
    if (entry[0] == '.') return true;
    if (!add_program(names, dir, folder, entry)) return false;
    bool below = !*folder && strcmp(entry, "suites") != 0; /* folders are one level deep */
    return !below || add_folder(names, workloads, entry);
}

static bool add_folder(struct name_list *names, const char *workloads, const char *folder)
{
    char *dir = file_join(workloads, folder);
    DIR *d = dir ? opendir(dir) : NULL;
    bool ok = dir != NULL;
    for (struct dirent *entry; d && ok && (entry = readdir(d));)
        ok = add_entry(names, workloads, folder, dir, entry->d_name);
    if (d) closedir(d);
    mem_free(dir);
    return ok;
}

bool catalog_names(struct name_list *names, struct error *e)
{
    char **dirs = paths_config_dirs();
    bool ok = name_list_init(names) && dirs;
    for (char **dir = dirs; ok && *dir; dir++) {
        char *workloads = file_join(*dir, root);
        ok = workloads && add_folder(names, workloads, "");
        mem_free(workloads);
    }
    paths_config_dirs_free(dirs);
    if (ok) {
        name_list_sort(names);
        return true;
    }
    name_list_fini(names);
    return error_no_memory(e);
}

/* --- closest names --- */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Reduces "workloads/fwt.plt" to the program's name: removes the folders that people write and the
 * extension. */
static void bare_name(const char *word, char *out, size_t size)
{
    size_t folder = strlen(root);
    if (strncmp(word, root, folder) == 0 && word[folder] == '/') word += folder + 1;
    snprintf(out, size, "%s", word);
    char *dot = strrchr(out, '.');
    if (dot && (strcmp(dot, endings[0]) == 0 || strcmp(dot, endings[1]) == 0)) *dot = '\0';
}

static char *name_with_last_part(const struct name_list *names, const char *part)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcasecmp(last_part(names->item[i]), part) == 0) return mem_strdup(names->item[i]);
    return NULL;
}

/* The words of other cases and those that are the last part of a name are as good as names. */
static bool add_alike(struct text *t, const struct name_list *names, const char *word)
{
    char name[256];
    bare_name(word, name, sizeof name);
    char *exact = name_with_last_part(names, last_part(name));
    const char **parts = mem_new(names->n + 1, sizeof *parts);
    bool found = exact != NULL;
    if (exact) text_add_shown(t, "%s", exact);
    mem_free(exact);
    found = found || text_alike(t, name, (const char *const *)names->item, names->n);
    for (size_t i = 0; parts && i < names->n; i++)
        parts[i] = last_part(names->item[i]);
    const char *part = found || !parts ? NULL : text_closest(last_part(name), parts, names->n);
    char *whole = part ? name_with_last_part(names, part) : NULL;
    if (whole) text_add_shown(t, "%s", whole);
    mem_free(whole);
    mem_free(parts);
    return found || part;
}

bool catalog_alike(struct text *t, const char *word)
{
    struct name_list names;
    if (!catalog_names(&names, &(struct error){0})) return false;
    bool found = add_alike(t, &names, word);
    name_list_fini(&names);
    return found;
}

static bool add_suites(struct name_list *names, const char *dir)
{
    bool ok = dir != NULL;
    DIR *d = dir ? opendir(dir) : NULL;
    for (struct dirent *entry; d && ok && (entry = readdir(d));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && dot > entry->d_name && strcmp(dot, endings[1]) == 0)
            ok = name_list_add(names, entry->d_name, (size_t)(dot - entry->d_name));
    }
    if (d) closedir(d);
    return ok;
}

bool catalog_alike_suite(struct text *t, const char *word)
{
    struct name_list names;
    char **dirs = paths_config_dirs();
    bool ok = name_list_init(&names) && dirs;
    for (char **dir = dirs; ok && *dir; dir++) {
        char *suites = file_join(*dir, "workloads/suites");
        ok = add_suites(&names, suites);
        mem_free(suites);
    }
    paths_config_dirs_free(dirs);
    if (ok) name_list_sort(&names);
    ok = ok && text_alike(t, word, (const char *const *)names.item, names.n);
    name_list_fini(&names);
    return ok;
}

#include "trace/suite.h"

#include "base/conf.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/paths.h"
#include "base/text.h"

#include <string.h>

#define PREFIX "suite:"

bool suite_is(const char *spec)
{
    return strncmp(spec, PREFIX, strlen(PREFIX)) == 0;
}

static char *find_suite(const char *spec)
{
    struct text relative = {0};
    text_add(&relative, "workloads/suites/%s.cfg", spec + strlen(PREFIX));
    char *path = relative.failed ? NULL : paths_config(relative.s);
    text_fini(&relative);
    return path;
}

static char *find_program(const char *relative)
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

static bool add_program(struct suite *s, const struct conf_node *n, struct error *e)
{
    const char *relative = conf_text(n);
    if (!relative)
        return error_input(
            e, "%s:%u: a program of a suite is a string, such as \"workloads/stream.cfg\"",
            conf_file(n), conf_line(n));
    s->program[s->n] = find_program(relative);
    if (!s->program[s->n])
        return error_input(e,
                           "%s:%u: there is no program %s, neither in the configuration "
                           "directories nor in the cache",
                           conf_file(n), conf_line(n), relative);
    s->n++;
    return true;
}

static bool read_list(struct suite *s, const char *path, const struct conf_node *root,
                      struct error *e)
{
    const struct conf_node *list = conf_find(root, "programs");
    if (!list || conf_type(list) != CONF_LIST || conf_count(list) == 0 || conf_count(root) != 1)
        return error_input(e, "%s:1: a suite holds one setting, programs = ( \"...\", ... );",
                           path);
    s->program = mem_new(conf_count(list), sizeof *s->program);
    if (!s->program) return error_no_memory(e);
    for (uint32_t i = 0; i < conf_count(list); i++)
        if (!add_program(s, conf_child(list, i), e)) return false;
    return true;
}

bool suite_read(struct suite *s, const char *spec, struct error *e)
{
    *s = (struct suite){0};
    char *path = find_suite(spec);
    if (!path)
        return error_input(
            e, "%s: there is no workloads/suites/%s.cfg in the configuration directories", spec,
            spec + strlen(PREFIX));
    struct conf *c = conf_load(path, NULL, e);
    bool ok = c && read_list(s, path, conf_root(c), e);
    if (!ok) suite_fini(s);
    conf_free(c);
    mem_free(path);
    return ok;
}

void suite_fini(struct suite *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        mem_free(s->program[i]);
    mem_free(s->program);
    *s = (struct suite){0};
}

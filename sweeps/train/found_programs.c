/* found_programs.c - see found_programs.h. */
#include "sweeps/train/found_programs.h"

#include "base/memory/alloc.h"
#include "base/text/name_list.h"
#include "trace/program/catalog.h"
#include "trace/program/program_spec.h"
#include "trace/suite/suite.h"

#include <string.h>

void found_programs_fini(struct found_programs *f)
{
    for (uint32_t i = 0; i < f->n; i++)
        program_close(f->program[i]);
    mem_free(f->program);
    *f = (struct found_programs){.n = 0};
}

static const struct program *find_open(const struct found_programs *f, struct digest digest)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (digest_equal(program_digest(f->program[i]), digest)) return f->program[i];
    return NULL;
}

/* Takes the program over, or closes it where an equal one is open. */
static bool keep(struct found_programs *f, struct program *p, struct error *e)
{
    bool had = find_open(f, program_digest(p)) != NULL;
    bool room = had || mem_grow(&f->program, &f->cap, f->n + (size_t)1, sizeof *f->program);
    if (had || !room)
        program_close(p);
    else
        f->program[f->n++] = p;
    return room || error_no_memory(e);
}

bool found_programs_open(struct found_programs *f, const struct machine *m, struct error *e)
{
    const struct program_opts o = program_opts_of(m, false);
    for (uint32_t i = 0; i < f->n_words; i++) {
        struct program *p = program_open(f->word[i], &o, e);
        if (!p || !keep(f, p, e)) return false;
    }
    return true;
}

/* Opens what the file may have meant; keeps it if it is the one. */
static const struct program *try_spec(struct found_programs *f, const char *spec,
                                      struct digest digest, const struct machine *m)
{
    const struct program_opts o = program_opts_of(m, false);
    struct error ignored = {0};
    struct program *p = program_open(spec, &o, &ignored);
    if (!p) return NULL;
    if (digest_equal(program_digest(p), digest))
        keep(f, p, &ignored);
    else
        program_close(p);
    return find_open(f, digest);
}

static const struct program *search_suite(struct found_programs *f, const char *suite,
                                          struct digest digest, const char *name,
                                          const struct machine *m)
{
    struct suite s;
    struct errors ignored = {0};
    const struct program *found = NULL;
    if (suite_load(&s, suite, &ignored)) {
        for (uint32_t i = 0; i < s.n && !found; i++)
            if (strcmp(s.entry[i].name, name) == 0 && s.entry[i].path && s.entry[i].path[0])
                found = try_spec(f, s.entry[i].path, digest, m);
        suite_fini(&s);
    }
    errors_fini(&ignored);
    return found;
}

static const struct program *search_suites(struct found_programs *f, struct digest digest,
                                           const char *name, const struct machine *m)
{
    struct error ignored = {0};
    char **suite = machine_config_names("workloads/suites", &ignored);
    const struct program *found = NULL;
    for (char **s = suite; s && *s && !found; s++)
        found = search_suite(f, *s, digest, name, m);
    if (suite) machine_config_dirs_free(suite);
    return found;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Programs have the last part of their path as their name, and parameters behind it. */
static const struct program *search_catalog(struct found_programs *f, struct digest digest,
                                            const char *name, const struct machine *m)
{
    struct name_list all;
    struct error ignored = {0};
    const struct program *found = NULL;
    char *plain = program_spec_name(name);
    if (plain && catalog_names(&all, &ignored)) {
        for (size_t i = 0; i < all.n && !found; i++) {
            struct text spec = {0};
            if (strcmp(last_part(all.item[i]), plain) != 0) continue;
            text_add(&spec, "%s%s", all.item[i], name + strlen(plain));
            found = try_spec(f, text_str(&spec), digest, m);
            text_fini(&spec);
        }
        name_list_fini(&all);
    }
    mem_free(plain);
    return found;
}

const struct program *found_programs_find(struct found_programs *f, struct digest digest,
                                          const char *name, const struct machine *m)
{
    const struct program *found = find_open(f, digest);
    if (!found) found = search_catalog(f, digest, name, m);
    return found ? found : search_suites(f, digest, name, m);
}

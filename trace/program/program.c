/* program.c - opens a program by its name: a path, a path below the configuration directories, or a
 * name of the catalog; its kind of source (.plt, .cfg, Accel-Sim's directory) reads it. What it
 * answers afterwards is constant. program_head is the same program with fewer CTAs in each launch,
 * which borrows all else. */
#include "trace/program/program.h"

#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "trace/program/catalog.h"
#include "trace/program/program_spec.h"
#include "trace/program/source.h"

#include <assert.h>
#include <string.h>

static bool ends_in(const char *s, const char *ending)
{
    size_t n = strlen(s), m = strlen(ending);
    return n >= m && strcmp(s + n - m, ending) == 0;
}

/* Resolves a program's name: an existing path, else a path below the configuration directories or
 * below their workloads/, else the name of a program there (catalog.h). */
static char *locate_file(const char *spec)
{
    char *found = NULL;
    if (*spec && !file_may_exist(spec)) {
        char *below = file_join("workloads", spec);
        found = paths_config(spec);
        if (!found && below) found = paths_config(below);
        if (!found) found = catalog_find(spec);
        mem_free(below);
    }
    return found ? found : mem_strdup(spec);
}

/* The last part of the path without its ending, and the parameters behind a blank. */
static char *full_name(const char *path, const char *params)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t start = n;
    while (start > 0 && path[start - 1] != '/')
        start--;
    char *name = mem_new(n - start + strlen(params) + 2, 1);
    if (!name) return NULL;
    memcpy(name, path + start, n - start);
    char *dot = strrchr(name, '.');
    if (dot && dot != name && (ends_in(name, ".plt") || ends_in(name, ".cfg"))) *dot = 0;
    if (*params) strcat(strcat(name, " "), params);
    return name;
}

bool program_fit_width(struct program *p, struct error *e)
{
    if (p->width == 0) p->width = p->source_width;
    if (p->width != 32 && p->width != WARP_MAX_LANES)
        return error_input(e, "%s: warps of %u lanes asked for; programs have 32 or 64", p->path,
                           p->width);
    if (p->width > p->source_width)
        return error_input(
            e,
            "%s: a trace of %u-lane warps on a machine of %u-lane warps; capture it %u lanes wide",
            p->path, p->source_width, p->width, p->width);
    return true;
}

static bool refuse_unknown(const char *spec, const char *name, struct error *e)
{
    struct text alike = {0};
    bool any = catalog_alike(&alike, name);
    error_input(e,
                "%s: no such program; %s%s%s'plumb program list' lists those that come with plumb, "
                "and your own is a .plt trace, a generator .cfg, or a directory with kernelslist.g",
                spec, any ? "the closest is " : "", text_str(&alike), any ? "; " : "");
    text_fini(&alike);
    return false;
}

/* A file of the user's goes before a program that comes with plumb and has the same name. */
static void tell_hidden(const struct program *p, const char *name, struct error *e)
{
    char *bundled = strcmp(p->path, name) == 0 ? catalog_find(name) : NULL;
    const struct error was = *e;
    if (bundled && was.kind == ERROR_INPUT)
        error_input(e, "%.800s; the file ./%s hides the bundled program '%s'", was.text, name,
                    name);
    mem_free(bundled);
}

static bool open_source(struct program *p, const char *name, struct error *e)
{
    bool generator = ends_in(p->path, ".cfg");
    if (strncmp(name, "suite:", 6) == 0)
        return error_input(e, "%s: a suite is several programs; one is needed here: %s/PROGRAM",
                           p->spec, p->spec);
    if (!file_may_exist(p->path)) return refuse_unknown(p->spec, name, e);
    if (*p->params && !generator)
        return error_input(e, "%s: %s is a trace; generators and layers take parameters", p->spec,
                           name);
    if (file_is_dir(p->path)) return source_open_accelsim(p, e);
    return generator ? source_open_generator(p, NULL, e) : source_open_plt(p, e);
}

/* A program that no source has filled yet; takes path over. */
static struct program *new_program(char *path, const char *spec, const struct program_opts *o,
                                   struct error *e)
{
    struct program *p = mem_new(1, sizeof *p);
    if (p) {
        p->path = path;
        p->spec = mem_strdup(spec);
        p->params = p->spec ? program_spec_params(p->spec) : "";
        p->name = path ? full_name(path, p->params) : NULL;
        p->note = "";
        p->width = o ? o->warp_width : 0;
        p->allow_unknown = o && o->allow_unknown;
        if (o) p->card = o->card;
    } else {
        mem_free(path);
    }
    if (p && p->name && p->spec) return p;
    error_no_memory(e);
    program_close(p);
    return NULL;
}

struct program *program_open(const char *spec, const struct program_opts *o, struct error *e)
{
    char *name = program_spec_name(spec);
    struct program *p = name ? new_program(locate_file(name), spec, o, e) : NULL;
    if (!name) error_no_memory(e);
    if (p && !open_source(p, name, e)) {
        tell_hidden(p, name, e);
        program_close(p);
        p = NULL;
    }
    mem_free(name);
    return p;
}

struct program *program_generate(const char *name, const char *config, const struct program_opts *o,
                                 struct error *e)
{
    struct program *p = new_program(mem_strdup(name), name, o, e);
    if (!p || source_open_generator(p, config, e)) return p;
    program_close(p);
    return NULL;
}

void program_close(struct program *p)
{
    if (!p) return;
    if (p->ops && !p->borrowed) {
        p->ops->close(p->source);
        mem_free(p->commands);
        mem_free(p->warnings);
    }
    mem_free(p->launches);
    mem_free(p->name);
    mem_free(p->path);
    mem_free(p->spec);
    mem_free(p);
}

const char *program_name(const struct program *p)
{
    return p->name;
}
struct digest program_digest(const struct program *p)
{
    return p->digest;
}
const char *program_note(const struct program *p)
{
    return p->note;
}
uint64_t program_stored_bytes(const struct program *p)
{
    return p->stored_bytes;
}
uint32_t program_warnings(const struct program *p)
{
    return p->n_warnings;
}
bool program_follows_card(const struct program *p)
{
    return p->follows_card;
}

struct digest program_choice(const struct program *p, const struct program_card *card)
{
    return p->follows_card ? p->ops->choice(p, card) : p->digest;
}

void program_chosen(const struct program *p, struct text *out)
{
    if (p->follows_card && p->card.sms > 0 && p->ops->chosen) p->ops->chosen(p, out);
}

uint32_t program_commands(const struct program *p)
{
    return p->n_commands;
}
uint32_t program_launches(const struct program *p)
{
    return p->n_launches;
}
uint32_t program_source_width(const struct program *p)
{
    return p->source_width;
}

const char *program_warning(const struct program *p, uint32_t i)
{
    assert(i < p->n_warnings);
    return p->warnings[i];
}

const struct command *program_command(const struct program *p, uint32_t i)
{
    assert(i < p->n_commands);
    return &p->commands[i];
}

const struct launch *program_launch(const struct program *p, uint32_t i)
{
    assert(i < p->n_launches);
    return &p->launches[i].face;
}

bool program_parameter_at(const struct program *p, uint32_t i, struct program_parameter *out)
{
    return p->ops->parameter && p->ops->parameter(p, i, out);
}

uint32_t program_segments(const struct program *p, uint32_t launch, uint64_t cta)
{
    assert(launch < p->n_launches && cta < p->launches[launch].face.ctas);
    return p->ops->segments(p, launch, cta);
}

uint64_t program_segment_start(const struct program *p, uint32_t launch, uint64_t cta,
                               uint32_t segment)
{
    assert(segment < program_segments(p, launch, cta));
    return p->ops->segment_start(p, launch, cta, segment);
}

uint64_t program_cta_start(const struct program *p, uint32_t launch, uint64_t cta)
{
    assert(launch < p->n_launches && cta <= p->launches[launch].face.ctas);
    return p->ops->cta_start(p, launch, cta);
}

static void cut_launches(struct program *h, const uint64_t *ctas)
{
    uint64_t n = h->n_launches;
    struct digest cut = digest_bytes(ctas, n * sizeof *ctas);
    h->digest = digest_join(h->digest, cut);
    for (uint32_t i = 0; i < h->n_launches; i++) {
        assert(ctas[i] > 0 && ctas[i] <= h->launches[i].face.ctas);
        h->launches[i].face.ctas = ctas[i];
        h->launches[i].face.warp_instructions = h->ops->cta_start(h, i, ctas[i]);
    }
}

struct program *program_head(const struct program *p, const uint64_t *ctas, struct error *e)
{
    struct program *h = mem_new(1, sizeof *h);
    struct program_launch *launches = mem_new(p->n_launches + 1, sizeof *launches);
    char *name = mem_strdup(p->name), *path = mem_strdup(p->path);
    if (!h || !launches || !name || !path) {
        mem_free(h);
        mem_free(launches);
        mem_free(name);
        mem_free(path);
        error_no_memory(e);
        return NULL;
    }
    *h = *p;
    h->borrowed = true;
    h->name = name;
    h->path = path;
    h->spec = NULL;
    h->launches = launches;
    if (p->n_launches) memcpy(launches, p->launches, p->n_launches * sizeof *launches);
    cut_launches(h, ctas);
    return h;
}

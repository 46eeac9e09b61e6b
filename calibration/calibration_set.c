/* calibration_set.c - see calibration_set.h. */
#include "calibration/calibration_set.h"

#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "calibration/calibration_copy.h"
#include "gpu/machine/machine.h"
#include "gpu/metrics/model_version.h"

#include <stdio.h>
#include <string.h>

static bool open_ranges(struct calibration_set *s, struct error *e)
{
    char *path = paths_config("calibrations/ranges.cfg");
    bool ok = true;
    if (!path) {
        snprintf(s->missing, sizeof s->missing,
                 "calibrations/ranges.cfg is not there: estimates have no ranges");
        return true;
    }
    s->ranges = mem_new(1, sizeof *s->ranges);
    ok = (s->ranges || error_no_memory(e)) && range_model_read(s->ranges, path, &s->digest, e);
    if (ok && (s->ranges->est_version != EST_MODEL_VERSION ||
               s->ranges->sim_version != SIM_MODEL_VERSION)) {
        snprintf(s->missing, sizeof s->missing,
                 "%.150s is of other versions of the models: estimates have no ranges", path);
        mem_free(s->ranges);
        s->ranges = NULL;
    }
    mem_free(path);
    return ok;
}

/* The machine around which it was made, if that is a preset. */
static bool find_base(struct calibration_of *of, struct error *e)
{
    struct errors all = {0};
    of->base = mem_new(1, sizeof *of->base);
    if (!of->base) return error_no_memory(e);
    if (!machine_load(of->base, of->c.machine, NULL, 0, &all)) {
        mem_free(of->base);
        of->base = NULL;
    }
    errors_fini(&all);
    of->c.base = of->base;
    return true;
}

static bool add_file(struct calibration_set *s, const char *path, struct error *e)
{
    struct calibration_of *of = &s->of[s->n];
    if (!calibration_read(&of->c, path, &of->digest, e)) return false;
    s->n++;
    snprintf(of->c.file, sizeof of->c.file, "%s", path);
    return calibration_prepare(&of->c, s->ranges, e) && find_base(of, e);
}

/* --- those that come with plumb --- */

static bool is_of_today(const struct calibration *c)
{
    return c->est_version == EST_MODEL_VERSION && c->sim_version == SIM_MODEL_VERSION;
}

static bool have_for(const struct calibration_set *s, const char *name)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (strcmp(s->of[i].c.machine, name) == 0) return true;
    return false;
}

static bool add_shipped(struct calibration_set *s, const char *name, struct error *e)
{
    char relative[PARAM_TEXT_MAX + 32];
    if (name[0] == '\0' || have_for(s, name)) return true;
    snprintf(relative, sizeof relative, "calibrations/%s.cal", name);
    char *path = paths_config(relative);
    if (!path) return true;
    bool ok = add_file(s, path, e);
    struct calibration_of *of = ok ? &s->of[s->n - 1] : NULL;
    if (of) snprintf(of->c.file, sizeof of->c.file, "%s", relative);
    if (of && !is_of_today(&of->c)) {
        snprintf(s->missing, sizeof s->missing,
                 "%s is of other versions of the models: nothing corrects estimates of %s",
                 relative, name);
        calibration_fini(&of->c);
        mem_free(of->base);
        *of = (struct calibration_of){.base = NULL};
        s->n--;
    }
    mem_free(path);
    return ok;
}

static bool add_all_shipped(struct calibration_set *s, const struct machine *const *machine,
                            uint32_t n, struct error *e)
{
    for (uint32_t i = 0; i < n; i++)
        if (!add_shipped(s, machine[i]->preset, e)) return false;
    return true;
}

/* --- the set --- */

static bool add_users(struct calibration_set *s, const char *file,
                      const struct machine *const *machine, uint32_t n, struct error *e)
{
    struct error why = {0};
    if (!add_file(s, file, e)) return false;
    for (uint32_t i = 0; i < n; i++)
        if (!calibration_fits(&s->of[0].c, machine[i], &why))
            return error_input(e, "%s: %.900s", file, why.text);
    return true;
}

bool calibration_set_open(struct calibration_set *s, const char *file,
                          const struct machine *const *machine, uint32_t n, struct error *e)
{
    *s = (struct calibration_set){.shipped = !file};
    bool ok = open_ranges(s, e);
    s->bare = calibration_bare(s->ranges);
    if (!ok || (file && strcmp(file, "none") == 0)) return ok;
    s->of = mem_new(file ? 1 : n + 1, sizeof *s->of);
    if (!s->of) return error_no_memory(e);
    return file ? add_users(s, file, machine, n, e) : add_all_shipped(s, machine, n, e);
}

void calibration_set_close(struct calibration_set *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        calibration_fini(&s->of[i].c);
        mem_free(s->of[i].base);
    }
    calibration_fini(&s->bare);
    mem_free(s->of);
    mem_free(s->ranges);
    *s = (struct calibration_set){.n = 0};
}

/* --- further runs --- */

static bool learn(struct calibration *c, const struct known_run *run, uint32_t n,
                  const struct range_model *ranges, struct error *e)
{
    struct known_run *all = mem_new(c->n + n, sizeof *all);
    if (!all) return error_no_memory(e);
    if (c->n) memcpy(all, c->run, c->n * sizeof *all);
    memcpy(all + c->n, run, n * sizeof *all);
    mem_free(c->run);
    c->run = all;
    c->n += n;
    return calibration_prepare(c, ranges, e);
}

bool calibration_set_learn(struct calibration_set *s, const struct known_run *run, uint32_t n,
                           struct error *e)
{
    bool ok = n == 0 || learn(&s->bare, run, n, s->ranges, e);
    for (uint32_t i = 0; ok && n && i < s->n; i++)
        ok = learn(&s->of[i].c, run, n, s->ranges, e);
    return ok;
}

/* --- for a machine --- */

/* A shipped one is of the machine's preset; a user's may be of its name. */
static const struct calibration_of *find_of(const struct calibration_set *s,
                                            const struct machine *m)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (strcmp(s->of[i].c.machine, s->shipped ? m->preset : m->name) == 0) return &s->of[i];
    for (uint32_t i = 0; i < s->n; i++)
        if (strcmp(s->of[i].c.machine, m->preset) == 0) return &s->of[i];
    return NULL;
}

const struct calibration *calibration_set_for(const struct calibration_set *s,
                                              const struct machine *m)
{
    const struct calibration_of *of = find_of(s, m);
    return of ? &of->c : &s->bare;
}

static bool has_further(const struct calibration_set *s)
{
    static const struct digest none;
    return !digest_equal(s->further, none);
}

struct digest calibration_set_digest(const struct calibration_set *s, const struct machine *m)
{
    const struct calibration_of *of = find_of(s, m);
    struct digest d = of ? digest_join(s->digest, of->digest) : s->digest;
    return has_further(s) ? digest_join(d, s->further) : d;
}

struct digest calibration_set_whole(const struct calibration_set *s)
{
    struct digest d = s->digest;
    for (uint32_t i = 0; i < s->n; i++)
        d = digest_join(d, s->of[i].digest);
    return has_further(s) ? digest_join(d, s->further) : d;
}

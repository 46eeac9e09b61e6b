/* machine.c - machines and their calibrations; see plumb.h. */
#include "libplumb/handles.h"

#include "base/memory/alloc.h"

#include <pthread.h>
#include <string.h>

struct calibration_shelf {
    pthread_mutex_t lock;
    uint32_t users;         /* machines */
    struct machine machine; /* for whose family the sets were opened */
    struct shelved_set {
        char *file; /* NULL: what comes with plumb */
        struct calibration_set set;
        struct shelved_set *next;
    } * first;
};

/* --- calibrations --- */

static struct calibration_shelf *new_shelf(const struct machine *m)
{
    struct calibration_shelf *s = mem_new(1, sizeof *s);
    if (!s) return NULL;
    pthread_mutex_init(&s->lock, NULL);
    s->users = 1;
    s->machine = *m;
    return s;
}

static struct calibration_shelf *join_shelf(struct calibration_shelf *s)
{
    pthread_mutex_lock(&s->lock);
    s->users++;
    pthread_mutex_unlock(&s->lock);
    return s;
}

static void free_set(struct shelved_set *s)
{
    calibration_set_close(&s->set);
    mem_free(s->file);
    mem_free(s);
}

static void leave_shelf(struct calibration_shelf *s)
{
    if (!s) return;
    pthread_mutex_lock(&s->lock);
    bool last = --s->users == 0;
    pthread_mutex_unlock(&s->lock);
    if (!last) return;
    for (struct shelved_set *set = s->first, *next; set; set = next) {
        next = set->next;
        free_set(set);
    }
    pthread_mutex_destroy(&s->lock);
    mem_free(s);
}

static bool is_of_file(const struct shelved_set *s, const char *file)
{
    return file ? s->file && strcmp(s->file, file) == 0 : !s->file;
}

static struct shelved_set *open_set(struct calibration_shelf *s, const char *file, struct error *e)
{
    const struct machine *machine = &s->machine;
    struct shelved_set *set = mem_new(1, sizeof *set);
    if (!set) {
        error_no_memory(e);
        return NULL;
    }
    set->file = file ? mem_strdup(file) : NULL;
    bool ok = (!file || set->file) || error_no_memory(e);
    if (ok && calibration_set_open(&set->set, file, &machine, 1, e)) return set;
    free_set(set);
    return NULL;
}

const struct calibration_set *libplumb_calibrations(const plumb_machine *machine, const char *file,
                                                    struct error *e)
{
    struct calibration_shelf *s = machine->calibrations;
    pthread_mutex_lock(&s->lock);
    struct shelved_set *set = s->first;
    while (set && !is_of_file(set, file))
        set = set->next;
    if (!set && (set = open_set(s, file, e))) {
        set->next = s->first;
        s->first = set;
    }
    pthread_mutex_unlock(&s->lock);
    return set ? &set->set : NULL;
}

/* --- settings --- */

void settings_fini(struct settings *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        mem_free(s->text[i]);
    mem_free(s->text);
    *s = (struct settings){0};
}

static bool add_setting(struct settings *s, const char *text)
{
    s->text[s->n] = mem_strdup(text);
    return s->text[s->n] && ++s->n;
}

bool settings_copy(struct settings *to, const struct settings *from, const char *const *more,
                   size_t n)
{
    size_t all = from->n + n;
    *to = (struct settings){0};
    if (!all) return true;
    to->text = mem_new(all, sizeof *to->text);
    bool ok = to->text != NULL;
    for (size_t i = 0; ok && i < all; i++)
        ok = add_setting(to, i < from->n ? from->text[i] : more[i - from->n]);
    if (!ok) settings_fini(to);
    return ok;
}

/* --- machines --- */

static void free_machine(plumb_machine *machine)
{
    if (!machine) return;
    leave_shelf(machine->calibrations);
    settings_fini(&machine->set);
    mem_free(machine);
}

/* Without a fault that says otherwise there was no memory. */
static plumb_machine *fail(plumb_machine *machine, struct errors *all)
{
    struct error e;
    error_no_memory(&e);
    if (!all->n) errors_add_error(all, &e);
    free_machine(machine);
    return NULL;
}

bool settings_are_texts(const char *const *set, size_t n, struct errors *all)
{
    enum { SETTINGS_MAX = 1 << 16 };
    if (n > SETTINGS_MAX)
        errors_add(all, "%zu settings; allowed are at most %d", n, SETTINGS_MAX);
    else if (n && !set)
        errors_add(all, "the list of %zu settings is NULL", n);
    for (size_t i = 0; !all->n && i < n; i++)
        if (!set[i]) errors_add(all, "setting %zu of %zu is NULL", i + 1, n);
    return all->n == 0;
}

plumb_machine *libplumb_machine_open(const char *machine, const char *const *set, size_t n,
                                     struct errors *all)
{
    static const struct settings none = {0};
    plumb_machine *out = mem_new(1, sizeof *out);
    bool ok = out && machine_load(&out->m, machine, set, n, all) &&
              settings_copy(&out->set, &none, set, n) && (out->calibrations = new_shelf(&out->m)) &&
              handle_open(out, HANDLE_MACHINE);
    return ok ? out : fail(out, all);
}

plumb_machine *plumb_machine_open(const char *machine, const char *const *set, size_t n)
{
    PLAIN_LOCALE;
    struct errors all = {0};
    plumb_machine *out = NULL;
    if (!machine) errors_add(&all, "the machine's name is NULL");
    if (settings_are_texts(set, n, &all)) out = libplumb_machine_open(machine, set, n, &all);
    last_error_set_all(&all);
    errors_fini(&all);
    return out;
}

plumb_machine *libplumb_machine_change(const plumb_machine *machine, const char *const *set,
                                       size_t n, struct errors *all)
{
    plumb_machine *out = mem_new(1, sizeof *out);
    if (out) out->m = machine->m;
    bool ok =
        out && machine_set(&out->m, set, n, all) && settings_copy(&out->set, &machine->set, set, n);
    if (ok) out->calibrations = join_shelf(machine->calibrations);
    ok = ok && handle_open(out, HANDLE_MACHINE);
    return ok ? out : fail(out, all);
}

plumb_machine *plumb_machine_change(const plumb_machine *machine, const char *const *set, size_t n)
{
    PLAIN_LOCALE;
    struct errors all = {0};
    plumb_machine *out = NULL;
    if (!handle_is(machine, HANDLE_MACHINE)) return NULL;
    if (settings_are_texts(set, n, &all)) out = libplumb_machine_change(machine, set, n, &all);
    last_error_set_all(&all);
    errors_fini(&all);
    return out;
}

void plumb_machine_close(plumb_machine *machine)
{
    if (handle_close(machine, HANDLE_MACHINE)) free_machine(machine);
}

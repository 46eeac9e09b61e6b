/* energy_machine.c - see energy_machine.h. */
#include "cli/machine/energy_machine.h"

#include "gpu/energy/warp_policy_cost.h"

#include <stdio.h>

/* Says why the tables have no figures of a memory, unless they have. */
static void say_why(struct shown *s, const struct sram_tables *t, const struct sram_key *asked)
{
    struct sram_figures f;
    struct error e;
    if (!sram_find(t, asked, &f, &e)) snprintf(s->why, sizeof s->why, "%.100s", e.text);
}

static void add_cache(struct shown *s, const struct sram_tables *t, const struct costed *a,
                      const struct cache_costs *k)
{
    struct sram_cache_figures f;
    struct error e;
    *s = energy_report_cache(a->name, a->count, &k->asked, &k->from);
    s->read = k->data_read; /* an entry of a fully associative FRC is read by its number */
    s->leakage_mw = k->leakage_mw / a->count, s->area_mm2 = k->area_mm2 / a->count;
    if (!sram_cache_figures(t, &k->asked, &f, &e))
        snprintf(s->why, sizeof s->why, "%.100s", e.text);
}

static void add_ram(struct shown *s, const struct sram_tables *t, const struct costed *a,
                    const struct ram_costs *k)
{
    *s = energy_report_ram(a->name, a->count, &k->asked, &k->from);
    s->leakage_mw = k->leakage_mw / a->count, s->area_mm2 = k->area_mm2 / a->count;
    if (!k->known) say_why(s, t, &k->asked);
}

/* f: where the figures are kept. */
static void add_structure(struct shown *s, const struct sram_tables *t,
                          const struct warp_structure *w, const struct machine *m,
                          struct sram_figures *f)
{
    const struct sram_key key = warp_structure_key(w, m->energy.tech_nm);
    sram_find(t, &key, f, NULL);
    *s = energy_report_ram(w->name, m->sm.count, &key, f);
    s->bytes = (w->bits + 7) / 8;
    say_why(s, t, &key);
}

void energy_of_machine(struct machine_shown *a, const struct energy_costs *c,
                       const struct machine *m, const struct sram_tables *t)
{
    *a = (struct machine_shown){.per_event.flit_pj = c->flit_pj};
    for (uint32_t i = 0; i < c->n_costed; i++) {
        const struct costed *k = &c->costed[i];
        const char *costs = (const char *)c + k->at;
        if (k->cache)
            add_cache(&a->shown[a->n++], t, k, (const struct cache_costs *)costs);
        else
            add_ram(&a->shown[a->n++], t, k, (const struct ram_costs *)costs);
    }
    energy_machine_registers(a, c, m->sm.count);
    struct warp_structure kept[WARP_STRUCTURES];
    uint32_t structures = warp_structures(&m->sm, &m->l1, kept);
    for (uint32_t i = 0; i < structures; i++)
        add_structure(&a->shown[a->n++], t, &kept[i], m, &a->figures[i]);
}

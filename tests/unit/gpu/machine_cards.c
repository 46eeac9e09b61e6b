/* Do the presets of real cards have the figures of tests/data/cards.csv, and evidence for each
 * value that they set? */
#include "base/memory/alloc.h"
#include "gpu/machine/load/evidence.h"
#include "tests/support/cards.h"

#include <math.h>

static void load_card(const char *name, struct machine *m, struct machine_evidence *ev)
{
    struct errors all = {0};
    if (!machine_load_evidence(m, ev, name, NULL, 0, &all))
        fail_msg("%s: %s", name, all.n ? all.item[0].text : "");
    errors_fini(&all);
}

static void near(const char *name, const char *what, double value, double want, double relative)
{
    if (fabs(value - want) > relative * want)
        fail_msg("%s: %s is %g, not %g", name, what, value, want);
}

static void cards_have_the_figures_of_their_sources(void **state)
{
    struct card card[CARDS_MAX];
    uint32_t n = cards_read(card);
    (void)state;
    for (uint32_t i = 0; i < n; i++) {
        const struct card *c = &card[i];
        struct machine m;
        struct machine_evidence ev;
        load_card(c->machine, &m, &ev);
        assert_int_equal(m.sm.count, c->sms);
        assert_int_equal(m.l2.banks * m.l2.bank_kb, c->l2_kb);
        assert_int_equal(m.l3.kb, c->l3_kb);
        near(c->machine, "clock", m.clock.core_mhz, c->core_mhz, 0);
        near(c->machine, "peak", machine_derived_value(&m, "peak_gbps"), c->gbps, 0.002);
        /* rows are a power of two: the next one, where the capacity is none */
        double gb = machine_derived_value(&m, "memory_mb") / 1024;
        if (gb < c->memory_gb || gb >= 2 * c->memory_gb)
            fail_msg("%s: %g GB, not %g", c->machine, gb, c->memory_gb);
        machine_evidence_fini(&ev);
    }
}

/* What a file sets has a grade; and a preset with evidence is a card of the table. */
static void cards_say_where_each_value_comes_from(void **state)
{
    struct card card[CARDS_MAX];
    uint32_t cards = cards_read(card), found = 0, n;
    char **names = machine_presets(NULL), **paths = machine_paths(&n);
    (void)state;
    for (char **p = names; *p; p++) {
        struct machine m;
        struct machine_evidence ev;
        uint32_t count[EVIDENCE_GRADES], graded = 0;
        load_card(*p, &m, &ev);
        bool is_card = machine_evidence_kind(&ev) != MACHINE_OF_PAPER;
        bool listed = false;
        for (uint32_t i = 0; i < cards; i++)
            listed |= strcmp(card[i].machine, *p) == 0;
        if (is_card != listed) fail_msg("%s: %s", *p, listed ? "no evidence" : "not in the table");
        for (uint32_t i = 0; is_card && i < n; i++) {
            const struct evidence_value *v = machine_evidence_of(&ev, paths[i]);
            if (v->is_set && v->grade == EVIDENCE_NONE && strcmp(paths[i], "dram.set") != 0)
                fail_msg("%s: %s has no evidence", *p, paths[i]);
            assert_true((v->grade != EVIDENCE_NONE) == (v->source != NULL));
        }
        machine_evidence_count(&ev, &m, count);
        for (int g = EVIDENCE_MEASURED; g < EVIDENCE_GRADES; g++)
            graded += count[g];
        assert_true(is_card ? graded > 80 : graded == 0);
        found += is_card;
        machine_evidence_fini(&ev);
    }
    assert_int_equal(found, cards);
    mem_free(paths);
    machine_config_dirs_free(names);
}

static void cards_name_their_curves(void **state)
{
    static const struct {
        const char *machine;
        enum machine_kind kind;
        const char *first;
    } want[] = {{"v100", MACHINE_CARD_MEASURED, "v100"},
                {"a100-80", MACHINE_CARD_MEASURED, "a100_80"},
                {"a100-40", MACHINE_CARD_MEASURED, "a100_40"},
                {"h100-sxm", MACHINE_CARD_MEASURED, "h100_sxm"},
                {"gh200", MACHINE_CARD_MEASURED, "gh200"},
                {"h800", MACHINE_CARD, NULL},
                {"rtx3090", MACHINE_CARD, NULL},
                {"l40", MACHINE_CARD, NULL},
                {"mi210", MACHINE_CARD, NULL},
                {"b200", MACHINE_SHEET, NULL},
                {"qv100", MACHINE_OF_PAPER, NULL}};
    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct machine m;
        struct machine_evidence ev;
        load_card(want[i].machine, &m, &ev);
        assert_int_equal(machine_evidence_kind(&ev), want[i].kind);
        if (want[i].first) assert_string_equal(ev.curve[0], want[i].first);
        machine_evidence_fini(&ev);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cards_have_the_figures_of_their_sources),
        cmocka_unit_test(cards_say_where_each_value_comes_from),
        cmocka_unit_test(cards_name_their_curves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* detailed_protocols_long.c - MOESI and NMOESI on three caches, or on two that have one frame for
 * two lines; each row of the tables is met, and missed when it is taken out. */
#include "tests/unit/protocol_walk.h"

enum { PAIR_STATES = 400000, MUTANT_STATES = 600000 };

static const struct protocol *const all[] = {&protocol_moesi, &protocol_nmoesi};

static void three_caches_meet_every_row(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct walk *k = check(all[i], 3, 1, false, 0);
        all_rows_met(k, all[i]);
        mem_free(k);
    }
}

/* Too many states for all of them: those nearest to the beginning. */
static void two_lines_share_a_frame(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++)
        mem_free(check(all[i], 2, 2, false, PAIR_STATES));
}

/* Nothing is done and the state stays. */
static bool noticed_by(const struct protocol *p, bool home, const struct row *r, uint32_t caches)
{
    struct walk *k = walk_new(p, caches, 1, caches == 2);
    struct row *at = &(home ? &k->home : &k->agent)->at[r->state][r->event];
    at->action = DO_NOTHING;
    at->next = r->state;
    k->most = MUTANT_STATES;
    bool found = walk_all(k) != NULL;
    mem_free(k);
    return found;
}

/* Rows that nobody misses.  MOESI: all that an upgrade's other copies can answer with are data that
 * the upgrader has as well.  NMOESI: a gap of the walk's values, which do not tell the owner's
 * answer to a read to own from the L2's block. */
static bool may_be_taken_out(const struct protocol *p, bool home, const struct row *r)
{
    if (!home || r->event != DIR_DATA) return false;
    return r->state == (p == &protocol_moesi ? DIR_WU : DIR_WX);
}

static void every_row_is_needed(void **state)
{
    uint32_t unnoticed = 0;
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        const struct protocol *p = all[i / 2];
        const struct table *t = i % 2 ? &p->home : &p->agent;
        for (uint32_t k = 0; k < t->n; k++) {
            const struct row *r = &t->row[k];
            if (r->action == DO_NOTHING && r->next == r->state) continue;
            if (may_be_taken_out(p, i % 2, r)) continue;
            if (noticed_by(p, i % 2, r, 2) || noticed_by(p, i % 2, r, 3)) continue;
            unnoticed++;
            print_error("%s: no one misses the %s's row for %s at %s\n", p->name,
                        i % 2 ? "home" : "agent", t->state[r->state], t->event[r->event]);
        }
    }
    assert_int_equal(unnoticed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_caches_meet_every_row),
        cmocka_unit_test(two_lines_share_a_frame),
        cmocka_unit_test(every_row_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

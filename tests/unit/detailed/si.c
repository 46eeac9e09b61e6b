/* si.c - SI on two L1s and one or two lines: every state, every row, and each row missed
 * when it is taken out. */
#include "tests/support/si_walk.h"

static const struct table *table_of(bool home)
{
    return home ? &protocol_si.home : &protocol_si.agent;
}

static void every_row_is_met(void **state)
{
    (void)state;
    struct si_walk *k = si_check(1, false, true, 1, 1);
    for (int home = 0; home < 2; home++) {
        const struct table *t = table_of(home);
        for (uint32_t i = 0; i < t->n; i++) {
            const struct row *r = &t->row[i];
            if (k->met[home][r->state][r->event] == !(r->action & DO_NEVER)) continue;
            fail_msg("the %s's %s at %s: met, or not, against the table", home ? "home" : "agent",
                     t->state[r->state], t->event[r->event]);
        }
    }
    si_walk_free(k);
}

static void stores_that_fetch(void **state)
{
    (void)state;
    si_walk_free(si_check(1, true, true, 1, 1));
}

/* A row without these of its actions, or without all of them, its state kept. */
static bool noticed(bool home, const struct row *r, uint32_t without)
{
    struct si_walk *k = si_walk_new(1, false, true, 1, 1);
    struct row *at = &(home ? &k->home : &k->agent)->at[r->state][r->event];
    at->action &= ~without;
    if (!at->action) at->next = r->state;
    bool found = si_walk_all(k) != NULL;
    if (!found)
        print_error("no one misses %#x of the %s's row for %s at %s\n", without,
                    home ? "home" : "agent", table_of(home)->state[r->state],
                    table_of(home)->event[r->event]);
    si_walk_free(k);
    return found;
}

static void every_row_and_action_is_needed(void **state)
{
    uint32_t mutants = 0, unnoticed = 0;
    (void)state;
    for (int home = 0; home < 2; home++) {
        const struct table *t = table_of(home);
        for (uint32_t i = 0; i < t->n; i++) {
            const struct row *r = &t->row[i];
            if (r->action & DO_NEVER || (!r->action && r->next == r->state)) continue;
            mutants++;
            unnoticed += !noticed(home, r, UINT32_MAX);
            for (uint32_t bit = 0; bit < ACTIONS; bit++) {
                if (!(r->action >> bit & 1) || r->action == 1u << bit) continue;
                mutants++;
                unnoticed += !noticed(home, r, 1u << bit);
            }
        }
    }
    print_message("%u rows and actions taken out, %u unnoticed\n", mutants, unnoticed);
    assert_int_equal(unnoticed, 0);
}

/* No litmus program sees this one: the fill must be slower than the message. */
static void a_fill_kept_over_an_acquire_is_old(void **state)
{
    (void)state;
    struct si_walk *k = si_walk_new(1, false, true, 1, 1);
    struct row *r = &k->agent.at[BLOCK_IV][AGENT_ACQUIRE];
    r->action = DO_NOTHING;
    r->next = BLOCK_IV;
    const char *why = si_walk_all(k);
    assert_non_null(why);
    assert_string_equal(why, "a load is served old data");
    si_walk_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_met),
        cmocka_unit_test(stores_that_fetch),
        cmocka_unit_test(every_row_and_action_is_needed),
        cmocka_unit_test(a_fill_kept_over_an_acquire_is_old),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* protocols_long.c - MOESI and NMOESI on three caches, with all bytes at once, and on two
 * lines with values; each row of the tables is met, and missed when it is taken out. */
#include "tests/support/protocol_pair.h"

enum { MUTANT_STATES = 600000 };

static const struct protocol *const all[] = {&protocol_moesi, &protocol_nmoesi};

static void three_caches_meet_every_row(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        struct walk *k = protocol_check(all[i], 3, 0);
        all_rows_met(k, all[i]);
        walk_free(k);
    }
    walk_free(protocol_check(&protocol_moesi, 3, BYTE_OWN));
    walk_free(protocol_check(&protocol_moesi, 3, BYTE_ATOMIC(3)));
}

/* What follows from the bytes one at a time (protocols.c), seen. */
static void all_bytes_at_once(void **state)
{
    (void)state;
    walk_free(protocol_check(&protocol_nmoesi, 2, all_bytes(2)));
}

static void two_lines_and_a_frame(void **state)
{
    (void)state;
    check_pairs(&protocol_nmoesi, BYTE_OWN);
    check_pairs(&protocol_nmoesi, BYTE_ATOMIC(2));
}

/* Nothing is done and the state stays. */
static bool noticed_by(const struct protocol *p, bool home, const struct row *r, uint32_t caches,
                       uint8_t follow)
{
    struct walk *k = walk_new(p, caches, follow);
    struct row *at = &(home ? &k->home : &k->agent)->at[r->state][r->event];
    at->action = DO_NOTHING;
    at->next = r->state;
    k->most = MUTANT_STATES;
    bool found = walk_all(k) != NULL;
    walk_free(k);
    return found;
}

static bool noticed(const struct protocol *p, bool home, const struct row *r)
{
    return noticed_by(p, home, r, 2, BYTE_OWN) || noticed_by(p, home, r, 2, BYTE_ATOMIC(2)) ||
           noticed_by(p, home, r, 3, 0);
}

static void every_row_is_needed(void **state)
{
    uint32_t unnoticed = 0, mutants = 0;
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        const struct protocol *p = all[i / 2];
        const struct table *t = i % 2 ? &p->home : &p->agent;
        for (uint32_t k = 0; k < t->n; k++) {
            const struct row *r = &t->row[k];
            if (r->action == DO_NOTHING && r->next == r->state) continue;
            mutants++;
            if (noticed(p, i % 2, r)) continue;
            unnoticed++;
            print_error("%s: no one misses the %s's row for %s at %s\n", p->name,
                        i % 2 ? "home" : "agent", t->state[r->state], t->event[r->event]);
        }
    }
    print_message("%u rows taken out, %u unnoticed\n", mutants, unnoticed);
    assert_int_equal(unnoticed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_caches_meet_every_row),
        cmocka_unit_test(all_bytes_at_once),
        cmocka_unit_test(two_lines_and_a_frame),
        cmocka_unit_test(every_row_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* quickrelease.c - QuickRelease on two L1s and a line: every state, every row, and each row missed
 * when it is taken out. */
#include "tests/support/quickrelease_walk.h"

/* S-FIFOs of one block; a write and a read on their way to the slice. */
#define SMALL .up = 2, .down = 1, .entries1 = 1, .entries2 = 1

static const struct sync_shape all_accesses = {SMALL, .masks = SOME_BYTES,
                                               .may = {MAY_ALL & ~MAY_RELEASE, MAY_LOAD}};
static const struct sync_shape stores_and_releases = {SMALL, .masks = SOME_BYTES,
                                                      .may = {MAY_STORE | MAY_RELEASE, MAY_LOAD}};
static const struct sync_shape victims = {SMALL, .victims = true, .masks = ONE_BYTE,
                                          .may = {MAY_STORE | MAY_RELEASE, MAY_LOAD}};
static const struct sync_shape atomics_and_releases = {SMALL,
                                                       .may = {MAY_ATOMIC | MAY_RELEASE, MAY_LOAD}};
static const struct sync_shape one_byte = {SMALL, .masks = ONE_BYTE,
                                           .may = {MAY_STORE | MAY_ROUND | MAY_RELEASE, MAY_LOAD}};
static const struct sync_shape one_byte_atomics = {
    SMALL, .masks = ONE_BYTE, .may = {MAY_STORE | MAY_ATOMIC | MAY_RELEASE, MAY_LOAD}};

static const struct table *table_of(bool home)
{
    return home ? &protocol_quickrelease.home : &protocol_quickrelease.agent;
}

static void every_row_is_met(void **state)
{
    (void)state;
    struct sync_walk *k = sync_check(&all_accesses, 0);
    for (int home = 0; home < 2; home++) {
        const struct table *t = table_of(home);
        for (uint32_t i = 0; i < t->n; i++) {
            const struct row *r = &t->row[i];
            if (k->met[home][r->state][r->event] == !(r->action & DO_NEVER)) continue;
            fail_msg("the %s's %s at %s: met, or not, against the table", home ? "home" : "agent",
                     t->state[r->state], t->event[r->event]);
        }
    }
    sync_walk_free(k);
}

static void releases_order_stores(void **state)
{
    (void)state;
    sync_walk_free(sync_check(&stores_and_releases, 0));
    sync_walk_free(sync_check(&victims, 0));
    sync_walk_free(sync_check(&atomics_and_releases, 0));
    sync_walk_free(sync_check(&one_byte, 0));
    sync_walk_free(sync_check(&one_byte_atomics, 0));
}

/* An invalidation that is still on its way to another L1 when the release is over. */
static void a_release_waits_for_its_invalidations(void **state)
{
    (void)state;
    struct sync_walk *k = sync_walk_new(&victims);
    k->unprobed = true;
    const char *why = sync_walk_all(k);
    assert_non_null(why);
    assert_string_equal(why, "a load is served old data");
    sync_walk_free(k);
}

/* --- mutants --- */

/* Two actions are for tidiness. A copy beside written bytes is not read again: it leaves with them.
 * A fetch is not kept behind a write or an atomic whose invalidations have gone to all L1s, and
 * none is given the block until the fetch is over. */
static bool is_spare(bool home, const struct row *r)
{
    if (home) return r->state == BLOCK_II && r->event == HOME_ATOMIC;
    return r->state == BLOCK_W && r->event == AGENT_INVALIDATE;
}

static const char *walk_mutant(const struct sync_shape *p, uint32_t most, bool home,
                               const struct row *r, uint32_t without)
{
    struct sync_walk *k = sync_walk_new(p);
    struct row *at = &(home ? &k->home : &k->agent)->at[r->state][r->event];
    at->action &= ~without;
    if (!at->action) at->next = r->state;
    k->most = most;
    const char *why = sync_walk_all(k);
    sync_walk_free(k);
    return why;
}

/* A row without these of its actions, or without all of them, its state kept. */
static bool noticed(bool home, const struct row *r, uint32_t without)
{
    static const struct {
        const struct sync_shape *p;
        uint32_t most;
    } walks[] = {{&all_accesses, 60000},
                 {&atomics_and_releases, 0},
                 {&victims, 0},
                 {&one_byte, 0},
                 {&one_byte_atomics, 0}};
    for (uint32_t i = 0; i < sizeof walks / sizeof *walks; i++)
        if (walk_mutant(walks[i].p, walks[i].most, home, r, without)) return true;
    print_error("no one misses %#x of the %s's row for %s at %s\n", without,
                home ? "home" : "agent", table_of(home)->state[r->state],
                table_of(home)->event[r->event]);
    return false;
}

static void every_row_and_action_is_needed(void **state)
{
    uint32_t mutants = 0, unnoticed = 0;
    (void)state;
    for (int home = 0; home < 2; home++) {
        const struct table *t = table_of(home);
        for (uint32_t i = 0; i < t->n; i++) {
            const struct row *r = &t->row[i];
            bool does_nothing = !r->action && r->next == r->state;
            if (r->action & DO_NEVER || does_nothing) continue;
            for (uint32_t bit = 0; bit <= ACTIONS; bit++) { /* the last: all of them */
                uint32_t without = bit == ACTIONS ? UINT32_MAX : UINT32_C(1) << bit;
                if (bit < ACTIONS && (!(r->action & without) || r->action == without)) continue;
                if (is_spare(home, r) && (!home || without == DO_INVALIDATE)) continue;
                mutants++;
                unnoticed += !noticed(home, r, without);
            }
        }
    }
    print_message("%u rows and actions taken out, %u unnoticed\n", mutants, unnoticed);
    assert_int_equal(unnoticed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_met),
        cmocka_unit_test(releases_order_stores),
        cmocka_unit_test(a_release_waits_for_its_invalidations),
        cmocka_unit_test(every_row_and_action_is_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

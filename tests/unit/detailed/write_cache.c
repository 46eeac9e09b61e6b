/* write_cache.c - the write cache and its S-FIFOs against lists in which everything is looked up
 * anew, and in single cases. */
#include "detailed/coherence/write_cache.h"
#include "base/memory/rng.h"
#include "tests/support/check.h"

enum { WAYS = 2, SETS = 8, FIFO = 12, TAGS = 4 * SETS, OPS = 6000, MARKER = UINT32_MAX };

static const struct write_cache_params shape = {.kb = 1, .ways = WAYS, .fifo = FIFO};

static struct write_cache new_cache(uint32_t groups)
{
    struct write_cache w;
    assert_true(write_cache_init(&w, &shape, 64, groups));
    assert_int_equal(w.sets, SETS);
    return w;
}

static uint32_t set_of(uint64_t tag)
{
    return (uint32_t)tag % SETS;
}

/* --- the reference --- */

struct slow_block {
    uint64_t mask;             /* 0: not dirty */
    uint32_t version, written; /* when */
};

struct slow_entry {
    uint32_t group, marker;
    uint32_t tag; /* MARKER: of a release */
    bool left;
};

struct slow {
    struct slow_block block[TAGS];
    struct slow_entry entry[OPS];
    uint32_t n, now;
};

/* Whether the block's latest entry is this group's, stands behind its markers, and the block has
 * not left since. */
static bool is_entered(const struct slow *s, uint32_t tag, uint32_t group)
{
    if (!s->block[tag].mask) return false;
    for (uint32_t i = s->n; i-- > 0;) {
        const struct slow_entry *e = &s->entry[i];
        if (e->tag == tag) return e->group == group;
        if (e->tag == MARKER && e->group == group) return false;
    }
    return false;
}

static uint32_t count_blocks(const struct slow *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++)
        n += !s->entry[i].left && s->entry[i].tag != MARKER;
    return n;
}

static bool has_marker(const struct slow *s, uint32_t group)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (!s->entry[i].left && s->entry[i].group == group && s->entry[i].tag == MARKER)
            return true;
    return false;
}

/* The oldest entry that is to leave now; UINT32_MAX: none. */
static uint32_t slow_next(const struct slow *s)
{
    bool full = count_blocks(s) == FIFO;
    for (uint32_t i = 0; i < s->n; i++)
        if (!s->entry[i].left && (full || has_marker(s, s->entry[i].group))) return i;
    return UINT32_MAX;
}

static uint32_t slow_youngest_marker(const struct slow *s, uint32_t group)
{
    for (uint32_t i = s->n; i-- > 0;)
        if (!s->entry[i].left && s->entry[i].group == group)
            return s->entry[i].tag == MARKER ? s->entry[i].marker : SYNC_NONE;
    return SYNC_NONE;
}

/* The block of the set that was written first, if the set is full of other blocks. */
static uint32_t slow_victim(const struct slow *s, uint32_t tag)
{
    uint32_t n = 0, oldest = UINT32_MAX;
    if (s->block[tag].mask) return UINT32_MAX;
    for (uint32_t t = 0; t < TAGS; t++) {
        if (!s->block[t].mask || set_of(t) != set_of(tag)) continue;
        n++;
        if (oldest == UINT32_MAX || s->block[t].written < s->block[oldest].written) oldest = t;
    }
    return n == WAYS ? oldest : UINT32_MAX;
}

static void slow_store(struct slow *s, uint32_t tag, uint64_t mask, uint32_t version,
                       uint32_t group)
{
    struct slow_block *b = &s->block[tag];
    if (!is_entered(s, tag, group)) s->entry[s->n++] = (struct slow_entry){group, 0, tag, false};
    b->mask |= mask;
    b->version = version;
    b->written = ++s->now;
}

/* --- both --- */

static void blocks_agree(const struct write_cache *w, const struct slow *s, uint32_t groups)
{
    uint32_t used = 0;
    for (uint32_t t = 0; t < TAGS; t++) {
        const struct slow_block *b = &s->block[t];
        uint32_t line = write_cache_find(w, t, set_of(t)), victim = slow_victim(s, t);
        uint32_t leaves = write_cache_victim(w, t, set_of(t));
        used += b->mask != 0;
        assert_int_equal(line != WRITE_LINE_NONE, b->mask != 0);
        assert_true(!b->mask ||
                    (w->line[line].mask == b->mask && w->line[line].version == b->version));
        assert_int_equal(leaves == WRITE_LINE_NONE, victim == UINT32_MAX);
        assert_true(leaves == WRITE_LINE_NONE || w->line[leaves].tag == victim);
        for (uint32_t g = 0; g < groups; g++)
            assert_int_equal(write_cache_has_entry(w, t, set_of(t), g),
                             count_blocks(s) < FIFO || is_entered(s, t, g));
    }
    assert_int_equal(w->used, used);
}

static void fifos_agree(const struct write_cache *w, const struct slow *s, uint32_t groups)
{
    uint32_t next = slow_next(s), fifo = write_cache_dequeues(w);
    assert_true(write_cache_check(w));
    assert_int_equal(w->blocks, count_blocks(s));
    for (uint32_t g = 0; g < groups; g++)
        assert_int_equal(write_cache_youngest_marker(w, g), slow_youngest_marker(s, g));
    assert_int_equal(fifo == SYNC_NONE, next == UINT32_MAX);
    if (fifo == SYNC_NONE) return;
    const struct sync_entry *head = write_cache_head(w, fifo);
    const struct slow_entry *e = &s->entry[next];
    assert_int_equal(fifo, e->group);
    assert_int_equal(head->marker, e->tag == MARKER ? e->marker : SYNC_NONE);
    assert_true(e->tag == MARKER || head->tag == e->tag);
}

static void evict(struct write_cache *w, struct slow *s, uint32_t tag)
{
    uint32_t line = write_cache_find(w, tag, set_of(tag));
    if (line == WRITE_LINE_NONE) return;
    write_cache_remove(w, line);
    s->block[tag].mask = 0;
}

/* As an owner does: a block that is still there leaves with its entry. */
static void dequeue(struct write_cache *w, struct slow *s)
{
    uint32_t i = slow_next(s);
    if (i == UINT32_MAX) return;
    s->entry[i].left = true;
    if (s->entry[i].tag != MARKER) evict(w, s, s->entry[i].tag);
    write_cache_pop(w, s->entry[i].group);
}

static void store(struct write_cache *w, struct slow *s, uint32_t tag, uint64_t mask,
                  uint32_t group)
{
    uint32_t victim = slow_victim(s, tag);
    while (!write_cache_has_entry(w, tag, set_of(tag), group))
        dequeue(w, s);
    if (victim != UINT32_MAX) evict(w, s, victim);
    assert_true(write_cache_store(w, tag, set_of(tag), mask, s->now, group));
    slow_store(s, tag, mask, s->now, group);
}

static void release(struct write_cache *w, struct slow *s, uint32_t marker, uint32_t group)
{
    assert_true(write_cache_release(w, marker, group));
    s->entry[s->n++] = (struct slow_entry){group, marker, MARKER, false};
}

static uint32_t draw(struct rng *r, uint32_t n)
{
    return (uint32_t)rng_below(r, n);
}

static void random_steps_agree(uint32_t groups)
{
    static struct slow s;
    struct write_cache w = new_cache(groups);
    struct rng r;
    rng_seed(&r, 1, groups);
    memset(&s, 0, sizeof s);
    for (uint32_t i = 0; i < OPS; i++) {
        uint32_t tag = draw(&r, TAGS), group = draw(&r, groups), k = draw(&r, 16);
        if (k < 9)
            store(&w, &s, tag, UINT64_C(1) << draw(&r, 64), group);
        else if (k < 10)
            release(&w, &s, i, group);
        else if (k < 15)
            dequeue(&w, &s);
        else
            evict(&w, &s, tag);
        blocks_agree(&w, &s, groups);
        fifos_agree(&w, &s, groups);
    }
    write_cache_fini(&w);
}

static void random_steps_agree_with_lists(void **state)
{
    (void)state;
    random_steps_agree(1);
    random_steps_agree(2);
    random_steps_agree(5);
}

/* --- single cases --- */

static void put(struct write_cache *w, uint64_t tag, uint32_t group)
{
    assert_true(write_cache_has_entry(w, tag, set_of(tag), group));
    assert_int_equal(write_cache_victim(w, tag, set_of(tag)), WRITE_LINE_NONE);
    assert_true(write_cache_store(w, tag, set_of(tag), 1, 7, group));
}

/* Pops the FIFO's head as an owner does; returns the marker, or SYNC_NONE for a block's entry. */
static uint32_t pop(struct write_cache *w, uint32_t fifo)
{
    struct sync_entry head = *write_cache_head(w, fifo);
    uint32_t line = head.marker == SYNC_NONE ? write_cache_find(w, head.tag, set_of(head.tag))
                                             : WRITE_LINE_NONE;
    if (line != WRITE_LINE_NONE) write_cache_remove(w, line);
    write_cache_pop(w, fifo);
    return head.marker;
}

static void a_block_has_one_entry_since_the_last_marker(void **state)
{
    (void)state;
    struct write_cache w = new_cache(1);
    put(&w, 3, 0);
    put(&w, 3, 0);
    assert_int_equal(w.blocks, 1);
    assert_int_equal(write_cache_dequeues(&w), SYNC_NONE); /* nothing leads to a marker */
    assert_true(write_cache_release(&w, 40, 0));
    assert_int_equal(write_cache_youngest_marker(&w, 0), 40);
    put(&w, 3, 0);
    put(&w, 3, 0);
    assert_int_equal(w.blocks, 2);
    assert_int_equal(write_cache_youngest_marker(&w, 0), SYNC_NONE);
    assert_int_equal(write_cache_dequeues(&w), 0);
    assert_int_equal(pop(&w, 0), SYNC_NONE);
    assert_int_equal(w.used, 0); /* all its bytes, those from behind the marker, too */
    assert_int_equal(pop(&w, 0), 40);
    assert_int_equal(w.blocks, 1); /* of a block that has left */
    assert_int_equal(write_cache_dequeues(&w), SYNC_NONE);
    assert_true(write_cache_check(&w));
    write_cache_fini(&w);
}

static void the_block_written_longest_ago_is_the_victim(void **state)
{
    (void)state;
    struct write_cache w = new_cache(1);
    put(&w, 0, 0);
    put(&w, SETS, 0);
    put(&w, 0, 0);
    assert_int_equal(write_cache_victim(&w, 0, 0), WRITE_LINE_NONE);
    assert_int_equal(write_cache_victim(&w, 1, 1), WRITE_LINE_NONE);
    uint32_t victim = write_cache_victim(&w, 2 * SETS, 0);
    assert_int_equal(w.line[victim].tag, SETS);
    write_cache_remove(&w, victim);
    assert_int_equal(write_cache_victim(&w, 2 * SETS, 0), WRITE_LINE_NONE);
    write_cache_fini(&w);
}

/* The pool is one for all FIFOs, and its oldest entry leaves. */
static void a_full_fifo_refuses_and_its_oldest_entry_leaves(void **state)
{
    (void)state;
    struct write_cache w = new_cache(2);
    put(&w, 0, 1);
    for (uint32_t t = 1; t < FIFO; t++)
        put(&w, t, 0);
    assert_int_equal(w.blocks, FIFO);
    assert_false(write_cache_has_entry(&w, FIFO, set_of(FIFO), 0));
    assert_false(write_cache_has_entry(&w, 1, 1, 1)); /* its entry is in the other FIFO */
    assert_true(write_cache_has_entry(&w, 1, 1, 0));
    assert_int_equal(write_cache_dequeues(&w), 1);
    pop(&w, 1);
    assert_int_equal(write_cache_find(&w, 0, 0), WRITE_LINE_NONE);
    assert_int_equal(write_cache_dequeues(&w), SYNC_NONE);
    put(&w, FIFO, 1);
    for (uint32_t t = 1; t < FIFO; t++) {
        assert_int_equal(write_cache_dequeues(&w), 0);
        assert_int_equal(write_cache_head(&w, 0)->tag, t);
        pop(&w, 0);
        put(&w, FIFO + t, 1);
    }
    assert_int_equal(write_cache_dequeues(&w), 1);
    write_cache_fini(&w);
}

static void a_release_dequeues_its_own_fifo_alone(void **state)
{
    (void)state;
    struct write_cache w = new_cache(2);
    put(&w, 1, 0);
    put(&w, 2, 1);
    put(&w, 3, 1);
    assert_true(write_cache_release(&w, 9, 1));
    put(&w, 4, 1);
    assert_int_equal(write_cache_dequeues(&w), 1);
    assert_int_equal(pop(&w, 1), SYNC_NONE);
    assert_int_equal(pop(&w, 1), SYNC_NONE);
    assert_int_equal(pop(&w, 1), 9);
    assert_int_equal(write_cache_dequeues(&w), SYNC_NONE);
    assert_int_not_equal(write_cache_find(&w, 1, 1), WRITE_LINE_NONE);
    assert_int_not_equal(write_cache_find(&w, 4, 4), WRITE_LINE_NONE);
    assert_true(write_cache_check(&w));
    write_cache_fini(&w);
}

/* Markers are not counted against the FIFO's size; the pool grows. */
static void any_number_of_markers_may_wait(void **state)
{
    (void)state;
    struct write_cache w = new_cache(1);
    for (uint32_t k = 0; k < 5 * FIFO; k++) {
        assert_true(write_cache_release(&w, k, 0));
        if (k < FIFO) put(&w, k, 0);
    }
    for (uint32_t k = 0; k < 5 * FIFO; k++) {
        assert_int_equal(pop(&w, 0), k);
        if (k < FIFO) assert_int_equal(pop(&w, 0), SYNC_NONE);
    }
    assert_int_equal(w.used + w.blocks + w.markers, 0);
    write_cache_fini(&w);
}

static void a_dirty_block_without_an_entry_is_noticed(void **state)
{
    (void)state;
    struct write_cache w = new_cache(1);
    put(&w, 1, 0);
    put(&w, 2, 0);
    assert_true(write_cache_check(&w));
    write_cache_pop(&w, 0); /* and its block stays */
    assert_false(write_cache_check(&w));
    write_cache_remove(&w, write_cache_find(&w, 1, 1));
    assert_true(write_cache_check(&w));
    w.used++;
    assert_false(write_cache_check(&w));
    write_cache_clear(&w);
    assert_true(write_cache_check(&w));
    assert_int_equal(w.used + w.blocks, 0);
    write_cache_fini(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_steps_agree_with_lists),
        cmocka_unit_test(a_block_has_one_entry_since_the_last_marker),
        cmocka_unit_test(the_block_written_longest_ago_is_the_victim),
        cmocka_unit_test(a_full_fifo_refuses_and_its_oldest_entry_leaves),
        cmocka_unit_test(a_release_dequeues_its_own_fifo_alone),
        cmocka_unit_test(any_number_of_markers_may_wait),
        cmocka_unit_test(a_dirty_block_without_an_entry_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

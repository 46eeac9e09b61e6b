/* checkpoint_track.c - walkers that go on from a track's milestones leave what one pass from the
 * program's beginning leaves, to the bit. */
#include "gpu/functional/warming/checkpoint_track.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/memory/rng.h"
#include "gpu/functional/state/warm_state.h"
#include "tests/support/folder.h"
#include "tests/support/run.h"
#include "tests/support/warm_pass.h"

enum { MOMENTS = 12 };

/* What the structures of an L1 remember. */
static void same_memory(const struct l1_memory *a, const struct l1_memory *b,
                        const struct l1_params *p)
{
    uint64_t bytes = l1_memory_bytes(p);
    struct l1_memory both[2] = {*a, *b};
    unsigned char *block[2];
    for (uint32_t i = 0; i < 2; i++) {
        block[i] = mem_new(bytes + 1, 1);
        struct serializer t = {.mode = SERIALIZE_SAVE, .block = block[i]};
        l1_memory_serialize(&both[i], p, &t);
    }
    assert_memory_equal(block[0], block[1], bytes);
    mem_free(block[0]);
    mem_free(block[1]);
}

static void same_image(const struct cache_image *a, const struct cache_image *b)
{
    assert_int_equal(a->n, b->n);
    for (uint32_t i = 0; i < a->n; i++) {
        const struct line_image *x = &a->line[i], *y = &b->line[i];
        assert_true(x->tag == y->tag && x->valid == y->valid && x->partial == y->partial &&
                    x->dirty == y->dirty && x->note == y->note && x->owner == y->owner &&
                    x->bytes[0] == y->bytes[0] && x->bytes[1] == y->bytes[1]);
    }
    if (a->state) assert_memory_equal(a->state, b->state, a->n);
    if (a->state) assert_memory_equal(a->written, b->written, a->n * sizeof *a->written);
}

static void same_caches(const struct machine *m, const struct warm_state *a,
                        const struct warm_state *b)
{
    for (uint32_t i = 0; i < a->sms; i++) {
        same_image(&a->l1[i], &b->l1[i]);
        same_memory(&a->l1[i].memory, &b->l1[i].memory, &m->l1);
    }
    for (uint32_t i = 0; i < a->shared_from[SHARED_KINDS]; i++)
        same_image(&a->shared[i], &b->shared[i]);
    for (uint32_t i = 0; i < a->slices; i++)
        same_image(&a->slice[i], &b->slice[i]);
    for (uint32_t i = 0; i < a->parts; i++)
        same_image(&a->part[i], &b->part[i]);
    size_t words = (a->sms + 63) / 64;
    for (uint32_t i = 0; i < a->slices && a->slice[i].served; i++)
        assert_memory_equal(a->slice[i].served, b->slice[i].served,
                            a->slice[i].n * words * sizeof *a->slice[i].served);
    assert_int_equal(a->admission_bytes, b->admission_bytes);
    if (a->admission) assert_memory_equal(a->admission, b->admission, a->admission_bytes);
    assert_memory_equal(a->row, b->row, m->dram.channels * a->banks * sizeof *a->row);
}

static void same_snapshot(const struct machine *m, const struct program *p,
                          const struct snapshot *a, const struct snapshot *b)
{
    uint32_t warps = program_launch(p, a->interval.launch)->warps_per_cta;
    assert_int_equal(a->interval.launch, b->interval.launch);
    assert_int_equal(a->interval.next_cta, b->interval.next_cta);
    assert_int_equal(a->interval.n_residents, b->interval.n_residents);
    assert_int_equal(a->launch_done, b->launch_done);
    for (uint32_t i = 0; i < a->interval.n_residents; i++) {
        assert_int_equal(a->residents[i].cta, b->residents[i].cta);
        assert_int_equal(a->residents[i].sm, b->residents[i].sm);
        assert_int_equal(a->residents[i].subcore, b->residents[i].subcore);
        assert_memory_equal(a->residents[i].warp_done, b->residents[i].warp_done,
                            warps * sizeof *a->residents[i].warp_done);
    }
    for (uint32_t i = 0; i < a->interval.n_residents; i++) {
        const struct warp_names *x = &a->residents[i].name, *y = &b->residents[i].name;
        if (x->warp) assert_memory_equal(x->warp, y->warp, warps * sizeof *x->warp);
        assert_int_equal(x->cta_slot, y->cta_slot);
    }
    if (a->queues) assert_memory_equal(a->queues, b->queues, m->sm.count * sizeof *a->queues);
    if (a->interval.n_residents)
        assert_memory_equal(a->next_subcore, b->next_subcore,
                            m->sm.count * sizeof *a->next_subcore);
    same_caches(m, a->warm, b->warm);
}

static uint64_t length_of(const struct program *p)
{
    struct error e;
    uint64_t count[64], all = 0;
    assert_true(program_launches(p) <= 64 && program_count(p, count, &e));
    for (uint32_t i = 0; i < program_launches(p); i++)
        all += count[i];
    return all;
}

/* Moments in any order, asked of two walkers in turn. */
static void compare(const struct machine *m, const struct program *p, size_t bytes, uint64_t seed)
{
    struct error e = {0};
    struct snapshot pass[MOMENTS], one;
    uint64_t moments[MOMENTS], all = length_of(p);
    struct rng r;
    rng_seed(&r, seed, 0);
    for (uint64_t i = 0; i < MOMENTS; i++) /* ascending, one in each part; the first at 0 */
        moments[i] = all * i / MOMENTS + (i ? rng_below(&r, all / MOMENTS - 1) : 0);
    assert_true(checkpoints_take_snapshots(m, p, moments, MOMENTS, true, pass, &e));
    struct checkpoints *t = checkpoints_new(m, p, all, bytes, true, &e);
    assert_true(t && checkpoints_reach(t, moments[MOMENTS / 2], &e));
    assert_true(checkpoints_reach(t, moments[MOMENTS - 1], &e));
    struct checkpoint_runner *w[2] = {checkpoint_runner_new(t, &e), checkpoint_runner_new(t, &e)};
    assert_true(w[0] && w[1]);
    for (uint32_t i = 0; i < 2 * MOMENTS; i++) {
        uint32_t k = (uint32_t)rng_below(&r, MOMENTS);
        assert_true(checkpoint_runner_snapshot(w[i % 2], moments[k], &one, &e));
        same_snapshot(m, p, &pass[k], &one);
        snapshot_fini(&one);
    }
    for (uint32_t i = 0; i < MOMENTS; i++)
        snapshot_fini(&pass[i]);
    checkpoint_runner_free(w[0]);
    checkpoint_runner_free(w[1]);
    checkpoints_free(t);
}

static const struct {
    const char *preset, *set[4];
    size_t n;
} machines[] = {
    {"rx540", {0}, 0},
    {"rx540", {"l1.replacement=plru", "l2.replacement=random"}, 2},
    {"hd7870", {"l1.replacement=fifo", "l2.replacement=srrip", "sm.scheduler=lrr"}, 3},
    {"qv100", {"sm.count=4", "l1.adaptive=true"}, 2},
    {"rx540", {"l1.bypass=agcb"}, 1},
    {"rx540", {"l2.inclusion=inclusive", "l2.bank_kb=16"}, 2},
    {"fermi-vws",
     {"sm.scheduler=intercl", "sm.throttle=iwl", "sm.dispatch=serial", "sm.count=4"},
     4},
    {"fermi-vws",
     {"sm.scheduler=gto", "sm.throttle=ccws", "sm.dispatch=balanced", "sm.count=4"},
     4},
    {"hd7770-pdp16",
     {"coherence.protocol=moesi", "l2.inclusion=inclusive", "l2.write_miss=fetch"},
     3},
    {"hd7770-pdp16", {"coherence.protocol=nmoesi"}, 1},
    {"apu-quickrelease-wt", {"l3.write=back", "l3.replacement=random"}, 2},
    {"apu-quickrelease", {NULL}, 0},
    {"fermi-vws", {"sm.scheduler=owl", "sm.throttle=fixed", "sm.active_warps=12"}, 3},
    {"fermi-vws",
     {"sm.scheduler=tbas", "sm.throttle=ccws", "sm.batch_blocks=3", "sm.tbas.warps=6"},
     4},
};

/* Every machine walks one of so many programs, and all of them in checkpoint_track_long.c. */
#ifndef EVERY
enum { EVERY = 3 };
#endif
static const char *const programs[] = {
    "generator = \"stream\"; ctas = 96; warps_per_cta = 4; iterations = 6; launches = 3;",
    "generator = \"reduction\"; ctas = 60; warps_per_cta = 8; iterations = 4; launches = 2;",
    "generator = \"gather\"; ctas = 64; warps_per_cta = 4; iterations = 10; footprint = \"1MB\";",
};

static void walkers_leave_what_one_pass_leaves(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        struct machine m = run_machine(machines[i].preset, machines[i].set, machines[i].n);
        for (size_t k = i % EVERY; k < sizeof programs / sizeof programs[0]; k += EVERY) {
            struct program *p = run_program(programs[k], m.sm.warp_width);
            compare(&m, p, i % 2 ? (size_t)64 << 20 : 1, i); /* many milestones, or two */
            program_close(p);
        }
    }
}

/* A captured program: its streams lie in segments, its launches follow copies. */
static void captured_streams_are_found_again(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct error e = {0};
    struct program_opts o = {.warp_width = m.sm.warp_width};
    struct program *p = program_open(PLUMB_SOURCE_CONFIG_DIR "/workloads/fwt.plt", &o, &e);
    if (!p) fail_msg("%s", e.text);
    compare(&m, p, (size_t)64 << 20, 7);
    program_close(p);
}

/* A moment that the program does not have is an error for the pass and for those who wait. */
static void a_failed_pass_fails_its_walkers(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p = run_program(programs[2], m.sm.warp_width);
    struct error e = {0};
    struct snapshot one;
    uint64_t all = length_of(p);
    struct checkpoints *t = checkpoints_new(&m, p, all, 1 << 20, true, &e);
    struct checkpoint_runner *w = checkpoint_runner_new(t, &e);
    assert_false(checkpoints_reach(t, all + 1, &e));
    assert_int_equal(e.kind, ERROR_RUN);
    assert_false(checkpoint_runner_snapshot(w, all + 1, &one, &e));
    struct error of_clock = {0};
    bool known;
    double cycles;
    assert_false(checkpoints_clock(t, &all, &all, 1, &cycles, &known, &of_clock));
    assert_string_equal(of_clock.text, e.text);
    checkpoint_runner_free(w);
    checkpoints_free(t);
    program_close(p);
}

/* --- kept in a file --- */

static struct checkpoints *new_track(const struct machine *m, const struct program *p)
{
    struct error e = {0};
    struct checkpoints *t = checkpoints_new(m, p, length_of(p), (size_t)64 << 20, true, &e);
    if (!t) fail_msg("%s", e.text);
    return t;
}

static void compare_at(const struct machine *m, const struct program *p, struct checkpoints *t,
                       uint64_t moment)
{
    struct error e = {0};
    struct snapshot a, b;
    struct checkpoint_runner *w = checkpoint_runner_new(t, &e);
    assert_true(w && checkpoints_take_snapshots(m, p, &moment, 1, true, &a, &e));
    assert_true(checkpoints_reach(t, moment, &e) && checkpoint_runner_snapshot(w, moment, &b, &e));
    same_snapshot(m, p, &a, &b);
    snapshot_fini(&a);
    snapshot_fini(&b);
    checkpoint_runner_free(w);
}

/* Written half way, read, gone on with, written and read again. */
static void a_track_outlives_its_run(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p = run_program(programs[0], m.sm.warp_width);
    struct error e = {0};
    uint64_t all = length_of(p);
    remove(in_folder("one.track"));
    for (uint64_t run = 1; run <= 3; run++) {
        struct checkpoints *t = new_track(&m, p);
        assert_int_equal(checkpoints_load(t, in_folder("one.track")), run > 1);
        compare_at(&m, p, t, all / 8);
        compare_at(&m, p, t, all * run / 4);
        compare_at(&m, p, t, all * run / 4 - all / 16);
        assert_true(checkpoints_save(t, in_folder("one.track"), &e));
        checkpoints_free(t);
    }
    program_close(p);
}

/* The clock of parts of the way, from a track that has walked it, from a file of half of it and
 * from one of all of it; against a walk of its own. */
static void the_clock_is_kept(void **state)
{
    (void)state;
    enum { PARTS = 9 };
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p = run_program(programs[0], m.sm.warp_width);
    struct error e = {0};
    uint64_t all = length_of(p), from[PARTS], to[PARTS];
    double cycles[3][PARTS], sum = 0;
    for (uint64_t i = 0; i < PARTS; i++) {
        from[i] = all * i / PARTS;
        to[i] = all * (i + 1) / PARTS;
    }
    remove(in_folder("one.track"));
    for (uint32_t run = 0; run < 3; run++) {
        bool known = false;
        struct checkpoints *t = new_track(&m, p);
        assert_int_equal(checkpoints_load(t, in_folder("one.track")), run > 0);
        if (run == 0) /* the file goes half way */
            assert_true(checkpoints_reach(t, all / 2, &e) &&
                        checkpoints_save(t, in_folder("one.track"), &e));
        assert_true(checkpoints_clock(t, from, to, PARTS, cycles[run], &known, &e) && known);
        compare_at(&m, p, t, all - all / 5); /* as if the pass had not been walked to its end */
        assert_int_equal(t->behind, run == 2);
        if (run == 1) assert_true(checkpoints_save(t, in_folder("one.track"), &e));
        checkpoints_free(t);
    }
    struct warming_pass w;
    assert_true(warming_pass_init(&w, &m, p, true, &e));
    while (w.functional.done < all || w.functional.launch)
        assert_true(functional_step(&w.functional, &e));
    for (uint32_t i = 0; i < PARTS; i++) {
        assert_true(cycles[0][i] > 0 && cycles[0][i] == cycles[1][i]);
        assert_true(cycles[0][i] == cycles[2][i]);
        sum += cycles[0][i];
    }
    assert_near(sum, w.functional.now, 1e-6 * sum);
    warming_pass_fini(&w);
    program_close(p);
}

/* Every 97th byte of the file turned, and the file cut: nothing of it is taken. */
static void a_damaged_file_is_as_good_as_none(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p = run_program(programs[2], m.sm.warp_width);
    struct checkpoints *t = new_track(&m, p);
    struct error e = {0};
    char *bytes = NULL;
    size_t n = 0;
    remove(in_folder("one.track"));
    assert_true(checkpoints_reach(t, length_of(p) / 2, &e) &&
                checkpoints_save(t, in_folder("one.track"), &e) &&
                file_read_bytes(in_folder("one.track"), &bytes, &n, &e));
    checkpoints_free(t);
    t = new_track(&m, p);
    for (size_t i = 0; i < n + 97 * 97; i += i < 97 ? 1 : n / 97) {
        struct outfile *f = outfile_open(in_folder("one.track"), &e);
        if (i < n) bytes[i] ^= 4;
        outfile_write(f, bytes, i < n ? n : n - 1);
        assert_true(outfile_commit(f, &e));
        if (i < n) bytes[i] ^= 4;
        assert_false(checkpoints_load(t, in_folder("one.track")));
    }
    checkpoints_free(t);
    mem_free(bytes);
    program_close(p);
}

/* --- what it depends on --- */

/* Another value of a parameter; false: the machine takes none of those tried. */
static bool turn(struct machine *m, const char *path)
{
    static const char *const number[] = {"0", "1", "2", "3", "4", "8", "64", "true", "false"};
    const struct param *row = machine_find_param(path, NULL, NULL);
    struct digest before = machine_digest(m);
    for (uint32_t i = 0; i < 40; i++) {
        char set[128];
        const char *value = i < 9 ? number[i] : NULL, *sets[] = {set};
        if (!value && (!row->choices || !row->choices[i - 9].name)) return false;
        snprintf(set, sizeof set, "%s=%s", path, value ? value : row->choices[i - 9].name);
        struct machine other = *m;
        struct errors all = {0};
        bool taken = machine_set(&other, sets, 1, &all);
        errors_fini(&all);
        if (!taken || digest_equal(before, machine_digest(&other))) continue;
        *m = other;
        return true;
    }
    return false;
}

/* Machines that share a file leave the same: all parameters are turned that a pass is said not to
 * see. */
static void machines_that_share_a_track_leave_the_same(void **state)
{
    (void)state;
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p = run_program(programs[2], m.sm.warp_width);
    struct checkpoints *t = new_track(&m, p);
    struct error e = {0};
    uint64_t moment = length_of(p) / 2;
    uint32_t n, turned = 0, shared = 0;
    char **path = machine_paths(&n), *own = checkpoints_path(t);
    assert_true(own && checkpoints_reach(t, moment, &e));
    for (uint32_t i = 0; i < n; i++) {
        struct machine other = m;
        if (machine_find_param(path[i], NULL, NULL)->seen == PARAM_SEEN) continue;
        if (!turn(&other, path[i])) continue;
        struct checkpoints *o = new_track(&other, p);
        char *others = checkpoints_path(o);
        turned++;
        if (strcmp(own, others) == 0) {
            shared++;
            compare_at(&other, p, t, moment);
        }
        checkpoints_free(o);
        mem_free(others);
    }
    print_message("%u parameters turned, %u share the track\n", turned, shared);
    assert_true(turned >= 30 && shared >= 20);
    mem_free(path);
    mem_free(own);
    checkpoints_free(t);
    program_close(p);
}

/* What the pass does see makes another track. */
static void other_caches_have_other_tracks(void **state)
{
    (void)state;
    static const char *const set[] = {"l2.bank_kb=512",    "l1.replacement=fifo",
                                      "dram.channels=1",   "sm.count=3",
                                      "l1.mshr.entries=7", "dram.timing.tRC=999"};
    struct machine m = run_machine("rx540", NULL, 0);
    struct program *p = run_program(programs[2], m.sm.warp_width);
    struct checkpoints *t = new_track(&m, p);
    char *own = checkpoints_path(t);
    for (size_t i = 0; i < sizeof set / sizeof set[0]; i++) {
        struct machine other = run_machine("rx540", &set[i], 1);
        struct checkpoints *o = new_track(&other, p);
        char *others = checkpoints_path(o);
        assert_string_not_equal(own, others);
        checkpoints_free(o);
        mem_free(others);
    }
    checkpoints_free(t);
    mem_free(own);
    program_close(p);
}

/* --- its version --- */

static void add_image(struct text *t, const struct cache_image *x)
{
    for (uint32_t i = 0; i < x->n; i++)
        text_add(t, "%llx %x %x,", (unsigned long long)x->line[i].tag, x->line[i].valid,
                 x->line[i].dirty);
    text_add(t, "\n");
}

/* Of tags, open rows and the places of the warps at the middle of a program. */
static struct digest left_by(const struct machine *m, const struct program *p)
{
    struct error e = {0};
    struct snapshot s;
    struct text t = {0};
    uint64_t moment = length_of(p) / 2;
    if (!checkpoints_take_snapshots(m, p, &moment, 1, true, &s, &e)) fail_msg("%s", e.text);
    for (uint32_t i = 0; i < s.warm->sms; i++)
        add_image(&t, &s.warm->l1[i]);
    for (uint32_t i = 0; i < s.warm->slices; i++)
        add_image(&t, &s.warm->slice[i]);
    for (uint32_t i = 0; i < s.warm->banks * m->dram.channels; i++)
        text_add(&t, "%x %llu ", s.warm->row[i], (unsigned long long)s.warm->idle[i]);
    uint32_t warps = program_launch(p, s.interval.launch)->warps_per_cta;
    for (uint32_t i = 0; i < s.interval.n_residents * warps; i++)
        text_add(&t, "%llu ", (unsigned long long)s.residents[i / warps].warp_done[i % warps]);
    for (uint32_t i = 0; i < s.interval.n_residents; i++)
        text_add(&t, "%u ", s.residents[i].subcore);
    struct digest d = digest_text(text_str(&t));
    text_fini(&t);
    snapshot_fini(&s);
    return d;
}

/* Files of one version hold what the same pass leaves: whoever changes that counts it up and takes
 * the new digests over, which a failing run prints. */
static void what_a_pass_leaves_changes_with_the_version(void **state)
{
    (void)state;
    enum { OF_VERSION = 16 };
    static const char *const was[] = {"7c9d419cc9ca3dd4a95d4267c2782b2d",
                                      "dde178cbfc3295ba8f658aab33828060",
                                      "f183e3f4aa330fdc0ab40ea071894ee2"};
    uint32_t changed = 0;
    assert_int_equal(TRACK_VERSION, OF_VERSION);
    for (size_t k = 0; k < sizeof programs / sizeof programs[0]; k++) {
        struct machine m = run_machine(k ? "hd7870" : "rx540", NULL, 0);
        struct program *p = run_program(programs[k], m.sm.warp_width);
        char hex[33];
        digest_hex(left_by(&m, p), hex);
        if (strcmp(hex, was[k]) != 0) print_message("%zu: %s\n", k, hex), changed++;
        program_close(p);
    }
    assert_int_equal(changed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_pass_leaves_changes_with_the_version),
        cmocka_unit_test(a_failed_pass_fails_its_walkers),
        cmocka_unit_test(walkers_leave_what_one_pass_leaves),
        cmocka_unit_test(captured_streams_are_found_again),
        cmocka_unit_test(a_track_outlives_its_run),
        cmocka_unit_test(the_clock_is_kept),
        cmocka_unit_test(a_damaged_file_is_as_good_as_none),
        cmocka_unit_test(machines_that_share_a_track_leave_the_same),
        cmocka_unit_test(other_caches_have_other_tracks),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}

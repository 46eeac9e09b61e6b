/* Do all presets load, survive a round trip, and hold the figures of their sources? */
#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "gpu/machine/machine.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct machine preset(const char *name, const char *set)
{
    struct machine m;
    struct errors all = {0};
    if (!machine_load(&m, name, &set, set != NULL, &all))
        fail_msg("%s %s: %s", name, set ? set : "", all.n ? all.item[0].text : "");
    errors_fini(&all);
    return m;
}

static double derived(const struct machine *m, const char *name)
{
    struct derived d[MACHINE_DERIVED_MAX];
    uint32_t n = machine_derive(m, d);
    for (uint32_t i = 0; i < n; i++)
        if (strcmp(d[i].name, name) == 0) return d[i].value;
    fail_msg("no %s", name);
    return 0;
}

static void round_trip(const char *name, const char *set)
{
    struct machine m = preset(name, set), again;
    struct errors all = {0};
    struct text dump = {0}, dump2 = {0};
    machine_dump(&m, &dump);
    if (!machine_parse(&again, text_str(&dump), "dump.cfg", NULL, 0, &all))
        fail_msg("%s: %s", name, all.item[0].text);
    assert_true(digest_equal(machine_digest(&m), machine_digest(&again)));
    assert_string_equal(again.name, m.name);
    assert_string_equal(again.description, m.description);
    /* Beside the name of the set that it started from, every byte: derived fields, too. */
    memcpy(again.dram.set, m.dram.set, sizeof m.dram.set);
    memcpy(again.second_dram.set, m.second_dram.set, sizeof m.second_dram.set);
    machine_dump(&again, &dump2);
    assert_string_equal(text_str(&dump), text_str(&dump2));
    assert_int_equal(again.l1.cache.sets, m.l1.cache.sets);
    assert_int_equal(again.l2.cache.sets, m.l2.cache.sets);
    assert_int_equal(again.dram.clock_khz, m.dram.clock_khz);
    text_fini(&dump);
    text_fini(&dump2);
}

/* A file that a user writes of a preset's machine keeps the preset, by which calibrations are
 * found, and has the same values, also where a choice ends settings of the preset. */
static void file_keeps_its_preset(const char *name, const char *set)
{
    struct machine m = preset(name, set), again;
    struct errors all = {0};
    struct text file = {0};
    m.name[0] = '\0';
    machine_dump_file(&m, &file);
    if (!machine_parse(&again, text_str(&file), "mine.cfg", NULL, 0, &all))
        fail_msg("%s %s: %s", name, set ? set : "", all.item[0].text);
    assert_true(digest_equal(machine_digest(&m), machine_digest(&again)));
    assert_string_equal(again.preset, name);
    assert_int_equal(again.preset_version, m.preset_version);
    assert_string_equal(again.moved, "");
    assert_string_equal(again.name, "mine");
    text_fini(&file);
}

static void every_preset_survives_a_round_trip(void **state)
{
    char **names = machine_presets(NULL);
    uint32_t n = 0;
    (void)state;
    for (char **p = names; *p; p++, n++) {
        round_trip(*p, NULL);
        round_trip(*p, "dram.model=fixed");
        round_trip(*p, "clock.core_mhz=933.333");
        file_keeps_its_preset(*p, NULL);
        file_keeps_its_preset(*p, "dram.model=fixed");
        file_keeps_its_preset(*p, "clock.core_mhz=933.333");
        if (n > 0) assert_true(strcmp(p[-1], p[0]) < 0);
        struct machine m = preset(*p, NULL);
        assert_string_equal(m.name, *p);
        assert_true(m.description[0]);
        /* Where pages choose their bank, they want a mapping that the other set lacks. */
        bool any_set = m.dram.model == DRAM_BANKS && m.pages.frames == FRAMES_IN_ORDER;
        if (any_set) round_trip(*p, "dram.set=hbm2-1ch");
    }
    assert_true(n >= 2);
    machine_config_dirs_free(names);
}

/* Another allowed value; false: there is none. */
static bool change(struct machine *m, const struct part *part, const struct param *p)
{
    unsigned char *at = (unsigned char *)m + part->offset + p->offset;
    if (p->type != PARAM_ENUM) {
        at[0] ^= 1;
        return true;
    }
    const struct choice *c = p->choices;
    int now = 0;
    memcpy(&now, at, sizeof now);
    while (c->name && c->value == now)
        c++;
    if (c->name) memcpy(at, &c->value, sizeof now);
    return c->name;
}

/* Each parameter alone moves the digest; the name does not. */
static void the_digest_sees_every_parameter(void **state)
{
    uint32_t n, moved = 0;
    char **paths = machine_paths(&n);
    struct machine m = preset("gem5gpu-temp", NULL); /* of two memories */
    struct digest d = machine_digest(&m);
    (void)state;
    for (uint32_t i = 0; i < n; i++) {
        const struct part *part;
        const struct param *p = machine_find_param(paths[i], &part, NULL);
        struct machine changed = m;
        if (p->type == PARAM_FRAGMENT || !change(&changed, part, p)) continue;
        assert_false(digest_equal(machine_digest(&changed), d));
        moved++;
    }
    assert_true(moved > 100);
    strcpy(m.name, "other");
    strcpy(m.dram.set, "other");
    assert_true(digest_equal(machine_digest(&m), d));
    mem_free(paths);
}

/* A set fills everything that belongs to the memory itself: what came before must not shine
 * through. */
static void sets_are_complete(void **state)
{
    char path[256], set[300];
    uint32_t n, sets = 0;
    char **paths = machine_paths(&n);
    (void)state;
    DIR *d = opendir(PLUMB_SOURCE_CONFIG_DIR "/dram");
    assert_non_null(d);
    for (struct dirent *entry; (entry = readdir(d));) {
        size_t len = strlen(entry->d_name);
        if (len <= 4 || strcmp(entry->d_name + len - 4, ".cfg") != 0) continue;
        snprintf(path, sizeof path, "%.*s", (int)(len - 4), entry->d_name);
        snprintf(set, sizeof set, "dram.set=%s", path);
        struct machine a = preset("rx540", set), b = preset("qv100", set);
        a.dram.extra_latency = b.dram.extra_latency; /* of the machine's controllers */
        for (uint32_t i = 0; i < n; i++) {
            struct text va = {0}, vb = {0};
            if (strncmp(paths[i], "dram.", 5) != 0) continue;
            machine_get(&a, paths[i], &va);
            machine_get(&b, paths[i], &vb);
            if (strcmp(text_str(&va), text_str(&vb)) != 0) fail_msg("%s: %s", set, paths[i]);
            text_fini(&va);
            text_fini(&vb);
        }
        sets++;
    }
    closedir(d);
    assert_true(sets >= 6);
    mem_free(paths);
}

static void near(double value, double expected, double relative)
{
    if (fabs(value - expected) > relative * expected) fail_msg("%g, not %g", value, expected);
}

/* Bandwidths that the sources state. */
static void bandwidths_are_those_of_the_sources(void **state)
{
    static const struct {
        const char *machine, *set;
        double gbps;
    } cases[] = {
        {"rx540", NULL, 48.0},              /* four channels of 64 B per 5.33 ns */
        {"qv100", NULL, 870.4},             /* "about 870 GB/s" */
        {"rx540", "dram.set=gddr5", 95.95}, /* DRAMsim3's own figures from here on */
        {"rx540", "dram.set=hbm2", 256.0},
        {"rx540", "dram.set=hbm2-1ch", 32.0},
        {"rx540", "dram.set=ddr3", 14.95},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct machine m = preset(cases[i].machine, cases[i].set);
        near(derived(&m, "peak_gbps"), cases[i].gbps, 0.001);
    }
}

static void rx540_is_the_machine_of_the_thesis(void **state)
{
    struct machine m = preset("rx540", NULL);
    (void)state;
    assert_int_equal(m.sm.count, 8);
    assert_int_equal(m.sm.warp_width, 64);
    assert_int_equal(m.l2.banks * m.l2.bank_kb, 512);
    assert_int_equal(m.l2.cache.sets, 256 * 1024 / 64 / 32);
    assert_int_equal(m.l2.miss_management, MISS_CONVENTIONAL);
    near(derived(&m, "peak_bytes_per_cycle"), 40.0, 1e-9);
    near(derived(&m, "memory_mb"), 2048, 1e-9);
    /* RL = CL + AL = 35; the row is activated tRCD - AL = 1 clock before the read; BL/2 = 8. */
    near(derived(&m, "memory_cycles") - derived(&m, "l2_hit_cycles"), (35 + 1 + 8) * 1.2 / 1.5,
         1e-9);
}

static void qv100_is_the_machine_of_accel_sim(void **state)
{
    struct machine m = preset("qv100", NULL);
    struct clocks c;
    (void)state;
    assert_int_equal(m.sm.count, 80);
    assert_int_equal(m.sm.launch_cycles, 5000);
    assert_int_equal(m.l1.cache.sets, 4);
    assert_int_equal(m.l2.cache.sets, 32);
    assert_int_equal(m.l2.banks * m.l2.bank_kb, 6 * 1024);
    assert_int_equal(m.dram.bus_bytes * m.dram.burst_length, 32);
    near(derived(&m, "l1_hit_cycles"), 24, 1e-9);
    near(derived(&m, "l2_hit_cycles"), 193, 1e-9); /* the sum of the parts, without queues */
    near(derived(&m, "memory_cycles"), 335, 0.02);
    assert_true(machine_clocks(&m, &c));
    assert_int_equal(c.period[CLOCK_CORE] * 1132, c.period[CLOCK_DRAM] * 850);
}

/* What the sources say of each machine, against what follows from its file. */
static void presets_have_the_figures_of_their_sources(void **state)
{
    static const struct {
        const char *machine;
        uint32_t sms, warps, width;
        double l1_sets, l2_kb, l2_sets, gbps;
        double l2_cycles;     /* of a load that hits the L2; 0: the source is silent */
        double memory_cycles; /* behind the L2, alone */
    } want[] = {
        /* Candel, tables 2.1 and 3.1: 100 cycles; 64 B in 2 cycles for each of 4 channels: a link
           of the simulator */
        {"hd7770-pdp16", 10, 40, 64, 64, 256, 128, 128.0, 0, 100},
        {"hd7770-hpcs15", 10, 40, 64, 64, 256, 128, 128.0, 0, 100},
        /* table 4.2: 64 B in 16 / 2 clocks of 0.667 ns, four times; 90 cycles */
        {"hd7770-fgcs18", 10, 40, 64, 64, 256, 128, 48.0, 0, 90},
        {"hd7770-europar18", 10, 40, 64, 64, 256, 128, 48.0, 0, 90},
        {"hd7870", 20, 40, 64, 64, 512, 128, 153.6, 0, 90},
        /* Mao, table 4; latencies are ours */
        {"gtx480", 15, 48, 32, 32, 768, 128, 177.4, 120, 100},
        {"fermi-vws", 15, 48, 32, 64, 768, 128, 177.4, 120, 100},
        /* Khairy, table II: 4.5 MB, 652 GB/s, 100 ns at 1.2 GHz */
        {"titanv", 80, 64, 32, 64, 4608, 48, 652.8, 0, 0},
        {"titanv-gpgpusim3", 80, 64, 32, 64, 4608, 48, 652.8, 0, 120},
        {"rx540", 8, 40, 64, 64, 512, 128, 48.0, 0, 0},
        /* Candel, 6.6.3 and 6.6.6; bandwidths are ours */
        {"rx570", 32, 40, 64, 64, 2048, 128, 192.0, 0, 0},
        {"vega64", 64, 40, 64, 64, 4096, 128, 483.84, 0, 0},
        {"rx540-tc19", 8, 40, 64, 64, 512, 128, 48.0, 0, 0},
        {"rx570-tc19", 32, 40, 64, 64, 2048, 128, 192.0, 0, 0},
        {"vega64-tc19", 64, 40, 64, 64, 4096, 128, 483.84, 0, 0},
        {"qv100", 80, 64, 32, 4, 6144, 32, 870.4, 193, 0},
    };
    uint32_t found = 0, listed = sizeof want / sizeof want[0];
    char **names = machine_presets(NULL);
    (void)state;
    for (uint32_t i = 0; i < listed; i++) {
        struct machine m = preset(want[i].machine, NULL);
        double l2 = derived(&m, "l2_hit_cycles");
        assert_int_equal(m.sm.count, want[i].sms);
        assert_int_equal(m.sm.max_warps, want[i].warps);
        assert_int_equal(m.sm.warp_width, want[i].width);
        near(derived(&m, "l1_sets"), want[i].l1_sets, 0);
        near(derived(&m, "l2_kb"), want[i].l2_kb, 0);
        near(derived(&m, "l2_sets"), want[i].l2_sets, 0);
        near(derived(&m, "peak_gbps"), want[i].gbps, 0.001);
        if (want[i].l2_cycles > 0) near(l2, want[i].l2_cycles, 0.01);
        if (want[i].memory_cycles > 0)
            near(derived(&m, "memory_cycles") - l2, want[i].memory_cycles, 0.02);
        for (char **p = names; *p; p++)
            found += strcmp(*p, want[i].machine) == 0;
    }
    assert_int_equal(found, listed);
    machine_config_dirs_free(names);
}

/* What data sheets and white papers say of cards, against what follows from their files. */
static void figures_are_those_of_data_sheets(void **state)
{
    static const struct {
        const char *machine;
        double fp32, matrix; /* TFLOP/s, at the file's clock */
        double l1_kb;        /* of all SMs */
        double pin;
    } want[] = {
        /* 19.5 and 312 TFLOPS, 192 KB of L1 and shared memory (A100 white paper): 164 at most are
         * shared */
        {"a100-80", 19.5, 312, 108 * (192 - 20), 3.024},
        /* 67 and 989 TFLOPS at 1830 MHz (H100 data sheet; the file has 1980 MHz) */
        {"h100-sxm", 66.9, 989 * 1980.0 / 1830, 132 * 233, 5.2381},
        /* 82.6 TFLOPS at 2520 MHz and 165 (Ada white paper; the file has 2235 MHz) */
        {"rtx4090", 82.6 * 2235 / 2520, 165 * 2235.0 / 2520, 128 * 90, 21},
        /* 1307 TFLOPS (MI300X data sheet); packed single precision is not in it */
        {"mi300x", 81.7, 1307, 304 * 32, 5.2},
        /* 8 CUs of 64 lanes at 1200 MHz; no matrix unit */
        {"rx540", 1.2288, 0, 8 * 16, 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct machine m = preset(want[i].machine, NULL);
        near(derived(&m, "fp32_tflops"), want[i].fp32, 0.005);
        near(derived(&m, "matrix_tflops"), want[i].matrix, 0.005);
        near(derived(&m, "l1_kb"), want[i].l1_kb, 0);
        near(derived(&m, "pin_gbps"), want[i].pin, 0.001);
        near(derived(&m, "bytes_per_flop"),
             derived(&m, "peak_gbps") / derived(&m, "fp32_tflops") / 1000, 1e-9);
    }
    struct machine m = preset("rx540", NULL);
    near(derived(&m, "trcd_ns"), 12, 1e-9); /* 18 clocks of 0.667 ns (Candel, table 4.2) */
    near(derived(&m, "tcl_ns"), 12, 1e-9);
    near(derived(&m, "trc_ns"), 40, 1e-9);
    near(derived(&m, "l2_gbps"), 2 * 64 * 1.2, 1e-9); /* two slices, a look-up of 64 bytes */
    m = preset("a100-80", NULL);
    near(derived(&m, "l1_gbps"), 108 * 128 * 1.41, 1e-9); /* 128 bytes a cycle and SM */
    near(derived(&m, "sm_lines"), m.l1.cache.mshr.entries / 4.0, 1e-9); /* sectors of 32 bytes */
    near(derived(&m, "dram_lines"), 40 * 256 * 32 / 128.0, 1e-9);       /* 256 bursts a channel */
}

static uint32_t doubts_of(const char *name, const char *set, struct machine_oddity *doubt)
{
    struct machine m = preset(name, set);
    return machine_oddities(&m, doubt);
}

/* No preset does what no DRAM of its kind does; a clock alone makes it. */
static void no_preset_is_implausible(void **state)
{
    struct machine_oddity doubt[MACHINE_ODDITIES_MAX];
    char **names = machine_presets(NULL);
    (void)state;
    for (char **p = names; *p; p++)
        if (doubts_of(*p, NULL, doubt) > 0)
            fail_msg("%s: %s = %g", *p, doubt[0].figure, doubt[0].value);
    machine_config_dirs_free(names);
    assert_int_equal(doubts_of("rtx4090", "dram.clock_mhz=11200", doubt), 4);
    assert_string_equal(doubt[0].kind, "gddr6x");
    assert_string_equal(doubt[1].figure, "trcd_ns");
    near(doubt[1].value, 3.482, 0.001);
    assert_true(doubt[1].range.least > 10 && doubt[1].range.most < 25);
    assert_int_equal(doubts_of("rtx4090", "dram.clock_mhz=300", doubt), 4); /* as slow as that */
    assert_int_equal(doubts_of("rtx4090", "dram.timing.tCL=1", doubt), 1);
    assert_string_equal(doubt[0].figure, "tcl_ns");
    /* a second memory; one without banks; one whose kind is not known: beyond all kinds */
    assert_int_equal(doubts_of("gem5gpu-temp", "dram[1].timing.tRCDRD=1", doubt), 1);
    assert_string_equal(doubt[0].memory, "dram[1]");
    assert_int_equal(doubts_of("rtx4090", "dram.model=fixed", doubt), 0);
    struct machine m = preset("rtx4090", "dram.clock_mhz=11200");
    m.dram.kind = DRAM_KIND_NONE;
    assert_int_equal(machine_oddities(&m, doubt), 4);
    assert_string_equal(doubt[0].kind, "DRAM");
}

static void khairy_names_the_steps_between_the_models(void **state)
{
    struct machine old = preset("titanv-gpgpusim3", NULL), new = preset("titanv", NULL);
    (void)state;
    assert_int_equal(old.sm.coalesce_lanes, 32);
    assert_int_equal(new.sm.coalesce_lanes, 8);
    assert_int_equal(old.l2.cache.sector_bytes, 128);
    assert_int_equal(new.l2.cache.sector_bytes, 32);
    assert_int_equal(old.l2.cache.write_miss, WRITE_MISS_FETCH);
    assert_int_equal(new.l2.cache.write_miss, WRITE_MISS_LAZY_FETCH);
    assert_int_equal(old.l1.cache.alloc, ALLOC_ON_MISS);
    assert_int_equal(new.l1.cache.alloc, ALLOC_ON_FILL);
    assert_false(old.l1.adaptive || old.l2.copy_warms);
    assert_true(new.l1.adaptive &&new.l2.copy_warms);
    assert_int_equal(old.l2.slice_hash, SLICE_MODULO);
    assert_int_equal(new.l2.slice_hash, SLICE_XOR);
    assert_true(new.l1.cache.tags > 128 * 1024 / 128);
    assert_int_equal(new.l1.wake, WAKE_IN_TURN);
    assert_int_equal(old.l1.cache.write, WRITE_EVICT);
    near(derived(&new, "l1_hit_cycles"), 28, 1e-9);
}

static void configuration_paths_come_first(void **state)
{
    char dir[] = "/tmp/plumb-presets-XXXXXX", path[128];
    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/gpus.cfg", dir);
    char *found = paths_config("gpus/rx540.cfg");
    assert_non_null(found);
    assert_null(strstr(found, dir));
    mem_free(found);
    setenv("PLUMB_CONFIG_PATH", dir, 1);
    found = paths_config("gpus.cfg");
    assert_null(found);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
    found = paths_config("gpus.cfg");
    assert_string_equal(found, path);
    mem_free(found);
    unsetenv("PLUMB_CONFIG_PATH");
    assert_null(paths_config("gpus.cfg"));
    unlink(path);
    assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preset_survives_a_round_trip),
        cmocka_unit_test(the_digest_sees_every_parameter),
        cmocka_unit_test(sets_are_complete),
        cmocka_unit_test(bandwidths_are_those_of_the_sources),
        cmocka_unit_test(rx540_is_the_machine_of_the_thesis),
        cmocka_unit_test(qv100_is_the_machine_of_accel_sim),
        cmocka_unit_test(presets_have_the_figures_of_their_sources),
        cmocka_unit_test(figures_are_those_of_data_sheets),
        cmocka_unit_test(no_preset_is_implausible),
        cmocka_unit_test(khairy_names_the_steps_between_the_models),
        cmocka_unit_test(configuration_paths_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which faults of a machine file are found, and where each is reported: every class of them in a
 * text, with its line. */
#include "tests/support/machine_files.h"

struct fault {
    const char *text;     /* of the file, which is called t.cfg */
    const char *where;    /* how the line must begin */
    const char *must_say; /* and what it must hold */
};

static const struct fault faults[] = {
    /* names */
    {"sm : {\n  cout = 3;\n};", "t.cfg:2: sm.cout: unknown parameter", "sm.count"},
    {"l2 : {\n mshr : {\n  entires = 4;\n };\n};", "t.cfg:3: l2.mshr.entires:", "l2.mshr.entries"},
    {"l4 : { };", "t.cfg:1: l4: unknown", "l1, scalar, tlb, l2"},
    {"l2 : { qqqqqqqqqq = 1; };", "t.cfg:1: l2.qqqqqqqqqq: unknown", "plumb machine params"},
    /* evidence */
    {"evidence = 3;", "t.cfg:1: evidence: a value", "group"},
    {"evidence : {\n sure : ( );\n};", "t.cfg:2: evidence: sure: unknown grade", "vendor"},
    {"evidence : {\n vendor = 1;\n};", "t.cfg:2: evidence: vendor: this", "a list"},
    {"evidence : {\n vendor : ( 1 );\n};", "t.cfg:2: evidence: vendor: this", "of = ["},
    {"evidence : { vendor : ( { of = [\"l2.ways\"]; } ); };", "t.cfg:1: evidence: vendor: this",
     "source"},
    {"evidence : { vendor : ( { of = [\"l2.ways\"]; source = \"\"; } ); };",
     "t.cfg:1: evidence: vendor: this", "plain text"},
    {"evidence : { vendor : ( { of = [\"l2.way\"]; source = \"s\"; } ); };",
     "t.cfg:1: evidence: l2.way: unknown", "l2.ways"},
    {"evidence : { vendor : ( { of = [\"l2.mshr\"]; source = \"s\"; } ); };",
     "t.cfg:1: evidence: l2.mshr: unknown", "a dot at its end"},
    {"evidence : { vendor : ( { of = [\"\"]; source = \"s\"; } ); };",
     "t.cfg:1: evidence: : unknown", "a parameter"},
    {"evidence : { vendor : ( { of = [4]; source = \"s\"; } ); };", "t.cfg:1: evidence: a path",
     "sm.count"},
    {"evidence : {\n vendor : ( { of = [\"l2.ways\"]; source = \"s\"; } );\n"
     " guessed : ( { of = [\"l2.ways\"]; source = \"t\"; } );\n};",
     "t.cfg:3: evidence: l2.ways stands twice", "one grade"},
    {"evidence : { curves = [\"no-such-card\"]; };", "t.cfg:1: evidence: curves: no-such-card",
     "configs/curves/NAME.csv"},
    {"evidence : { curves = [\"../curves/a40\"]; };", "t.cfg:1: evidence: curves: ..", "NAME.csv"},
    {"evidence : { curves = 4; };", "t.cfg:1: evidence: curves: this", "NAME"},
    /* types */
    {"l2 : { bank_kb = \"big\"; };", "t.cfg:1: l2.bank_kb: \"big\" is a text", "1 to 65536 (KB)"},
    {"l2 : { bank_kb = 1.5; };", "t.cfg:1: l2.bank_kb: a real number", "a whole number"},
    {"l1 : {\n\nenabled = 1;\n};", "t.cfg:3: l1.enabled: a whole number", "true or false"},
    {"sm : { scheduler = 2; };", "t.cfg:1: sm.scheduler: a whole number", "\"lrr\", \"gto\""},
    {"l2 = 5;", "t.cfg:1: l2: a value", "group"},
    {"l2 : { mshr = 5; };", "t.cfg:1: l2.mshr: a value", "group"},
    {"l2 : { bank_kb : { a = 1; }; };", "t.cfg:1: l2.bank_kb: a group", "a whole number"},
    {"dram : { mapping = 4; };", "t.cfg:1: dram.mapping: a whole number", "text"},
    {"l1 : { adaptive = true; shared_options_kb = 4; };", "t.cfg:1: l1.shared_options_kb: a whole",
     "a list"},
    {"name = 4;", "t.cfg:1: name:", "a text"},
    /* a protocol over caches that do otherwise */
    {"coherence : { protocol = \"si\"; };\nl1 : {\n write = \"back\";\n};", "t.cfg:3: l1.write: si",
     "\"through\""},
    {"coherence : { protocol = \"si\"; };\nl1 : {\n write_miss = \"validate\";\n};",
     "t.cfg:3: l1.write_miss: si", "\"no_allocate\""},
    {"coherence : { protocol = \"si\"; };\nl1 : {\n flush_at_launch = false;\n};",
     "t.cfg:3: l1.flush_at_launch: si", "true is allowed"},
    {"coherence : { protocol = \"si\"; };\nl2 : {\n write = \"through\";\n};",
     "t.cfg:3: l2.write: si", "\"back\""},
    {"coherence : { protocol = \"si\"; };\nl2 : {\n write_miss = \"no_allocate\";\n};",
     "t.cfg:3: l2.write_miss: si", "any"},
    {"l1 : { enabled = false; };\n\ncoherence : { protocol = \"si\"; };",
     "t.cfg:3: coherence.protocol: a protocol without L1s", "\"none\""},
    {"coherence : { protocol = \"mesi\"; };", "t.cfg:1: coherence.protocol: \"mesi\"",
     "\"nmoesi\", \"moesi\""},
    {"coherence : { protocol = \"moesi\"; };\nl1 : {\n write = \"back\";\n};",
     "t.cfg:3: l1.write: moesi and nmoesi", "\"through\""},
    {"coherence : { protocol = \"nmoesi\"; };\nl2 : {\n write = \"through\";\n};",
     "t.cfg:3: l2.write: a directory", "\"back\""},
    /* ranges and choices */
    {"l2 : { bank_kb = 0; };", "t.cfg:1: l2.bank_kb: 0 is out of range", "1 to 65536"},
    {"l2 : { bank_kb = -1; };", "t.cfg:1: l2.bank_kb: -1 is out of range", "1 to 65536"},
    {"sm : { count = 5000000000; };", "t.cfg:1: sm.count: 5000000000 is out of range", "1024"},
    {"clock : { core_mhz = 0.5; };", "t.cfg:1: clock.core_mhz: 0.5 is out", "1 to 100000 (MHz)"},
    {"l1 : { replacement = \"mru\"; };", "t.cfg:1: l1.replacement: \"mru\"", "\"lru\""},
    {"noc : { topology = \"torus\"; };", "t.cfg:1: noc.topology: \"torus\"", "\"crossbar\""},
    {"l2 : { miss_management = \"frc\"; };", "t.cfg:1: l2.miss_management: \"frc\"",
     "\"replace_at_once\", \"conventional\""},
    {"dram : { mapping = \"a-text-of-more-than-sixty-three-characters-has-no-place-in-this-row\"; "
     "};",
     "t.cfg:1: dram.mapping:", "63"},
    /* policies that are not selected */
    {"l2 : {\n victim_rule = \"lru_ext\";\n};", "t.cfg:2: l2.victim_rule: set although",
     "l2.miss_management = conventional"},
    {"l1 : { unified_kb = 64; };", "t.cfg:1: l1.unified_kb: set although", "l1.adaptive = true"},
    {"coherence : { fence_invalidates = true; };", "t.cfg:1: coherence.fence_invalidates: set",
     "coherence.protocol other than none"},
    {"l1 : {\n enabled = false;\n kb = 32;\n};", "t.cfg:3: l1.kb: set although",
     "l1.enabled = true"},
    {"l1 : { enabled = false; mshr : { entries = 8; }; };",
     "t.cfg:1: l1.mshr.entries: set although", "l1.enabled = true"},
    {"l1 : { enabled = false; frc : { entries = 8; }; };", "t.cfg:1: l1.frc.entries: set although",
     "l1.enabled = true"},
    {"l2 : { link_latency = 8; };", "t.cfg:1: l2.link_latency: set although l2.partitions = 1",
     "l2.partitions other than 1"},
    {"l2 : { partitions = 2; partition_home = \"memory\"; link_latency = 8; };",
     "t.cfg:1: l2.link_latency: set although l2.partition_home = memory",
     "l2.partition_home = partition"},
    {"l1 : { enabled = false; adaptive = true; };", "t.cfg:1: l1.adaptive: set although",
     "l1.enabled = true"},
    {"dram : {\n model = \"fixed\";\n ranks = 2;\n};", "t.cfg:3: dram.ranks: set although",
     "dram.model = banks"},
    {"dram : { write_high = 8; };", "t.cfg:1: dram.write_high: set although",
     "dram.write_queue other than 0"},
    /* impossible combinations, laid on what was set last */
    {"l2 : { miss_management = \"conventional\"; bank_kb = 32; frc : {\n entries = 512; }; };",
     "t.cfg:2: l2.frc.entries: 512 entries in sets of 8 are 64 sets", "which has 16"},
    {"l1 : { frc : {\n entries = 2048; }; };",
     "t.cfg:2: l1.frc.entries: 2048 entries in sets of 8 are 256 sets", "which has 64"},
    {"sm : { warp_width = 48; coalesce_lanes = 32; };", "t.cfg:1: sm.warp_width:", "32 or 64"},
    {"sm : { warp_width = 32; };", "t.cfg:1: sm.warp_width: 64 lanes join in warps of 32", "power"},
    {"sm : { max_warps = 41; };", "t.cfg:1: sm.max_warps: 41 warps on 4", "multiple"},
    {"sm : {\n coalesce_bytes = 128;\n};", "t.cfg:2: sm.coalesce_bytes: 128 bytes", "line"},
    {"sm : { max_warps = 130; subcores = 2; };", "t.cfg:1: sm.", "at most 64 per sub-core"},
    {"l1 : { write_miss = \"fetch\"; };", "t.cfg:1: l1.write_miss:", "lazy_fetch"},
    {"l2 : { sector_bytes = 32; };", "t.cfg:1: l2.sector_bytes: L1 sectors of 64", "at most"},
    {"sm : { shared_banks = 12; };", "t.cfg:1: sm.shared_banks: 12", "power of two"},
    {"l2 : { line_bytes = 96; bank_kb = 192; };", "t.cfg:1: l2.line_bytes: lines of 96",
     "power of two"},
    {"l2 : {\n sector_bytes = 128; };",
     "t.cfg:2: l2.sector_bytes: sectors of 128 bytes in lines of 64", "up to the line"},
    {"l1 : { kb = 17; ways = 7; };", "t.cfg:1: l1.", "17 KB are not a whole number of sets"},
    {"l1 : { kb = 17; ways = 7; };", "t.cfg:1: l1.", "5 ways for 64 sets, is allowed"},
    {"l1 : { kb = 48; index = \"ipoly\"; };", "t.cfg:1: l1.", "ipoly over 192 sets"},
    {"l1 : { line_bytes = 128; };", "t.cfg:1: l1.line_bytes: L1 lines of 128", "at most the L2's"},
    {"l2 : { interleave_bytes = 32; };\ndram : { burst_length = 8; };",
     "t.cfg:1: l2.interleave_bytes: 32 bytes", "line"},
    {"l2 : { interleave_bytes = 384; };", "t.cfg:1: l2.interleave_bytes: 384", "power of two"},
    {"l2 : { bank_kb = 192; index = \"xor\"; };", "t.cfg:1: l2.", "xor over 96 sets"},
    {"l1 : { ways = 8;\n replacement = \"plru\"; kb = 24; };\nl2 : { ways = 24; bank_kb = 192;\n"
     " replacement = \"plru\"; };",
     "t.cfg:4: l2.replacement: plru over 24 ways", "power of two"},
    {"l1 : { replacement = \"fifo\"; replacement_seed = 3; };", "t.cfg:1: l1.replacement_seed: set",
     "l1.replacement = random"},
    {"l2 : { banks = 6; };", "t.cfg:1: l2.banks: 6 slices and 4 channels", "multiple"},
    {"l2 : { miss_management = \"conventional\";\n alloc = \"on_fill\"; };",
     "t.cfg:2: l2.alloc: conventional", "on_miss"},
    {"sm : { shared_kb = 96; };\nl1 : { adaptive = true;\n kb = 24;\n};",
     "t.cfg:3: l1.kb: l1.kb = 24, but", "l1.kb = 32 is allowed, or l1.unified_kb = 120"},
    {"sm : { shared_kb = 96; };\nl1 : { adaptive = true;\n reserved_kb = 32; kb = 32;\n};",
     "t.cfg:3: l1.kb: 96 KB and a reserve of 32", "less is allowed"},
    {"sm : { shared_kb = 96; };\nl1 : { adaptive = true;\n kb = 16;\n};",
     "t.cfg:3: l1.kb: l1.kb = 16, but", "l1.kb = 32 is allowed, or l1.unified_kb = 112"},
    {"l1 : { adaptive = true; kb = 32; };", "t.cfg:1: l1.adaptive: 64 KB of shared", "96"},
    {"sm : { shared_kb = 8; };\nl1 : { adaptive = true; kb = 64; shared_options_kb = [0, 64, 8]; "
     "};",
     "t.cfg:2: l1.", "8 KB after 64; rising"},
    /* clocks: coprime figures in kHz */
    {"clock : { core_mhz = 999.983; noc_mhz = 999.979; l2_mhz = 999.961; };", "t.cfg:1: clock.",
     "no common multiple"},
    {"clock : { core_mhz = 1000.0005; };", "t.cfg:1: clock.core_mhz: 1000.0005", "three decimals"},
    /* memory */
    {"dram : { bus_bytes = 6; };", "t.cfg:1: dram.bus_bytes: 6", "power of two"},
    {"dram : { rows = 1000; };", "t.cfg:1: dram.rows: 1000", "power of two"},
    {"dram : { burst_length = 1; };", "t.cfg:1: dram.burst_length: bursts of 1 beats",
     "whole clocks"},
    {"dram : { bus_bytes = 32; };", "t.cfg:1: dram.bus_bytes: bursts of 512", "256 here"},
    {"dram : { mapping = \"row:bnak:column\"; };", "t.cfg:1: dram.mapping: \"bnak\"", "bankgroup"},
    {"dram : { mapping = \"row:column\"; };", "t.cfg:1: dram.mapping: bank is missing", "4 bits"},
    {"dram : {\n ranks = 2;\n};", "t.cfg:2: dram.ranks: rank is missing", "1 bits"},
    {"dram : { mapping = \"row:column[6]:bank:column\"; };", "t.cfg:1: dram.mapping: its lowest 5",
     "64 bytes"},
    {"dram : { burst_length = 4; mapping = \"row:bank:column[6]:channel:column\"; };",
     "t.cfg:1: dram.mapping: channel bits from bit 5", "64 bytes; above"},
    {"l2 : { slice_hash = \"ipoly\"; banks = 12; };", "t.cfg:1: l2.slice_hash: ipoly over 12",
     "a power of two"},
    {"l2 : { slice_hash = \"channel\"; };", "t.cfg:1: l2.slice_hash: slices that go",
     "in one piece"},
    {"l2 : { slice_hash = \"channel\"; };\ndram : { mapping = \"row:bank:channel:column\"; };",
     "t.cfg:2: dram.mapping: slices that go", "256 bytes"},
    {"dram : { channel_hash = \"fold\"; };", "t.cfg:1: dram.channel_hash: a hash", "none"},
    {"dram : { bank_hash = \"bits\"; bank_hash_rows = [3, 14]; };",
     "t.cfg:1: dram.bank_hash_rows: row bit 14", "lower bits"},
    {"dram : { lockstep = 16; };", "t.cfg:1: dram.lockstep: bursts of 16 beats", "whole clocks"},
    {"dram : { timing : {\n tRC = 59; }; };", "t.cfg:2: dram.timing.tRC: tRC = 59", "60"},
    {"dram : { timing : {\n tRAS = 10; }; };", "t.cfg:2: dram.timing.tRAS: tRAS = 10", "18"},
    {"dram : { timing : { tCCD_L = 5; }; };", "t.cfg:1: dram.timing.tCCD_L:", "equal"},
    {"dram : { timing : { tRRD_S = 5; }; };", "t.cfg:1: dram.timing.tRRD_S:", "equal"},
    {"dram : { bankgroups = 4; banks_per_group = 4;\n timing : { tWTR_L = 7; }; };",
     "t.cfg:2: dram.timing.tWTR_L: tWTR_L = 7 under", "at least"},
    {"dram : { timing : { tFAW = 8; }; };", "t.cfg:1: dram.timing.tFAW:", "tRRD_S = 9"},
    {"dram : { timing : { tREFI = 200; }; };", "t.cfg:1: dram.timing.tREFI:", "tRFC = 278"},
    {"dram : { timing : { tRFC = 1;\n tREFI = 60; }; };",
     "t.cfg:2: dram.timing.tREFI:", "to open, use and close a row"},
    {"dram : { timing : { tCL = 0; }; };", "t.cfg:1: dram.timing.tCL:", "at least 1"},
    {"dram : { write_queue = 16;\n write_high = 20; write_low = 4; };", "t.cfg:2: dram.write_",
     "write_low < write_high <= write_queue"},
    {"dram : { set = \"ddr9\"; };", "t.cfg:1: dram.set: \"ddr9\" is not there", "dram/NAME.cfg"},
    {"coherenc : { };", "t.cfg:1: coherenc: unknown, the closest known one is coherence",
     "l2, l3, cpu, coherence, noc, pages, dram"},
    {"l2 : { inclusion = \"inclusive\"; };\nnoc : { arbitration = \"fixed\"; };",
     "t.cfg:2: noc.arbitration: an L2", "ports that starve"},
    /* register files */
    {"register_file : { mapping = \"remapped\"; };", "t.cfg:1: register_file.mapping: set although",
     "register_file.cells other than none"},
    {"register_file : { cells = \"sram\";\n racetrack : { ports = 8; };\n};",
     "t.cfg:2: register_file.racetrack.ports: set although", "register_file.cells = racetrack"},
    {"register_file : { cells = \"sram\";\n banks = 3; };",
     "t.cfg:2: register_file.banks: 65536 registers", "multiple of 192"},
    {"register_file : { cells = \"racetrack\";\n banks = 3; };",
     "t.cfg:2: register_file.banks: 65536 registers", "multiple of 192"},
    {"register_file : { cells = \"racetrack\"; };\nsm : { registers = 0; };",
     "t.cfg:2: sm.registers: 0 registers", "multiple of 1024"},
    {"register_file : { cells = \"racetrack\";\n racetrack : { ports = 3; };\n};",
     "t.cfg:2: register_file.racetrack.ports: 3 ports on a track of 64 bits", "divisor"},
    {"register_file : { cells = \"racetrack\";\n racetrack : { ports = 128; };\n};",
     "t.cfg:2: register_file.racetrack.ports: 128 ports on a track of 64 bits", "divisor"},
    {"register_file : { cells = \"racetrack\";\n banks = 4; racetrack : {\n ports = 1; };\n};",
     "t.cfg:3: register_file.racetrack.ports: 1 ports on a track of 256 bits", "at most 64 bits"},
    {"register_file : { cells = \"sram\"; banks = 2;\n mapping = \"warp_banks\";\n};",
     "t.cfg:2: register_file.mapping: 2 banks", "a multiple of 4"},
    {"register_file : { cells = \"sram\";\n write_buffer = 40;\n};",
     "t.cfg:2: register_file.write_buffer: 40 entries", "a multiple of 16"},
    {"register_file : { cells = \"sram\";\n cache_entries = 6;\n};",
     "t.cfg:2: register_file.cache_entries: a register-file cache", "sm.scheduler = two_level"},
    {"sm : { scheduler = \"two_level\"; };\nregister_file : { cells = \"sram\"; write_buffer = "
     "32;\n"
     " cache_entries = 6;\n};",
     "t.cfg:3: register_file.cache_entries: a write buffer", "one of them"},
    {"sm : {\n scheduler = \"rmws\";\n};", "t.cfg:2: sm.scheduler: rmws", "racetrack"},
    {"register_file : { cells = \"sram\"; };\nsm : {\n scheduler = \"rmws\";\n};",
     "t.cfg:3: sm.scheduler: rmws", "racetrack"},
    /* two memories, pages */
    {"dram : ( { }, {\n channels = 1;\n} );", "t.cfg:2: dram[1].channels: a second memory",
     "pages.placement"},
    {"pages : { placement = \"local\"; };\ndram : ( { }, {\n channels = 1;\n timing : { tRP = 99; "
     "};\n} "
     ");",
     "t.cfg:4: dram[1].timing.tRP: tRC = 60", "at least"},
    {"dram : ( 4 );", "t.cfg:1: dram[0]: a value", "group"},
    {"dram : ( { }, { }, { } );", "t.cfg:1: dram[2]: one too many", "two of dram"},
    {"pages : {\n kb = 6;\n};", "t.cfg:2: pages.kb: 6", "power of two"},
    /* bases */
    {"\nbase = \"rx5400\";", "t.cfg:2: base: \"rx5400\" is not there", "rx540"},
    {"base = 4;", "t.cfg:1: base: not a text", "preset"},
};

static bool as_foretold(const struct fault *f, const struct errors *all)
{
    return all->n == 1 && all->item[0].kind == ERROR_INPUT &&
           strncmp(all->item[0].text, f->where, strlen(f->where)) == 0 &&
           strstr(all->item[0].text, f->must_say) && strchr(all->item[0].text, ';');
}

static void every_fault_is_found_where_it_is(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct machine m;
        struct errors all = {0};
        bool loaded = machine_parse(&m, faults[i].text, "t.cfg", NULL, 0, &all);
        bool ok = !loaded && as_foretold(&faults[i], &all);
        wrong += !ok;
        if (!ok) print_error("%s\ngave %u faults:\n", faults[i].text, all.n);
        for (uint32_t k = 0; !ok && k < all.n; k++)
            print_error("  %s\n", all.item[k].text);
        errors_fini(&all);
    }
    assert_int_equal(wrong, 0);
}

static void all_faults_come_in_one_run(void **state)
{
    static const char text[] = "sm : {\n cout = 3;\n scheduler = \"x\";\n};\n"
                               "l2 : {\n bank_kb = 0;\n interleave_bytes = 100;\n};\nl9 = 1;\n";
    static const char *const begins[] = {
        "t.cfg:2: sm.cout:", "t.cfg:3: sm.scheduler:", "t.cfg:6: l2.bank_kb:",
        "t.cfg:9: l9:",      "--set l1.kb=x: l1.kb:",  "t.cfg:7: l2.interleave_bytes:"};
    static const char *const sets[] = {"l1.kb=x"};
    struct machine m;
    struct errors all = {0};
    (void)state;
    assert_false(machine_parse(&m, text, "t.cfg", sets, 1, &all));
    assert_int_equal(all.n, sizeof begins / sizeof begins[0]);
    for (uint32_t i = 0; i < all.n; i++)
        assert_memory_equal(all.item[i].text, begins[i], strlen(begins[i]));
    errors_fini(&all);
}

static void a_syntax_fault_is_reported(void **state)
{
    struct machine m;
    struct errors all = {0};
    (void)state;
    assert_false(machine_parse(&m, "sm : {\n count = ;\n};", "t.cfg", NULL, 0, &all));
    assert_int_equal(all.n, 1);
    assert_memory_equal(all.item[0].text, "t.cfg:2:", 8);
    errors_fini(&all);
}

static void faults_of_files_carry_the_file(void **state)
{
    struct machine m;
    struct errors all = {0};
    char where[160];
    (void)state;
    machine_files_put("a.cfg", "base = \"b.cfg\";\nl1 : { kbs = 3; };\n");
    machine_files_put("b.cfg", "# comment\n\n\nl2 : { way = 4; };\n");
    assert_false(machine_files_load(&m, "a.cfg", &all));
    assert_int_equal(all.n, 2);
    snprintf(where, sizeof where, "%s/b.cfg:4: l2.way:", machine_files_dir);
    assert_memory_equal(all.item[0].text, where, strlen(where));
    snprintf(where, sizeof where, "%s/a.cfg:2: l1.kbs:", machine_files_dir);
    assert_memory_equal(all.item[1].text, where, strlen(where));
    errors_fini(&all);
}

static void unknown_machines_and_files_are_refused(void **state)
{
    struct machine m;
    struct errors all = {0};
    (void)state;
    assert_false(machine_load(&m, "qv101", NULL, 0, &all));
    assert_false(machine_load(&m, "./no-such-file.cfg", NULL, 0, &all));
    assert_int_equal(all.n, 2);
    assert_non_null(strstr(all.item[0].text, "qv100"));
    assert_non_null(strstr(all.item[1].text, "no-such-file.cfg"));
    errors_fini(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_is_found_where_it_is),
        cmocka_unit_test(all_faults_come_in_one_run),
        cmocka_unit_test(a_syntax_fault_is_reported),
        cmocka_unit_test(faults_of_files_carry_the_file),
        cmocka_unit_test(unknown_machines_and_files_are_refused),
    };
    return cmocka_run_group_tests(tests, machine_files_make, machine_files_remove);
}

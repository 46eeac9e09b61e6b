/* import_cache.c - the caches: -gpgpu_cache:dl1, -gpgpu_cache:dl2 and what belongs to them; see
 * importer.h. */
#include "gpu/machine/import/import_additions.h"
#include "gpu/machine/import/importer.h"

#include <stdio.h>
#include <string.h>

enum { LEAST_IPOLY = 16, MOST_IPOLY = 1024, QUEUES = 4, SIZES_MOST = PARAM_LIST_MAX };

/* --- the string ------------------------------------------------------------------------------- */

static const char form[] = "KIND:SETS:LINE:WAYS,REPLACEMENT:WRITE:ALLOCATION:WRITE-MISS:INDEX,"
                           "MSHR:ENTRIES:MERGES,QUEUE[:...][,PORT]";

static bool read_string(const char *s, struct cache_string *c, char *kind, char *mshr)
{
    int end = 0;
    if (sscanf(s, "%c:%9u:%9u:%9u,%c:%c:%c:%c:%c,%c:%9u:%9u,%9u%n", kind, &c->sets, &c->line_bytes,
               &c->ways, &c->replacement, &c->write, &c->alloc, &c->write_miss, &c->index, mshr,
               &c->mshr_entries, &c->mshr_merge, &c->miss_queue, &end) != 13)
        return false;
    /* Behind the miss queue: the entries of a result queue, and the width of the data port. */
    return strchr(s, '-') == NULL && s[end + (int)strspn(s + end, ":,0123456789")] == '\0';
}

static bool letter(struct machine_importer *im, const struct option *o, const char *what, char has,
                   const char *allowed)
{
    if (strchr(allowed, has) && has) return true;
    importer_fault(im, o, "%s '%c'; one of %s is allowed", what, has, allowed);
    return false;
}

static void read_cache(struct machine_importer *im, const struct option *o, struct cache_string *c)
{
    char kind, mshr;
    if (!read_string(o->value, c, &kind, &mshr)) {
        importer_fault(im, o, "%.80s; %s is allowed", o->value, form);
        *c = (struct cache_string){0};
        return;
    }
    bool fine = letter(im, o, "kind", kind, "NS") && letter(im, o, "MSHR", mshr, "AS") &&
                letter(im, o, "replacement", c->replacement, "LF") &&
                letter(im, o, "write policy", c->write, "TBEL") &&
                letter(im, o, "allocation", c->alloc, "mfs") &&
                letter(im, o, "write miss", c->write_miss, "NWFL") &&
                letter(im, o, "index", c->index, "LPXHC");
    c->sector_bytes = kind == 'S' ? IMPORT_SECTOR_BYTES : c->line_bytes;
    if (fine && (c->sets == 0 || c->line_bytes == 0 || c->ways == 0)) {
        importer_fault(im, o, "%u sets of %u lines of %u bytes; numbers from 1 on are allowed",
                       c->sets, c->ways, c->line_bytes);
        fine = false;
    }
    if (!fine) *c = (struct cache_string){0};
}

void importer_caches(struct machine_importer *im)
{
    im->l1_option = importer_take(im, "gpgpu_cache:dl1", "none");
    im->l2_option = importer_take(im, "gpgpu_cache:dl2", NULL);
    if (strcmp(im->l1_option->value, "none") != 0) read_cache(im, im->l1_option, &im->l1);
    if (*im->l2_option->value) read_cache(im, im->l2_option, &im->l2);
    if (im->l2.sets == 0 || im->l1.sector_bytes <= im->l2.sector_bytes) return;
    im->l1.sector_bytes = im->l2.sector_bytes;
    importer_replaces(im, im->l1_option, "its lines have the sectors of the L2 here");
}

/* --- what both have --------------------------------------------------------------------------- */

static const char *index_name(struct machine_importer *im, const struct option *o,
                              const struct cache_string *c)
{
    bool power = (c->sets & (c->sets - 1)) == 0;
    if (c->index == 'X' && power) return "xor";
    if (c->index == 'P' && power && c->sets >= LEAST_IPOLY && c->sets <= MOST_IPOLY) return "ipoly";
    if (c->index == 'L') return "modulo";
    importer_replaces(im, o,
                      power ? "its set index is not built, another hash stands for it: xor"
                            : "its set index is not built for these sets: modulo");
    return power ? "xor" : "modulo";
}

static const char *write_miss_name(struct machine_importer *im, const struct option *o,
                                   const struct cache_string *c, bool fetches)
{
    if (c->write == 'E' || c->write_miss == 'N') return "no_allocate";
    if (c->write_miss == 'L') return "lazy_fetch";
    if (fetches) return "fetch";
    importer_replaces(im, o, "stores that miss the L1 fetch nothing here: lazy_fetch");
    return "lazy_fetch";
}

static void rows_of_both(struct machine_importer *im, const char *part, const struct option *o,
                         const struct cache_string *c, bool fetches)
{
    char path[32];
#define ROW(NAME, ...)                             \
    snprintf(path, sizeof path, "%s." NAME, part); \
    importer_set(im, o, "", path, __VA_ARGS__)
    ROW("line_bytes", "%u", c->line_bytes);
    ROW("sector_bytes", "%u", c->sector_bytes);
    ROW("replacement", "%s", c->replacement == 'F' ? "fifo" : "lru");
    ROW("index", "%s", index_name(im, o, c));
    ROW("alloc", "%s", c->alloc == 'm' ? "on_miss" : "on_fill");
    ROW("write", "%s", c->write == 'B' ? "back" : (c->write == 'E' ? "evict" : "through"));
    ROW("write_miss", "%s", write_miss_name(im, o, c, fetches));
    ROW("mshr.entries", "%u", c->mshr_entries);
    ROW("mshr.max_merge", "%u", c->mshr_merge);
#undef ROW
}

/* --- the L1 ----------------------------------------------------------------------------------- */

/* The KB of L1 and shared memory, and what shared memory may be of them. The first adaptive version
 * of GPGPU-Sim (4.0, 2020) had Volta's built in, and no options for them. */
static bool volta_built_in(const struct machine_importer *im)
{
    return !option_list_find(&im->options, "gpgpu_unified_l1d_size") &&
           !option_list_find(&im->options, "gpgpu_shmem_option");
}

const struct option *importer_shared_sizes(struct machine_importer *im)
{
    return importer_take(im, "gpgpu_shmem_option", volta_built_in(im) ? "0,8,16,32,64,96" : "0");
}

/* The unified memory's split; the KB that are left beside the largest shared memory. */
static uint32_t adaptive_rows(struct machine_importer *im)
{
    const struct option *list = importer_shared_sizes(im);
    const char *dflt = volta_built_in(im) ? "128" : "0";
    uint32_t unified = (uint32_t)importer_whole(im, "gpgpu_unified_l1d_size", dflt, 1, 4096);
    double kb[SIZES_MOST];
    uint32_t n = importer_numbers(im, list, ',', SIZES_MOST, kb);
    struct text sizes = {0};
    for (uint32_t i = 0; i < n; i++)
        text_add(&sizes, "%s%.0f", i ? ", " : "", kb[i]);
    importer_set(im, importer_take(im, "gpgpu_adaptive_cache_config", "0"), NULL, "l1.adaptive",
                 "true");
    if (volta_built_in(im))
        importer_replaces(
            im, importer_take(im, "gpgpu_adaptive_cache_config", "0"),
            "without -gpgpu_unified_l1d_size and -gpgpu_shmem_option: Volta's 128 KB, "
            "which GPGPU-Sim 4.0 had built in");
    importer_set(im, importer_take(im, "gpgpu_unified_l1d_size", dflt), NULL, "l1.unified_kb", "%u",
                 unified);
    importer_set(im, list, NULL, "l1.shared_options_kb", "%s", text_str(&sizes));
    text_fini(&sizes);
    if (n > 0 && kb[n - 1] < unified) return unified - (uint32_t)kb[n - 1];
    if (n > 0) importer_fault(im, list, "less than the %u KB of L1 and shared memory", unified);
    return 0;
}

static void l1_banks(struct machine_importer *im)
{
    uint32_t banks = (uint32_t)importer_whole(im, "gpgpu_l1_banks", "1", 1, 64);
    const struct option *hash = importer_take(im, "gpgpu_l1_banks_hashing_function", "0");
    if ((banks & (banks - 1)) != 0)
        importer_fault(im, importer_take(im, "gpgpu_l1_banks", "1"),
                       "%u; a power of two is allowed", banks);
    importer_set(im, importer_take(im, "gpgpu_l1_banks", "1"), "", "l1.ports", "%u", banks);
    importer_set(im, importer_take(im, "gpgpu_l1_banks", "1"), NULL, "l1.banks", "%u", banks);
    importer_set(im, importer_take(im, "gpgpu_l1_banks_byte_interleaving", "32"), NULL,
                 "l1.bank_bytes", "%u",
                 (uint32_t)importer_whole(im, "gpgpu_l1_banks_byte_interleaving", "32", 1, 4096));
    if (strcmp(hash->value, "0") != 0)
        importer_replaces(im, hash, "banks of the L1 lie in turn: l1.bank_index = modulo");
}

/* No access looks into an L1: nothing follows from what it would be like. */
static bool has_no_l1(struct machine_importer *im)
{
    static const char *const of_it[] = {"gpgpu_l1_latency",
                                        "gpgpu_l1_banks",
                                        "gpgpu_l1_banks_byte_interleaving",
                                        "gpgpu_flush_l1_cache",
                                        "gpgpu_shmem_option",
                                        "gpgpu_l1_banks_hashing_function",
                                        "gpgpu_adaptive_cache_config",
                                        "gpgpu_unified_l1d_size",
                                        "gpgpu_gmem_skip_L1D"};
    const struct option *none = im->l1_option;
    const char *note = NULL;
    if (im->l1.sets > 0) {
        if (!importer_flag(im, "gpgpu_gmem_skip_L1D", "0")) return false;
        none = importer_take(im, "gpgpu_gmem_skip_L1D", "0");
        note = "nor does an access pay its latency";
        importer_replaces(im, none,
                          "no access looks into the L1, as if there were none: private arrays and "
                          "read-only loads, which it would serve there, take the L2's time");
    }
    for (size_t i = 0; i < sizeof of_it / sizeof *of_it; i++)
        importer_take(im, of_it[i], "0");
    importer_set(im, none, note, "l1.enabled", "false");
    return true;
}

void import_l1(struct machine_importer *im)
{
    const struct cache_string *c = &im->l1;
    if (has_no_l1(im)) return;
    uint32_t kb = (uint32_t)((uint64_t)c->sets * c->ways * c->line_bytes / 1024), ways = c->ways;
    const char *note = "sets x ways x line";
    if (importer_flag(im, "gpgpu_adaptive_cache_config", "0")) {
        kb = adaptive_rows(im);
        ways = (uint32_t)((uint64_t)kb * 1024 / c->line_bytes / c->sets);
        note = "beside the largest shared memory; the sets stay";
    }
    importer_set(im, im->l1_option, note, "l1.kb", "%u", kb);
    importer_set(im, im->l1_option, "", "l1.ways", "%u", ways);
    rows_of_both(im, "l1", im->l1_option, c, false);
    if (c->write == 'L') importer_set(im, NULL, "global stores go on", "l1.write_local", "back");
    importer_set(im, im->l1_option, "", "l1.miss_queue", "%u", c->miss_queue);
    importer_set(im, importer_take(im, "gpgpu_l1_latency", "1"), NULL, "l1.latency", "%u",
                 (uint32_t)importer_whole(im, "gpgpu_l1_latency", "1", 1, 10000));
    l1_banks(im);
    importer_set(im, NULL, "[A]", "l1.fill_ports", "1");
    importer_set(im, NULL, "a register before the write-back (shader.cc)", "l1.wake", "in_turn");
    bool flush = importer_flag(im, "gpgpu_flush_l1_cache", "0");
    importer_set(im, importer_take(im, "gpgpu_flush_l1_cache", "0"), NULL, "l1.flush_at_launch",
                 "%s", flush ? "true" : "false");
}

/* --- the L2 ----------------------------------------------------------------------------------- */

/* How the blocks go to the slices: by the number of -gpgpu_memory_partition_indexing. */
static const struct {
    const char *power, *other; /* over a power of two of slices, over another number */
    const char *why;           /* what this replaces; NULL: nothing */
} indexing[] = {
    {"modulo", "modulo", NULL},
    {"xor", "xor", NULL},
    {"ipoly", "ipoly_modulo", NULL},
    {"xor", "xor",
     "bits of the page are not hashed as it does: xor; strides may meet other slices"},
    {"random", "random", NULL},
    {"modulo", "modulo", "its own function is empty in GPGPU-Sim: modulo"},
    {"ipoly", "ipoly_modulo", NULL},
};

static void slice_rows(struct machine_importer *im, uint32_t slices)
{
    const struct option *o = importer_take(im, "gpgpu_memory_partition_indexing", "0");
    uint64_t most = sizeof indexing / sizeof *indexing - 1;
    uint32_t way = (uint32_t)importer_whole(im, o->key, "0", 0, most);
    bool power = (slices & (slices - 1)) == 0;
    if (indexing[way].why) importer_replaces(im, o, indexing[way].why);
    importer_set(im, o, NULL, "l2.slice_hash", "%s",
                 power ? indexing[way].power : indexing[way].other);
}

/* Chiplets: halves of the SMs and the L2, which keep copies of each other's lines. */
static void partition_rows(struct machine_importer *im)
{
    const struct option *o = importer_take(im, "gpgpu_n_chiplet_partition", "1");
    uint32_t n = (uint32_t)importer_whole(im, o->key, "1", 0, 64);
    if (n <= 1) return;
    importer_replaces(im, o,
                      "SMs in a row share a partition, where its groups of 8 take turns; the way "
                      "between partitions takes l2.link_latency, an assumption");
    importer_set(im, o, NULL, "l2.partitions", "%u", n);
}

static void l2_queues(struct machine_importer *im)
{
    const struct option *o = importer_take(im, "gpgpu_dram_partition_queues", "8:8:8:8");
    double entries[QUEUES];
    uint32_t n = importer_numbers(im, o, ':', QUEUES, entries);
    if (n != QUEUES) {
        if (n > 0) importer_fault(im, o, "%u numbers; four are allowed", n);
        return;
    }
    importer_set(im, o, "the first", "l2.input_queue", "%.0f", entries[0]);
    importer_set(im, o, "the cache's own and the second", "l2.miss_queue", "%.0f",
                 im->l2.miss_queue + entries[1]);
    importer_set(im, o, "the fourth", "l2.reply_queue", "%.0f", entries[3]);
}

/* Consecutive bytes of a slice: up to the lowest bit that chooses the channel or the slice in it,
 * which is the lowest bank bit. */
static uint32_t interleave(struct machine_importer *im, uint32_t slices_per_channel)
{
    struct address_bits b;
    importer_address(im, &b);
    uint32_t lowest = b.channel_at;
    if (slices_per_channel > 1 && b.lowest_bank < lowest) lowest = b.lowest_bank;
    uint32_t bytes = 1u << lowest;
    return bytes < im->l2.line_bytes ? im->l2.line_bytes : bytes;
}

void import_l2(struct machine_importer *im)
{
    const struct cache_string *c = &im->l2;
    uint32_t channels = (uint32_t)importer_whole(im, "gpgpu_n_mem", "8", 1, 256);
    uint32_t each = (uint32_t)importer_whole(im, "gpgpu_n_sub_partition_per_mchannel", "1", 1, 64);
    uint64_t bytes = (uint64_t)c->sets * c->ways * c->line_bytes;
    if (c->sets == 0) return; /* it was told of */
    if (bytes % 1024 != 0)
        importer_fault(im, im->l2_option, "a slice of %llu bytes; whole KB are allowed",
                       (unsigned long long)bytes);
    importer_set(im, importer_take(im, "gpgpu_n_mem", "8"), "x -gpgpu_n_sub_partition_per_mchannel",
                 "l2.banks", "%u", channels * each);
    importer_set(im, im->l2_option, "sets x ways x line", "l2.bank_kb", "%llu",
                 (unsigned long long)(bytes / 1024));
    importer_set(im, im->l2_option, "", "l2.ways", "%u", c->ways);
    rows_of_both(im, "l2", im->l2_option, c, true);
    importer_set(im, NULL, "to its lowest bit of the channel, or of the slice in it",
                 "l2.interleave_bytes", "%u", interleave(im, each));
    slice_rows(im, channels * each);
    partition_rows(im);
    importer_set(im, NULL, NULL, "l2.miss_management", "replace_at_once");
    importer_set(im, NULL, "an addition: the look-up", "l2.latency", "%d", IMPORT_L2_CYCLES);
    importer_set(im, importer_take(im, "gpgpu_l2_rop_latency", "85"), NULL, "l2.extra_latency",
                 "%u", (uint32_t)importer_whole(im, "gpgpu_l2_rop_latency", "85", 0, 100000));
    importer_set(im, NULL, "[A]", "l2.ports", "1");
    l2_queues(im);
    importer_set(im, NULL, "-gpgpu_perf_sim_memcpy cuts addresses to 32 bits: other lines are warm",
                 "l2.copy_warms", "false");
}

#include "bench/support/drawn.h"

const struct axis drawn_axes[] = {
    {"clock.core_mhz", {{"800", "1000", "1200", "1600"}, {"800", "1132", "1400"}}},
    {"clock.noc_mhz", {{"800", "1200", "1600"}, {"800", "1132", "1400"}}},
    {"clock.l2_mhz", {{"800", "1200", "1600"}, {"800", "1132", "1400"}}},
    {"sm.scheduler", {{"lrr", "gto"}, {"lrr", "gto"}}},
    {"sm.vmb_entries", {{"0", "16", "32", "64"}, {"0", "0", "16", "64"}}},
    {"sm.memory_latency", {{"1", "4", "8"}, {"2", "4", "8"}}},
    {"l1.kb", {{"8", "16", "32", "64"}, {"16", "32", "64", "128"}}},
    {"l1.ways", {{"4", "8", "16"}, {"4", "16", "64"}}},
    {"l1.replacement",
     {{"lru", "lru", "fifo", "random", "plru"}, {"lru", "lru", "fifo", "random"}}},
    {"l1.mshr.entries", {{"0", "8", "16", "32", "64"}, {"16", "32", "64", "128", "512"}}},
    {"l1.mshr.max_merge", {{"0", "0", "4", "8", "16"}, {"0", "4", "8", "16"}}},
    {"l1.latency", {{"1", "8", "20", "40"}, {"10", "20", "40"}}},
    {"l1.ports", {{"1", "2", "4"}, {"1", "2", "4"}}},
    {"l2.bank_kb", {{"32", "64", "128", "256", "512"}, {"12", "24", "48", "96"}}},
    {"l2.ways", {{"8", "16", "32"}, {"12", "24"}}},
    {"l2.replacement",
     {{"lru", "lru", "fifo", "random", "plru"}, {"lru", "lru", "fifo", "random"}}},
    {"l2.write", {{"back", "back", "through"}, {"back", "back", "through"}}},
    {"l2.write_miss", {{"fetch", "fetch", "validate"}, {"lazy_fetch", "lazy_fetch", "fetch"}}},
    {"l2.mshr.entries", {{"0", "16", "32", "64", "128"}, {"32", "64", "192"}}},
    {"l2.mshr.max_merge", {{"0", "0", "4", "16"}, {"0", "4", "16"}}},
    {"l2.miss_management", {{"conventional", "replace_at_once"}, {NULL}}},
    {"l2.latency", {{"5", "10", "20", "40"}, {"1", "10", "40"}}},
    {"l2.extra_latency", {{"0", "20", "80"}, {"80", "160", "240"}}},
    {"l2.ports", {{"1", "2", "4"}, {"1", "2"}}},
    {"noc.latency", {{"2", "4", "16", "32"}, {"4", "16", "32"}}},
    {"noc.flit_bytes", {{"16", "32", "64"}, {"20", "40", "80"}}},
    {"dram.channels", {{"2", "4", "8"}, {"8", "16", "32"}}},
    {"dram.queue", {{"16", "32", "64"}, {"16", "32", "64"}}},
    {"dram.scheduler", {{"fr_fcfs", "fr_fcfs", "fcfs"}, {NULL}}},
    {"dram.extra_latency", {{"0", "40", "100"}, {"50", "104", "200"}}},
};

_Static_assert(AXES + 2 <= SETS, "room for every axis");

/* --- designs --- */

static uint32_t choices(const char *const c[CHOICES])
{
    uint32_t n = 0;
    while (n < CHOICES && c[n])
        n++;
    return n;
}

/* AXES in the environment: the only ones that vary, by their paths with commas between. */
static bool is_drawn(const char *path)
{
    const char *only = getenv("AXES"), *at = only;
    size_t n = strlen(path);
    if (!only) return true;
    while ((at = strstr(at, path))) {
        if ((at == only || at[-1] == ',') && (at[n] == ',' || at[n] == '\0')) return true;
        at += n;
    }
    return false;
}

/* One draw; false: the parts do not go together. */
static bool draw_once(struct design *d, struct rng *r)
{
    char text[SETS][SET_TEXT];
    const char *sets[SETS];
    struct errors all = {0};
    size_t n = 0, used = 0;
    snprintf(text[n++], SET_TEXT, "sm.launch_cycles=0");
    if (d->base) snprintf(text[n++], SET_TEXT, "l1.adaptive=false");
    for (uint32_t i = 0; i < AXES; i++) {
        const char *const *c = drawn_axes[i].choice[d->base];
        uint32_t k = choices(c);
        if (k && is_drawn(drawn_axes[i].path))
            snprintf(text[n++], SET_TEXT, "%s=%s", drawn_axes[i].path, c[rng_below(r, k)]);
    }
    for (size_t i = 0; i < n; i++) {
        sets[i] = text[i];
        used += (size_t)snprintf(d->sets + used, sizeof d->sets - used, " %s", text[i]);
    }
    d->key = digest_join(digest_text(base_name[d->base]), digest_text(d->sets));
    return machine_load(&d->m, base_name[d->base], sets, n, &all);
}

bool draw_all(uint32_t n, uint64_t seed)
{
    for (uint32_t i = 0; i < n; i++) {
        struct rng r;
        uint32_t tries = 0;
        rng_seed(&r, seed, i);
        designs[i].base = i % BASES;
        while (!draw_once(&designs[i], &r))
            if (++tries == TRIES) return false;
    }
    n_designs = n;
    return true;
}

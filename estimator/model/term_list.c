/* term_list.c - see term_list.h. */
#include "estimator/model/term_list.h"

#include "estimator/terms/cpu_load.h"
#include "estimator/terms/crossbar_contention.h"
#include "estimator/terms/delays.h"
#include "estimator/terms/dispatch_station.h"
#include "estimator/terms/inclusion_model.h"
#include "estimator/terms/l2_miss_model.h"
#include "estimator/terms/latencies.h"
#include "estimator/terms/launch_ends.h"
#include "estimator/terms/launch_start.h"
#include "estimator/terms/memory_channels.h"
#include "estimator/terms/memory_stations.h"
#include "estimator/terms/register_stations.h"
#include "estimator/terms/sm_stations.h"
#include "estimator/terms/stations.h"
#include "estimator/terms/stations_network.h"
#include "estimator/terms/tlb_model.h"
#include "estimator/terms/traffic.h"
#include "estimator/terms/under_load.h"
#include "estimator/terms/warp_round.h"
#include "estimator/terms/wave.h"

#ifdef PLUMB_TUNING
#include <stdlib.h>
#include <string.h>
#endif

#define NO MECHANISM_N
#define OF(mechanism) MECHANISM_##mechanism
#define S(stage) (1u << TERM_##stage)
#define P(part) (1u << LAUNCH_##part)

/* clang-format off */
const struct term term_list[] = {
    /* what the caches let through */
    {"hit_rates", S(TRAFFIC) | TERM_NEEDED, NO, traffic_hits,
     0,
     P(LEVELS)},
    {"directory", S(TRAFFIC), OF(coherence), traffic_directory,
     0,
     P(LEVELS)},
    {"write_caches", S(TRAFFIC), OF(write_caches), traffic_write_caches,
     0,
     P(LEVELS)},
    {"samples", S(TRAFFIC) | TERM_NEEDED, NO, traffic_samples,
     P(LEVELS),
     P(SAMPLED)},
    {"second_memory", S(TRAFFIC) | TERM_NEEDED, OF(second_memory), memory_channels_init,
     0,
     P(SECOND)},
    {"address_spread", S(TRAFFIC) | TERM_NEEDED, NO, traffic_spread,
     P(SAMPLED),
     P(ROWS) | P(SPREAD) | P(HOT) | P(SECOND) | P(WAVE)},
    {"crossbar_replay", S(TRAFFIC), NO, crossbar_contention_find,
     P(LEVELS) | P(SAMPLED),
     P(CROSSBAR)},
    {"l1_lines_in_transition", S(TRAFFIC), NO, traffic_l1_lines,
     P(LEVELS),
     P(LINES)},
    {"l2_lines_in_transition", S(TRAFFIC), NO, l2_miss_lines,
     0,
     P(LINES)},
    {"l2_victims", S(TRAFFIC), OF(l2_miss_management), l2_miss_init,
     P(LEVELS),
     P(L2_MISS)},
    {"recalls", S(TRAFFIC), OF(l2_inclusion), inclusion_init,
     P(LEVELS),
     P(INCLUSION)},
    {"registers", S(TRAFFIC), OF(register_file), register_stations_init,
     0,
     P(REGISTERS)},
    {"latency_of_hits", S(TRAFFIC) | TERM_NEEDED, NO, latencies_of_hits,
     P(LEVELS),
     P(LINKS) | P(LATENCY)},
    /* a warp's round */
    {"registers_under_load", S(ROUND) | S(LOAD), OF(register_file), register_stations_under,
     P(ROUND) | P(WAVE) | P(STATIONS) | P(RESULT),
     P(REGISTERS)},
    {"round", S(ROUND) | TERM_NEEDED, NO, launch_round_find,
     P(LEVELS) | P(REGISTERS) | P(MERGES),
     P(ROUND)},
    {"in_step", S(ROUND), NO, launch_start_find,
     0,
     P(FIRST)},
    {"compute_under_load", S(LOAD), OF(register_file), under_load_compute,
     P(REGISTERS),
     P(ROUND)},
    {"memory_under_load", S(ROUND) | S(LOAD) | TERM_NEEDED, NO, memory_under_load,
     P(ROWS) | P(ROUND) | P(SECOND) | P(L2_MISS) | P(WAVE) | P(STATIONS) | P(RESULT),
     P(MEMORY) | P(SECOND)},
    {"l1_merges", S(LOAD), NO, under_load_l1_merges,
     P(LEVELS) | P(SPREAD) | P(ROUND) | P(LATENCY) | P(MEMORY) | P(SECOND) | P(TLB) | P(WAVE) |
         P(STATIONS) | P(RESULT) | P(CYCLES),
     P(MERGES)},
    {"l2_merges", S(LOAD), NO, under_load_l2_merges,
     P(LEVELS) | P(SPREAD) | P(ROUND) | P(LATENCY) | P(MEMORY) | P(SECOND) | P(TLB) | P(WAVE) |
         P(STATIONS) | P(RESULT) | P(CYCLES),
     P(MERGES)},
    {"waits_for_memory", S(ROUND) | S(LOAD) | TERM_NEEDED, NO, launch_round_far,
     P(LEVELS) | P(MERGES),
     P(ROUND)},
    {"nacks", S(LOAD), OF(l2_nack), under_load_nacks,
     P(ROUND) | P(LATENCY) | P(SECOND) | P(L2_MISS) | P(MERGES) | P(WAVE) | P(STATIONS) |
         P(RESULT),
     P(NACKS)},
    /* the network */
    {"customers", S(STATIONS) | TERM_NEEDED, NO, stations_wave,
     0,
     P(WAVE) | P(STATIONS)},
    {"channels_at_once", S(STATIONS), NO, memory_channels_at_once,
     P(LEVELS) | P(ROWS) | P(SPREAD) | P(ROUND) | P(STATIONS),
     P(SECOND) | P(WAVE)},
    {"latency_of_memory", S(STATIONS) | TERM_NEEDED, NO, latencies_of_memory,
     P(LEVELS) | P(MEMORY) | P(SECOND),
     P(LATENCY)},
    {"l2_victims_under_load", S(STATIONS), OF(l2_miss_management), l2_miss_find,
     P(SPREAD) | P(ROUND) | P(LATENCY) | P(MEMORY) | P(SECOND) | P(INCLUSION) | P(NACKS) |
         P(WAVE) | P(STATIONS) | P(RESULT),
     P(L2_MISS)},
    {"latency_of_misses", S(STATIONS) | TERM_NEEDED, NO, latencies_of_misses,
     P(ROUND) | P(L2_MISS),
     P(LATENCY)},
    {"cpu_cores", S(STATIONS), OF(cpu_cores), cpu_load_find,
     P(LATENCY) | P(MEMORY) | P(SECOND) | P(RESULT),
     P(CPU)},
    {"translation", S(STATIONS), OF(translation), tlb_model_find,
     P(SPREAD) | P(ROUND) | P(LATENCY) | P(SECOND) | P(L2_MISS) | P(MERGES) | P(WAVE) |
         P(STATIONS) | P(RESULT),
     P(TLB)},
    {"channels", S(STATIONS), NO, memory_put_channels,
     P(LEVELS) | P(ROUND) | P(MEMORY) | P(SECOND) | P(L2_MISS) | P(CPU) | P(MERGES) | P(WAVE),
     P(STATIONS)},
    {"l3", S(STATIONS), OF(l3), memory_put_l3,
     P(LEVELS) | P(ROUND) | P(MERGES) | P(WAVE),
     P(STATIONS)},
    {"l2_mshrs", S(STATIONS), OF(l2_mshr), memory_put_l2_mshrs,
     P(LEVELS) | P(ROWS) | P(SPREAD) | P(LINES) | P(ROUND) | P(LATENCY) | P(MEMORY) |
         P(L2_MISS) | P(MERGES),
     P(STATIONS)},
    {"l2_links", S(STATIONS), OF(l2_partitions), memory_put_links,
     P(LEVELS) | P(ROUND),
     P(STATIONS)},
    {"l2_link_places", S(STATIONS), OF(l2_partitions), memory_put_link_places,
     P(LEVELS) | P(SPREAD) | P(ROUND),
     P(STATIONS)},
    {"l2", S(STATIONS), NO, memory_put_l2,
     P(LEVELS) | P(SPREAD) | P(ROUND) | P(L2_MISS) | P(INCLUSION) | P(NACKS),
     P(STATIONS)},
    {"page_walkers", S(STATIONS), OF(translation), tlb_model_put,
     P(ROUND) | P(TLB) | P(WAVE),
     P(STATIONS)},
    {"network", S(STATIONS), NO, stations_network_put,
     P(SPREAD) | P(CROSSBAR) | P(LINKS) | P(ROUND) | P(L2_MISS) | P(INCLUSION) | P(NACKS) |
         P(WAVE),
     P(STATIONS)},
    {"l1", S(STATIONS), NO, sm_stations_put_l1,
     P(LEVELS) | P(ROUND) | P(LATENCY) | P(WAVE),
     P(STATIONS)},
    {"l1_mshrs", S(STATIONS), OF(l1_mshr), sm_stations_put_mshrs,
     P(LINES) | P(ROUND) | P(LATENCY) | P(WAVE),
     P(STATIONS)},
    {"l1_heads", S(STATIONS), NO, delays_heads,
     P(ROUND) | P(MERGES),
     P(DELAYS)},
    {"l1_head", S(STATIONS) | TERM_NEEDED, NO, sm_stations_put_head,
     P(ROUND) | P(LATENCY) | P(DELAYS) | P(WAVE),
     P(STATIONS)},
    {"memory_buffer", S(STATIONS), OF(vmb), sm_stations_put_buffer,
     P(LEVELS) | P(ROUND) | P(LATENCY) | P(SECOND) | P(L2_MISS) | P(MERGES) | P(RESULT) | P(TLB) | P(WAVE),
     P(STATIONS)},
    {"memory_units", S(STATIONS), NO, sm_stations_put_memory_units,
     P(ROUND) | P(WAVE),
     P(STATIONS)},
    {"execution_units", S(STATIONS), NO, sm_stations_put_units,
     P(ROUND) | P(FIRST) | P(REGISTERS) | P(WAVE),
     P(STATIONS)},
    {"issue", S(STATIONS), NO, sm_stations_put_issue,
     P(ROUND) | P(FIRST) | P(WAVE),
     P(STATIONS)},
    {"register_banks", S(STATIONS), OF(register_file), register_stations_put,
     P(ROUND) | P(REGISTERS) | P(WAVE),
     P(STATIONS)},
    {"dispatcher", S(STATIONS), OF(cta_dispatch), dispatch_station_put,
     P(ROUND),
     P(STATIONS)},
    {"own_queue", S(STATIONS), NO, delays_own_queue,
     P(SPREAD) | P(ROUND) | P(SECOND) | P(WAVE) | P(STATIONS),
     P(DELAYS)},
    {"joined_waits", S(STATIONS), NO, delays_joined,
     P(ROUND) | P(MERGES),
     P(DELAYS)},
    {"waits", S(STATIONS) | TERM_NEEDED, NO, delays_waits,
     P(LEVELS) | P(ROUND) | P(LATENCY) | P(SECOND) | P(L2_MISS) | P(REGISTERS) | P(TLB) | P(MERGES) | P(RESULT),
     P(DELAYS)},
    {"overlap", S(STATIONS), NO, delays_overlap,
     P(ROUND),
     P(DELAYS)},
    {"releases", S(STATIONS), OF(write_caches), delays_release,
     P(ROUND) | P(LATENCY),
     P(DELAYS)},
    {"delays", S(STATIONS) | TERM_NEEDED, NO, delays_put,
     P(ROUND) | P(FIRST) | P(DELAYS),
     P(STATIONS)},
    /* its solution: how long CTAs side by side take */
    {"throughput", S(WAVE) | TERM_NEEDED, NO, wave_throughput,
     P(ROUND) | P(WAVE) | P(RESULT),
     P(CYCLES)},
    {"fullest_subcore", S(WAVE), NO, wave_fullest,
     P(FIRST) | P(REGISTERS) | P(WAVE),
     P(CYCLES)},
    {"warps_in_step", S(WAVE), NO, wave_in_step,
     P(ROUND) | P(FIRST) | P(WAVE),
     P(CYCLES)},
    {"uneven_ctas", S(WAVE), NO, wave_uneven,
     0,
     P(CYCLES)},
    /* beginning and end of the launch */
    {"first_work", S(LAUNCH), NO, launch_start_add,
     P(FIRST) | P(ROUND) | P(WAVE) | P(STATIONS),
     P(CYCLES)},
    {"last_warp", S(LAUNCH), NO, launch_ends_last_warp,
     P(ROUND) | P(LATENCY) | P(MEMORY) | P(SECOND) | P(MERGES) | P(DELAYS) | P(STATIONS) | P(RESULT),
     P(CYCLES)},
    {"start_up", S(LAUNCH), NO, launch_ends_start_up,
     P(STATIONS) | P(RESULT),
     P(CYCLES)},
    {"convoys", S(LAUNCH), NO, launch_ends_convoys,
     P(LATENCY) | P(WAVE),
     P(CYCLES)},
    {"last_release", S(LAUNCH), OF(write_caches), launch_ends_release,
     P(LATENCY) | P(WAVE) | P(STATIONS) | P(RESULT),
     P(CYCLES)},
    {"first_pages", S(LAUNCH), OF(translation), launch_ends_first_pages,
     P(LATENCY) | P(STATIONS) | P(RESULT),
     P(CYCLES)},
    {"dispatched_last", S(LAUNCH), OF(cta_dispatch), launch_ends_dispatch,
     P(LEVELS) | P(ROUND) | P(LATENCY) | P(SECOND) | P(L2_MISS) | P(MERGES) | P(WAVE) |
         P(STATIONS) | P(RESULT),
     P(CYCLES)},
    {"hot_atomics", S(LAUNCH), NO, launch_ends_hot_atomics,
     P(LEVELS) | P(HOT) | P(LATENCY),
     P(CYCLES)},
    {"hottest_line", S(LAUNCH), OF(coherence), launch_ends_hottest_line,
     P(LEVELS) | P(LATENCY),
     P(CYCLES)},
    {"launch_latency", S(LAUNCH), NO, launch_ends_latency, 0, P(CYCLES)},
    {"power_limit", S(LAUNCH), OF(power_limit), launch_ends_power, P(STATIONS), P(CYCLES)},
};
/* clang-format on */
const uint32_t term_list_n = sizeof term_list / sizeof *term_list;

#ifdef PLUMB_TUNING
/* Whether the environment variable PLUMB_WITHOUT=TERM[,TERM]... names a term. */
static bool is_left_out(const struct term *t)
{
    static _Thread_local uint64_t known[2], out[2];
    size_t i = (size_t)(t - term_list), length = strlen(t->name);
    if (!(known[i / 64] >> i % 64 & 1)) {
        known[i / 64] |= UINT64_C(1) << i % 64;
        for (const char *at = getenv("PLUMB_WITHOUT"); at; at = strchr(at, ',')) {
            at += *at == ',';
            if (strncmp(at, t->name, length) == 0 && (at[length] == ',' || !at[length]))
                out[i / 64] |= UINT64_C(1) << i % 64;
        }
    }
    return out[i / 64] >> i % 64 & 1;
}
#else
static bool is_left_out(const struct term *t)
{
    (void)t;
    return false;
}
#endif

void term_list_run(struct launch_model *m, enum term_stage stage)
{
    for (const struct term *t = term_list; t < term_list + term_list_n; t++)
        if (t->stages >> stage & 1 && !is_left_out(t)) t->find(m);
}

uint32_t term_list_trace(struct launch_model *m, enum term_stage stage, const double *cycles,
                         struct term_cycles *to, double *added)
{
    uint32_t n = 0;
    for (const struct term *t = term_list; t < term_list + term_list_n; t++) {
        if (!(t->stages >> stage & 1) || is_left_out(t)) continue;
        double before = *cycles;
        t->find(m);
        to[n].name = t->name;
        added[n++] = *cycles - before;
    }
    return n;
}

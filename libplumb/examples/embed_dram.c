/* embed_dram.c - plumb's memory model inside another simulator: a toy processor with a window of
 * outstanding misses walks through memory in order or at random.
 *
 *     cc libplumb/examples/embed_dram.c $(pkg-config --cflags --libs plumb) -o embed_dram
 *     ./embed_dram hbm2 --random 64
 *
 * It prints bandwidth, mean latency and row hits for the memory and the window. */
#include <plumb_dram.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REQUESTS = 100000, WINDOW_MOST = 4096 };
#define FOOTPRINT_BYTES (UINT64_C(256) << 20)

/* The processor: `window` requests at most are under way, each with the clock of its issue. */
struct processor {
    plumb_dram *memory;
    uint64_t issued[WINDOW_MOST]; /* by slot */
    uint32_t free_slot[WINDOW_MOST], n_free;
    uint64_t clock, sent, finished;
    double waited; /* clocks, summed over the requests */
    int random;
};

/* The memory calls this for each request that is complete; its id is the slot. */
static void take_data(uint64_t id, int write, uint64_t clock, void *context)
{
    struct processor *p = context;
    (void)write;
    p->waited += (double)(clock - p->issued[id]);
    p->free_slot[p->n_free++] = (uint32_t)id;
    p->finished++;
}

static uint64_t next_address(const struct processor *p)
{
    uint64_t burst = plumb_dram_burst(p->memory), n = FOOTPRINT_BYTES / burst;
    uint64_t i = p->sent;
    if (p->random) i = (i * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
    return i % n * burst;
}

/* Issues until the window or a channel's queue is full; every fourth request is a write. */
static void issue(struct processor *p)
{
    while (p->n_free && p->sent < REQUESTS) {
        uint32_t slot = p->free_slot[p->n_free - 1];
        if (!plumb_dram_request(p->memory, next_address(p), p->sent % 4 == 3, slot)) return;
        p->issued[slot] = p->clock;
        p->n_free--;
        p->sent++;
    }
}

static void report(const struct processor *p)
{
    struct plumb_dram_counts counts;
    double clock_ps = plumb_dram_clock_ps(p->memory);
    double bytes = (double)p->finished * plumb_dram_burst(p->memory);
    plumb_dram_count(p->memory, &counts);
    printf("%.1f GB/s, mean latency %.1f ns, %.1f %% row hits\n",
           bytes / ((double)p->clock * clock_ps) * 1e3,
           p->waited / (double)p->finished * clock_ps * 1e-3,
           100 * (double)counts.row_hits / (double)(counts.reads + counts.writes));
}

int main(int argc, char **argv)
{
    static struct processor p;
    uint32_t window = 16;
    if (argc < 2) {
        fprintf(stderr, "usage: embed_dram MEMORY [--random] [WINDOW]\n");
        return 2;
    }
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--random") == 0)
            p.random = 1;
        else
            window = (uint32_t)strtoul(argv[i], NULL, 10);
    if (window < 1 || window > WINDOW_MOST) {
        fprintf(stderr, "embed_dram: the window has 1 to %d requests\n", WINDOW_MOST);
        return 2;
    }
    p.memory = plumb_dram_open(argv[1], NULL, 0, take_data, &p);
    if (!p.memory) {
        fprintf(stderr, "embed_dram: %s\n", plumb_error());
        return 2;
    }
    while (p.n_free < window) {
        p.free_slot[p.n_free] = p.n_free;
        p.n_free++;
    }
    while (p.finished < REQUESTS) {
        issue(&p);
        p.clock = plumb_dram_tick(p.memory, 1);
        if (*plumb_error()) { /* after plumb_stop(1) no clock passes */
            fprintf(stderr, "embed_dram: %s\n", plumb_error());
            return 1;
        }
    }
    report(&p);
    plumb_dram_close(p.memory);
    return 0;
}

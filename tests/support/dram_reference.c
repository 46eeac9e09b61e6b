#include "tests/support/dram_reference.h"

#include "gpu/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>

bool reference_parse(const char *line, struct reference *r)
{
    enum { SET, CONFIG, PATTERN, GAP, PERCYC, N, READS, CYCLES, TCK, BYTES, CHANNELS, PEAK, GBPS };
    enum { SHARE = GBPS + 1, LATENCY, P50, P95, P99, READ_HITS, WRITE_HITS, ACTS, REFS, PJ, RATE };
    char copy[512], *s = copy, *cell[REFERENCE_COLUMNS];
    snprintf(copy, sizeof copy, "%s", line);
    for (int i = 0; i < REFERENCE_COLUMNS; i++)
        if (!(cell[i] = strsep(&s, ","))) return false;
    *r = (struct reference){.gap = (uint32_t)strtoul(cell[GAP], NULL, 10),
                            .percycle = (uint32_t)strtoul(cell[PERCYC], NULL, 10),
                            .requests = strtoull(cell[N], NULL, 10),
                            .reads = strtoull(cell[READS], NULL, 10),
                            .cycles = strtod(cell[CYCLES], NULL),
                            .gbps = strtod(cell[GBPS], NULL),
                            .latency = strtod(cell[LATENCY], NULL),
                            .read_hits = strtod(cell[READ_HITS], NULL),
                            .write_hits = strtod(cell[WRITE_HITS], NULL),
                            .activates = strtod(cell[ACTS], NULL),
                            .refreshes = strtod(cell[REFS], NULL),
                            .pj_per_bit = strtod(cell[PJ], NULL),
                            .rate = strtod(cell[RATE], NULL)};
    snprintf(r->set, sizeof r->set, "%s", cell[SET]);
    snprintf(r->pattern, sizeof r->pattern, "%s", cell[PATTERN]);
    return r->requests > 0;
}

double reference_hits(const struct reference *r)
{
    double writes = (double)(r->requests - r->reads);
    return (r->read_hits * (double)r->reads + r->write_hits * writes) / (double)r->requests;
}

bool reference_keeps_up(const struct reference *r)
{
    return r->gap > 0 && r->cycles < 1.01 * r->gap * (double)r->requests + 1000;
}

void reference_run(const struct reference *r, uint64_t requests, struct dram_params *p,
                   struct dram_result *out)
{
    char set[64];
    struct machine m;
    struct errors all = {0};
    struct error e = {0};
    int k = 0;
    machine_defaults(&m);
    snprintf(set, sizeof set, "dram.set=%s", r->set);
    const char *sets[] = {"l2.banks=1", set};
    bool ok = machine_set(&m, sets, 2, &all);
    *p = m.dram;
    while (k < DRAM_PATTERN_N && strcmp(dram_pattern_name[k], r->pattern) != 0)
        k++;
    struct dram_traffic t = {.pattern = (enum dram_pattern)k,
                             .requests = requests,
                             .gap = r->gap,
                             .percycle = r->percycle,
                             .interleave_bytes = p->row_bytes};
    if (ok && k < DRAM_PATTERN_N && dram_drive(p, &t, out, &e)) return;
    fprintf(stderr, "%s: %s\n", r->set, ok ? e.text : all.item[0].text);
    exit(1);
}

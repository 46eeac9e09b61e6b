/* dram_report.c - see dram_report.h. */
#include "cli/machine/dram_report.h"

#include "base/text/json.h"

static void integer(struct json *j, const char *key, uint64_t v)
{
    json_integer(json_key(j, key), (int64_t)v);
}

static void latency_json(struct json *j, const struct histogram *h)
{
    if (h->n == 0) return;
    json_object(json_key(j, "latency_cycles"));
    json_number(json_key(j, "mean"), histogram_mean(h));
    json_number(json_key(j, "p50"), histogram_quantile(h, 0.50));
    json_number(json_key(j, "p95"), histogram_quantile(h, 0.95));
    json_number(json_key(j, "p99"), histogram_quantile(h, 0.99));
    json_end(j);
}

static void energy_json(struct json *j, const struct dram_result *r)
{
    const struct dram_energy *e = &r->energy;
    json_object(json_key(j, "energy_pj"));
    json_number(json_key(j, "total"), dram_energy_total(e));
    json_number(json_key(j, "read"), e->read);
    json_number(json_key(j, "write"), e->write);
    if (!e->per_bit) {
        json_number(json_key(j, "activate"), e->activate);
        json_number(json_key(j, "io"), e->io);
        json_number(json_key(j, "refresh"), e->refresh);
        json_number(json_key(j, "background"), e->background);
    }
    json_end(j);
    if (r->requests) json_number(json_key(j, "energy_pj_per_bit"), r->pj_per_bit);
}

void dram_report_json(struct text *out, const char *set, const struct dram_traffic *t,
                      const struct dram_params *p, const struct dram_result *r, double seconds)
{
    struct json j;
    json_init(&j, out);
    json_object(&j);
    json_string(json_key(&j, "set"), set);
    json_string(json_key(&j, t->trace ? "trace" : "pattern"),
                t->trace ? t->trace : dram_pattern_name[t->pattern]);
    integer(&j, "requests", r->requests);
    integer(&j, "reads", r->stats.reads);
    integer(&j, "writes", r->stats.writes);
    integer(&j, "cycles", r->cycles);
    json_number(json_key(&j, "bandwidth_gbps"), r->gbps);
    json_number(json_key(&j, "utilization"), r->utilization);
    latency_json(&j, &r->latency);
    if (p->model == DRAM_BANKS) {
        if (r->requests) json_number(json_key(&j, "row_hit_rate"), r->row_hit_rate);
        integer(&j, "activates", r->stats.activates);
        integer(&j, "refreshes", r->stats.refreshes);
    }
    if (p->energy.model != DRAM_ENERGY_NONE) energy_json(&j, r);
    json_object(json_key(&j, "host"));
    json_number(json_key(&j, "seconds"), seconds);
    if (seconds > 0)
        json_number(json_key(&j, "requests_per_second"), (double)r->requests / seconds);
    json_end(&j);
    json_end(&j);
    text_add(out, "\n");
}

/* Prints the total and each part's share. */
static void energy_table(struct text *out, const struct dram_result *r)
{
    const struct dram_energy *e = &r->energy;
    double total = dram_energy_total(e), percent = total > 0 ? 100 / total : 0;
    text_add(out, "energy        %.6g uJ", 1e-6 * total);
    if (r->requests) text_add(out, ", %.3f pJ/bit", r->pj_per_bit);
    if (e->per_bit) {
        text_add(out, "\n              all of it per bit moved: coarse\n");
        return;
    }
    text_add(out,
             "\n              activate %.1f %%, read %.1f %%, write %.1f %%, I/O %.1f %%, refresh "
             "%.1f %%, background %.1f %%\n",
             percent * e->activate, percent * e->read, percent * e->write, percent * e->io,
             percent * e->refresh, percent * e->background);
}

void dram_report_table(struct text *out, const struct dram_params *p, const struct dram_result *r,
                       double seconds)
{
    const struct histogram *h = &r->latency;
    double peak = dram_peak_gbps(p) * p->channels;
    text_add(out, "requests      %llu (%llu reads, %llu writes) in %llu cycles of %.3f ns\n",
             (unsigned long long)r->requests, (unsigned long long)r->stats.reads,
             (unsigned long long)r->stats.writes, (unsigned long long)r->cycles,
             1e6 / (double)p->clock_khz);
    text_add(out, "bandwidth     %.3f GB/s", r->gbps);
    if (peak > 0) text_add(out, ", %.2f %% of %.2f", 100 * r->gbps / peak, peak);
    text_add(out, "\n");
    if (h->n > 0) {
        text_add(out, "read latency  mean %.2f, median %.0f, p95 %.0f, p99 %.0f cycles\n",
                 histogram_mean(h), histogram_quantile(h, 0.5), histogram_quantile(h, 0.95),
                 histogram_quantile(h, 0.99));
    }
    text_add(out, "unloaded      row hit %u, closed %u, conflict %u cycles\n", r->idle.hit,
             r->idle.closed, r->idle.conflict);
    if (p->model == DRAM_BANKS) {
        text_add(out, "row hits      %.2f %%\nactivates     %llu\nrefreshes     %llu\n",
                 100 * r->row_hit_rate, (unsigned long long)r->stats.activates,
                 (unsigned long long)r->stats.refreshes);
    }
    if (p->energy.model != DRAM_ENERGY_NONE) energy_table(out, r);
    text_add(out, "host          %.3f s\n", seconds);
}

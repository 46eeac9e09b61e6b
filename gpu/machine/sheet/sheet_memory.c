/* sheet_memory.c - reads the memory of a data sheet: "gddr6:12x16gbit@18". */
#include "gpu/machine/sheet/sheet_internal.h"

#include "gpu/machine/params/dram/dram_kind.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool refuse(struct card_making *m, const char *why)
{
    errors_add(m->all,
               "--memory %s: %s; expected KIND:CHANNELSxCAPACITY@RATE, such as gddr6:12x16gbit@18: "
               "12 channels of 16 Gbit each, whose pins carry 18 Gb/s",
               m->sheet->memory, why);
    return false;
}

static bool read_kind(struct card_making *m, const char **s, struct sheet_memory *out)
{
    size_t n = strcspn(*s, ":");
    if (!(*s)[n] || n == 0 || n >= sizeof out->kind) return refuse(m, "no kind before a colon");
    for (size_t i = 0; i < n; i++)
        out->kind[i] = (char)tolower((unsigned char)(*s)[i]);
    out->kind[n] = '\0';
    *s += n + 1;
    if (dram_kind_by_name(out->kind) != DRAM_KIND_NONE) return true;
    return refuse(
        m, "no such kind; ddr3, ddr4, ddr5, lpddr5, gddr5, gddr5x, gddr6, gddr6x, gddr7, hbm, "
           "hbm2, hbm2e, hbm3, hbm3e are known");
}

static bool read_channels(struct card_making *m, const char **s, struct sheet_memory *out)
{
    char *end;
    unsigned long n = strtoul(*s, &end, 10);
    if (end == *s || (*end != 'x' && *end != 'X') || n < 1 || n > 4096)
        return refuse(m, "no number of channels and an x after the colon");
    out->channels = (uint32_t)n;
    *s = end + 1;
    return true;
}

/* GB are refused and not turned into Gbit: who writes them may mean the whole card's. */
static bool read_capacity(struct card_making *m, const char **s, struct sheet_memory *out)
{
    char *end, why[120];
    out->gbit = strtod(*s, &end);
    if (end == *s || !(out->gbit > 0)) return refuse(m, "no capacity of a channel after the x");
    *s = end;
    size_t n = strcspn(end, "@");
    bool bits =
        (n == 4 && strncasecmp(end, "gbit", 4) == 0) || (n == 2 && strncmp(end, "Gb", 2) == 0);
    if (!bits) {
        snprintf(
            why, sizeof why,
            "%.12g%.*s is no capacity in Gbit (devices are sold by Gbit; 1 GB has 8: %.12ggbit)",
            out->gbit, (int)(n < 8 ? n : 8), end, 8 * out->gbit);
        return refuse(m, why);
    }
    *s += n;
    return true;
}

static bool read_rate(struct card_making *m, const char *s, struct sheet_memory *out)
{
    char *end;
    if (*s != '@') return refuse(m, "no @ and rate at the end");
    out->rate = strtod(s + 1, &end);
    if (end == s + 1 || *end || !(out->rate > 0)) return refuse(m, "no rate in Gb/s after the @");
    if (out->rate <= 100) return true;
    char why[120];
    snprintf(why, sizeof why, "%g Gb/s is no rate of a pin; as MT/s it is @%g", out->rate,
             out->rate / 1000);
    return refuse(m, why);
}

bool sheet_read_memory(struct card_making *m, struct sheet_memory *out)
{
    const char *s = m->sheet->memory;
    *out = (struct sheet_memory){.channels = 0};
    return read_kind(m, &s, out) && read_channels(m, &s, out) && read_capacity(m, &s, out) &&
           read_rate(m, s, out);
}

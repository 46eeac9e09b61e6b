/* l1_banks.c - accesses per cycle that a banked L1 lets through, in closed form: the coefficient of
 * x^n in a power of a truncated exponential series counts the ways in which n accesses with random
 * banks all find a free port.
 *
 * Neighbouring sectors of an instruction fill their banks together, so runs of a power of two count
 * as single accesses to as many fewer banks; other lengths are interpolated. The index function is
 * left out: banks are met by chance. */
#include "estimator/cache/l1_banks.h"

#include "estimator/math_util.h"

enum { PORTS_MAX = 64 };

/* Multiplies p by 1 + x + x^2/2! + ... + x^most/most!, up to x^n. */
static void times_bank(double *p, uint32_t n, uint32_t most)
{
    for (uint32_t k = n; k > 0; k--) {
        double sum = p[k], term = 1;
        for (uint32_t i = 1; i <= most && i <= k; i++) {
            term /= i;
            sum += term * p[k - i];
        }
        p[k] = sum;
    }
}

/* Sums the probabilities n! / banks^n [x^n] of the product over the banks: the share of the ways in
 * which n accesses all find a free bank port. */
static double sum_of_chances(uint32_t ports, uint32_t banks, uint32_t bank_ports)
{
    double p[PORTS_MAX + 1] = {1}, ways = 1, sum = 0;
    for (uint32_t b = 0; b < banks; b++)
        times_bank(p, ports, bank_ports);
    for (uint32_t k = 1; k <= ports; k++) {
        ways *= (double)k / banks;
        sum += ways * p[k];
    }
    return sum;
}

/* Runs of `run` neighbours, a power of two, occupy as many banks and begin at a multiple of their
 * length: they conflict as single accesses would with as many ports and banks as there are runs. */
static double with_runs(const struct l1_params *l1, uint32_t banks, uint32_t run)
{
    uint32_t ports = l1->ports / run, places = banks / run;
    return run * sum_of_chances(ports ? ports : 1, places ? places : 1, l1->bank_ports);
}

double l1_accesses_per_cycle(const struct l1_params *l1, double run)
{
    uint32_t spans = l1->cache.sector_bytes / l1->bank_bytes, whole = 1;
    if (!l1->enabled || l1->banks == 1) return l1->ports;
    uint32_t banks = l1->banks / (spans ? spans : 1);
    if (spans == 0) run = 1; /* neighbours share a bank */
    while (2 * whole <= run && 2 * whole <= banks)
        whole *= 2;
    double low = with_runs(l1, banks, whole), rest = run / whole - 1;
    if (2 * whole > banks || rest <= 0) return math_smaller(low, l1->ports);
    double high = with_runs(l1, banks, 2 * whole);
    return math_smaller(low + (high - low) * rest, l1->ports);
}

/* closed_network.h - a closed queueing network with one class of customers: warps that compute,
 * then wait for memory.
 *
 * A customer's round has `think` cycles on its own, `delay` cycles of unloaded memory time, and
 * waiting at stations.  A station is `queues` equal queues, each before a pool of `pool` servers; a
 * round makes `visits` of `service` cycles, spread over the queues.  Serial stations are visited
 * one after the other (every visit waits), the others at once (the round waits once, with
 * probability `chance`).  A passive resource (MSHR file, memory buffer) is held while other
 * stations are visited: its service is `service` plus `times` the waiting at the stations of
 * `holds`.
 *
 * Waiting at utilisation U with n customers that may come to one queue of m servers:
 *     W = c s/m U^(sqrt(2(m+1))-1) f / (1 - f U),   f = (n-m)/(n-m+c)   (0 while n <= m)
 * c = (1 + squared coefficient of variation of service) / 2.  For m = 1, c = 1 this is Schweitzer's
 * approximation of mean value analysis; for many customers Sakasegawa's of M/G/m; at U = 1 it is
 * (n-m) s/m, as a closed network must have.  The throughput X solves X (think + delay + waiting(X))
 * = customers, by Newton steps in a bracket, because the left side rises with X.
 *
 * Units:  cycles of one clock; rates per cycle. Source: Schweitzer 1979; Sakasegawa 1977;
 * docs/models/estimator.md. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { NETWORK_MAX = 32 };

struct network_station {
    const char *name;
    double visits, service;
    double queues; /* may be fractional: an unequal load has fewer effective queues */
    double pool;
    double rivals; /* n: customers (or their requests) that may meet at one queue */
    double c;      /* 1 = exponential service, 0.5 = constant */
    double chance; /* parallel visits: share of rounds that wait here */
    bool serial;
    uint32_t holds; /* bit i: it is held while station i, an earlier one, is visited, */
    double times;   /* `times` times, */
    /* ... but a visit comes to the stations in this set only with probability `share` */
    uint32_t seldom;
    double share;
    /* the share of what is held while this station is visited that goes to another instead */
    double elsewhere;
};

struct network {
    double customers, think, delay;
    uint32_t n;
    struct network_station at[NETWORK_MAX];
};

struct network_result {
    double throughput;                                  /* rounds per cycle */
    double waiting;                                     /* in a round, at all stations */
    double wait[NETWORK_MAX], utilization[NETWORK_MAX]; /* per visit; of a server */
    double service[NETWORK_MAX]; /* with the waiting at the stations of `holds` */
};

/* near: a throughput to start from, for example of a similar network; 0: none. */
void network_solve(const struct network *n, double near, struct network_result *r);

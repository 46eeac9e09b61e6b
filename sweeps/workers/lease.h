/* lease.h - who works on what, agreed through files in a directory that the workers share; no
 * server, no clock that hosts must agree on.
 *
 * The holder of WHAT is whoever created the file WHAT.G with the highest G, its generation.  The
 * protocol:
 *
 *   claim      create WHAT.0, which must not exist: one of several succeeds.
 *   renew      set the file's time to the server's now, four times per lease; a thread does it for
 *              all leases of the process.
 *   take over  a lease whose file was last touched longer ago than a lease lasts is stale.  The
 *              server's now is the time of a file of the taker's own in the same directory, touched
 *              at that moment; the host's clock is never asked.  To take over, create WHAT.(G+1),
 *              which must not exist: of two takers one succeeds, and nothing is ever removed or
 *              renamed, so a name never means two things.
 *   lose       a holder that was stopped for too long finds WHAT.(G+1).  It looks before every
 *              renewal and before it finishes, and then neither renews nor finishes.
 *   give back  set the file's time to 0: stale at once.
 *   finish     create WHAT.done.  Nobody claims WHAT any more.
 *   forgive    give back for all holders that have gone, so that WHAT is as if they had lived.
 *
 * A holder that lost its lease between its last look and the end may finish, too: both did the same
 * work, and the work's results are keyed and do not depend on who did it (sweeps/store/store.h), so
 * doing it twice costs time and nothing else.  For the same reason nothing is lost if an NFS client
 * sees a file late.
 *
 * A file's text is its holder's name.  The generations of WHAT that were not given back count how
 * many holders it has ended.
 *
 * Source: open(2) and nfs(5) on exclusive creation; leases as of Gray and Cheriton 1989. */
#pragma once

#include "base/error.h"
#include "base/io/shared_file.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { LEASE_WHAT_MAX = 32, LEASES_MAX = 128, LEASE_HOLDER_MAX = 128 };

struct lease {
    char what[LEASE_WHAT_MAX];
    uint32_t generation;
    bool held;         /* guarded by leases.lock */
    _Atomic bool lost; /* somebody has taken it over */
};

struct leases {
    char dir[900], holder[LEASE_HOLDER_MAX];
    double seconds; /* that a lease lasts without renewal */
    struct lease lease[LEASES_MAX];
    pthread_t thread;
    bool started, ending;
    pthread_mutex_t lock;
    pthread_cond_t wake;
};

/* Starts the thread that renews.  dir exists; holder: unique among all processes of all hosts.  The
 * caller calls leases_close in either case. */
bool leases_open(struct leases *l, const char *dir, const char *holder, double seconds,
                 struct error *e);
/* Gives back what is still held. */
void leases_close(struct leases *l);

/* Creates WHAT.generation; *got NULL: somebody else was faster.  The struct stays valid until
 * lease_finish or lease_give_back.  At most LEASES_MAX at a time. */
bool lease_claim(struct leases *l, const char *what, uint32_t generation, struct lease **got,
                 struct error *e);
/* Looks whether somebody has taken it over. */
bool lease_is_lost(const struct leases *l, struct lease *x);
/* Marks WHAT as done, unless the lease is lost: *lost.  Frees *x in either case. */
bool lease_finish(struct leases *l, struct lease *x, bool *lost, struct error *e);
void lease_give_back(struct leases *l, struct lease *x);

/* Looks at the files of others.  now: shared_file_clock of lease_clock. */
bool lease_clock(const struct leases *l, shared_time *now, struct error *e);
bool lease_is_stale(const char *dir, const char *what, uint32_t generation, double seconds,
                    shared_time now);
/* How many generations there are. */
uint32_t lease_generations(const char *dir, const char *what);
/* How many of generations 0..n-1 were neither given back nor finished. */
uint32_t lease_deaths(const char *dir, const char *what, uint32_t n);
/* Whether WHAT, of n generations, has ended so many holders that nobody shall take it over. */
bool lease_is_deadly(const char *dir, const char *what, uint32_t n);
/* Forgives generations 0..n-1 of WHAT, the last of which is stale. false: a file of them is another
 * user's. */
bool lease_forgive(const char *dir, const char *what, uint32_t n);
bool lease_is_done(const char *dir, const char *what);
/* "" if it cannot be read. */
void lease_holder(const char *dir, const char *what, uint32_t generation,
                  char holder[LEASE_HOLDER_MAX]);

/* sweep_work_here.c - see sweep_work_here.h. */
#include "cli/sweep/sweep_work_here.h"

#include "base/memory/alloc.h"
#include "cli/command/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In memory that the processes share: one each. */
struct worker_here {
    pid_t process;
    bool ended, ok;
    struct work_result result;
};

/* The child: works, and leaves without what its parent would do at its end. */
static void work_as_child(struct worker_here *h, struct plan *p, const struct work_request *q,
                          pid_t parent)
{
    struct error e = {0};
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) plumb_interrupted = true; /* it died before it was asked for */
    h->ok = worker_run(p, q, &h->result, &e);
    fflush(stdout);
    _exit(h->ok ? EXIT_OK : cli_fail(&e));
}

/* Passes a signal to all that have not ended. */
static void pass_on(const struct worker_here *all, unsigned n, int sig)
{
    for (unsigned i = 0; i < n; i++)
        if (all[i].process > 0 && !all[i].ended) kill(all[i].process, sig);
}

static bool has_ended(const struct worker_here *h)
{
    int status = 0;
    if (h->ended || h->process <= 0) return true;
    if (waitpid(h->process, &status, WNOHANG) == 0) return false;
    if (WIFSIGNALED(status))
        cli_say("a worker, process %ld, was ended by signal %d", (long)h->process,
                WTERMSIG(status));
    return true;
}

static unsigned count_ended(struct worker_here *all, unsigned n)
{
    unsigned ended = 0;
    for (unsigned i = 0; i < n; i++) {
        all[i].ended = has_ended(&all[i]);
        ended += all[i].ended;
    }
    return ended;
}

static void wait_for_all(struct worker_here *all, unsigned n, const _Atomic bool *stop)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    bool stopped = false, interrupted = false;
    while (count_ended(all, n) < n) {
        if (!interrupted && plumb_interrupted) pass_on(all, n, SIGTERM);
        if (!stopped && *stop) pass_on(all, n, SIGUSR1);
        interrupted = plumb_interrupted;
        stopped = *stop;
        nanosleep(&moment, NULL);
    }
}

static void add_result(struct work_result *sum, const struct work_result *r)
{
    sum->done += r->done;
    sum->failed += r->failed;
    sum->chunks += r->chunks;
    sum->taken += r->taken;
    sum->lost += r->lost;
    sum->given += r->given;
    if (r->left > sum->left) sum->left = r->left;
    sum->complete |= r->complete;
    sum->seconds += r->seconds;
    sum->running += r->running;
    sum->waiting += r->waiting;
}

bool sweep_work_here(struct plan *p, const struct work_request *q, unsigned n,
                     struct work_result *r, struct error *e)
{
    bool ok = true;
    pid_t parent = getpid();
    size_t bytes = n * sizeof(struct worker_here);
    struct work_request one = *q;
    one.threads = 1;
    *r = (struct work_result){0};
    struct worker_here *all =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return error_no_memory(e);
    fflush(NULL);
    for (unsigned i = 0; i < n; i++) {
        pid_t child = fork();
        if (child == 0) work_as_child(&all[i], p, &one, parent);
        all[i].process = child;
        if (child < 0) error_run(e, "no further process: %s", strerror(errno));
    }
    wait_for_all(all, n, q->stop);
    for (unsigned i = 0; i < n; i++) {
        add_result(r, &all[i].result);
        ok = ok && all[i].ok;
    }
    munmap(all, bytes);
    return ok || r->complete; /* what one did not do others did */
}

/* random_machines.c - are estimates within the ranges that they state, on machines drawn over all
 * parameters?
 *
 * Usage: random_machines ROWS.csv FROM COUNT    (environment: THREADS, default 2; SEED, default 1)
 * Draws machines and programs number FROM to FROM + COUNT - 1 (tests/support/random_draw.h),
 * estimates each as `plumb estimate` does, with the calibrations and ranges that come with plumb,
 * and simulates it. Each is a process of its own with a limit of processor time and memory. Numbers
 * that ROWS.csv has are left out, so that a killed run goes on.  scripts/random-machines.sh adds
 * up.
 *
 * With SIM_THREADS ("2 3 8") in the environment, each is simulated again on so many threads, and a
 * metric that differs from that of one thread is a misfit; `words` says how many were used.
 *
 * With MACHINE ("rx540 l2.ways=8") and PROGRAM in the environment, machines are that one with one
 * parameter moved (tests/support/each_parameter.h), and COUNT ends with the last of them;
 * scripts/parameter-sensitivity.sh adds up.
 *
 * outcome:  held, missed   simulated cycles inside or outside of the stated range
 *           open           no range was stated
 *           slow           stopped at its limit before it reached the range's upper end
 *           refused        the machine or the program in one line (`words`), by both engines
 *           none           the parameter has no such value
 *           failed         a crash, another error, or one engine refuses what the other takes
 * beyond:   by how many times simulated cycles lie outside of the range; at most 1: inside.  Of a
 *           simulation that was stopped, the cycles until then are taken.
 * named:    parameters under the estimate's not_modelled
 * stated:   metrics, cycles included, that have a range; others: those that are missed besides
 *           cycles, each with its distance from the value over that of the range's end
 * misfit:   a metric that cannot be (tests/support/metric_bounds.h), with its engine */
#include "calibration/calibration_set.h"
#include "detailed/core/sim.h"
#include "engine/engine.h"
#include "tests/support/each_parameter.h"
#include "tests/support/metric_bounds.h"
#include "tests/support/random_draw.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 512, OTHERS = 1024, COMMAND = 8192, NUMBERS_MAX = 1 << 20, THREADS_MAX = 64 };
enum { ESTIMATE_SECONDS = 4, SIMULATE_SECONDS = 2, WATCH_CYCLES = 1000 };
static const rlim_t MEMORY = (rlim_t)4 << 30;

/* Where the process stopped, if it was stopped. */
enum stage { STAGE_DRAW, STAGE_ESTIMATE, STAGE_SIMULATE, STAGE_DONE };

/* Shared with the process that fills it. */
struct outcome {
    enum stage stage;
    bool none, estimate_refused, simulate_refused, no_room, failed;
    bool has_range;
    double estimated, low, high, simulated;
    uint32_t stated, named;
    char words[WORDS], others[OTHERS], misfit[WORDS];
    struct random_draw draw;
};

struct slot {
    pid_t child; /* 0: free */
    uint64_t number;
    struct outcome *o;
};

/* --- in a case's process --- */

static void limit_seconds(rlim_t more)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    rlim_t at = (rlim_t)used.ru_utime.tv_sec + (rlim_t)used.ru_stime.tv_sec + more;
    setrlimit(RLIMIT_CPU, &(struct rlimit){at, at + 1});
}

static void note_error(struct outcome *o, const char *engine, const struct error *e, bool *refused)
{
    bool no_room = strstr(e->text, "out of memory") || strstr(e->text, "GB of memory");
    *refused = e->kind == ERROR_INPUT || no_room;
    o->no_room |= no_room;
    o->failed |= !*refused;
    size_t n = strlen(o->words);
    snprintf(o->words + n, WORDS - n, "%s%s: %.200s", n ? "; " : "", engine, e->text);
}

static void note_misfit(struct outcome *o, const char *engine, const char *what)
{
    size_t n = strlen(o->misfit);
    snprintf(o->misfit + n, WORDS - n, "%s%s: %s", n ? "; " : "", engine, what);
}

static bool estimate_case(struct outcome *o, const struct program *p, struct answer *a)
{
    static struct calibration_set set;
    const struct machine *m = &o->draw.m;
    struct run_opts opts;
    struct error e = {0};
    char what[256];
    run_opts_default(&opts);
    opts.no_cache = true;
    opts.threads = 1;
    if (!calibration_set_open(&set, NULL, &m, 1, &e) ||
        !engine_run(ENGINE_ESTIMATE, m, p, calibration_set_for(&set, m), NULL, &opts, a, &e)) {
        note_error(o, "estimate", &e, &o->estimate_refused);
        return false;
    }
    if (answer_misfit(a, what, sizeof what)) note_misfit(o, "estimate", what);
    o->estimated = a->m.v[M_cycles];
    o->named = a->x.n_not_modelled;
    o->has_range = a->has_confidence && a->ranges.has[0];
    o->low = a->ranges.low[0];
    o->high = a->ranges.high[0];
    return true;
}

static void watch(const struct metrics *now, void *ctx)
{
    struct outcome *o = ctx;
    o->simulated = now->v[M_cycles];
}

/* Simulates it again on so many threads. */
static void compare_threads(struct outcome *o, const struct program *p, const struct metrics *one,
                            uint32_t threads)
{
    static struct metrics m;
    struct error e = {0};
    char what[256];
    struct sim *s = sim_new(&o->draw.m, p, &e);
    if (s) sim_watch(s, WATCH_CYCLES, watch, o);
    uint32_t used = s ? sim_use_threads(s, threads, &e) : 0;
    bool same = used && sim_run(s, NULL, NULL, NULL, &e) == SIM_DONE;
    if (same) sim_metrics(s, &m);
    same = same && memcmp(m.v, one->v, sizeof m.v) == 0 &&
           memcmp(&m.load_latency, &one->load_latency, sizeof m.load_latency) == 0 &&
           memcmp(&m.max_latency, &one->max_latency, sizeof m.max_latency) == 0;
    sim_free(s);
    if (!same) {
        snprintf(what, sizeof what, "%u threads differ from one %.100s", threads, e.text);
        note_misfit(o, "simulate", what);
    }
    size_t n = strlen(o->words);
    snprintf(o->words + n, WORDS - n, "%s%u threads", n ? "; " : "", used);
}

static bool simulate_case(struct outcome *o, const struct program *p, struct metrics *m)
{
    struct error e = {0};
    char what[256];
    const char *threads = getenv("SIM_THREADS");
    struct sim *s = sim_new(&o->draw.m, p, &e);
    if (s) sim_watch(s, WATCH_CYCLES, watch, o);
    if (!s || sim_run(s, NULL, NULL, NULL, &e) != SIM_DONE) {
        note_error(o, "simulate", &e, &o->simulate_refused);
        return false;
    }
    sim_metrics(s, m);
    sim_free(s);
    if (metrics_misfit(m, what, sizeof what)) note_misfit(o, "simulate", what);
    char *next = NULL;
    for (; threads && *threads; threads = *next ? next + 1 : next) {
        limit_seconds(SIMULATE_SECONDS * 8);
        compare_threads(o, p, m, (uint32_t)strtoul(threads, &next, 10));
    }
    o->simulated = m->v[M_cycles];
    return true;
}

/* Of all metrics but cycles. */
static void judge_others(struct outcome *o, const struct answer *a, const struct metrics *m)
{
    for (uint32_t i = 0; metrics_key(i); i++) {
        double simulated, estimated;
        if (!a->ranges.has[i] || !metrics_at(&a->m, i, &estimated) || !metrics_at(m, i, &simulated))
            continue;
        double low = a->ranges.low[i], high = a->ranges.high[i];
        o->stated++;
        if (i == 0 || (simulated >= low && simulated <= high)) continue;
        double end = simulated > high ? high : low;
        double far = fmin(9999, (simulated - estimated) / (end - estimated));
        size_t n = strlen(o->others);
        if (n + 64 < OTHERS)
            snprintf(o->others + n, OTHERS - n, "%s%s:%.3g", n ? " " : "", metrics_key(i), far);
    }
}

static struct program *draw_case(struct outcome *o, const struct name_lists *l, uint64_t seed,
                                 uint64_t number)
{
    const char *machine = getenv("MACHINE"), *program = getenv("PROGRAM");
    struct rng r;
    rng_seed(&r, seed, number);
    if (machine && program) {
        o->none = !draw_each(l, machine, number, &o->draw);
        return o->none ? NULL : each_program(program, &o->draw);
    }
    return draw_random_machine(l, &r, number, &o->draw) ? draw_program(&r, &o->draw) : NULL;
}

static void run_case(struct outcome *o, const struct name_lists *l, uint64_t seed, uint64_t number)
{
    static struct answer a;
    static struct metrics m;
    setrlimit(RLIMIT_AS, &(struct rlimit){MEMORY, MEMORY});
    limit_seconds(ESTIMATE_SECONDS);
    struct program *p = draw_case(o, l, seed, number);
    o->failed = !p && !o->none;
    if (!p) return;
    o->stage = STAGE_ESTIMATE;
    bool estimated = estimate_case(o, p, &a);
    o->stage = STAGE_SIMULATE;
    limit_seconds(SIMULATE_SECONDS);
    if (simulate_case(o, p, &m) && estimated) judge_others(o, &a, &m);
    o->stage = STAGE_DONE;
}

/* --- rows --- */

static double beyond(const struct outcome *o)
{
    double up = o->simulated / o->high, down = o->low / o->simulated;
    return o->stage == STAGE_DONE ? fmax(up, down) : up;
}

static const char *verdict(struct outcome *o, int status)
{
    bool out_of_time =
        WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
    if (!out_of_time && (o->failed || !WIFEXITED(status) || WEXITSTATUS(status))) {
        if (WIFSIGNALED(status)) snprintf(o->words, WORDS, "signal %d", WTERMSIG(status));
        return "failed";
    }
    if (o->none) return "none";
    if (o->estimate_refused || o->simulate_refused)
        return out_of_time || o->no_room || o->estimate_refused == o->simulate_refused ? "refused"
                                                                                       : "failed";
    if (out_of_time && (o->stage != STAGE_SIMULATE || !o->has_range || o->simulated <= o->high))
        return "slow";
    return !o->has_range ? "open" : beyond(o) <= 1 ? "held" : "missed";
}

static void print_quoted(FILE *f, const char *s)
{
    fputc('"', f);
    for (; *s; s++)
        fputc(*s == '"' || *s == '\n' ? '\'' : *s, f);
    fputc('"', f);
}

static void print_number(FILE *f, bool has, double v)
{
    if (has) fprintf(f, "%.6g", v);
    fputc(',', f);
}

static void print_row(FILE *f, uint64_t number, struct outcome *o, int status)
{
    static const char *const stage[] = {"draw", "estimate", "simulate", "done"};
    const char *word = verdict(o, status);
    bool estimated = o->estimated > 0, simulated = o->simulated > 0;
    fprintf(f, "%llu,%s,%s,", (unsigned long long)number, word, stage[o->stage]);
    print_number(f, o->has_range && simulated, beyond(o));
    print_number(f, simulated, o->simulated);
    print_number(f, estimated, o->estimated);
    print_number(f, o->has_range, o->low);
    print_number(f, o->has_range, o->high);
    fprintf(f, "%u,%u,", o->named, o->stated);
    print_quoted(f, o->others);
    fputc(',', f);
    print_quoted(f, o->misfit);
    fputc(',', f);
    print_quoted(f, o->words);
    fprintf(f, ",\"%s '%s'", o->draw.preset, o->draw.program);
    for (uint32_t i = 0; i < o->draw.sets; i++)
        fprintf(f, " --set '%s'", o->draw.set[i]);
    fprintf(f, "\"\n");
    fflush(f);
}

static const char HEAD[] =
    "number,outcome,stage,beyond,simulated,estimated,low,high,named,stated,others,"
    "misfit,words,command\n";

static FILE *open_rows(const char *path, uint64_t from, uint64_t count, bool *had)
{
    char line[COMMAND + OTHERS + 4 * WORDS];
    FILE *f = fopen(path, "r");
    bool empty = true;
    while (f && fgets(line, sizeof line, f)) {
        char *end;
        uint64_t number = strtoull(line, &end, 10);
        if (end != line && *end == ',' && number >= from && number - from < count)
            had[number - from] = true;
        empty = false;
    }
    if (f) fclose(f);
    f = fopen(path, "a");
    if (f && empty) fputs(HEAD, f);
    return f;
}

/* --- all cases --- */

static bool start(struct slot *s, const struct name_lists *l, uint64_t seed, uint64_t number)
{
    memset(s->o, 0, sizeof *s->o);
    s->number = number;
    fflush(NULL);
    s->child = fork();
    if (s->child == 0) {
        run_case(s->o, l, seed, number);
        _exit(0);
    }
    return s->child > 0;
}

static bool finish_one(struct slot *s, unsigned n, FILE *rows)
{
    int status = 0;
    pid_t child = waitpid(-1, &status, 0);
    for (unsigned i = 0; child > 0 && i < n; i++) {
        if (s[i].child != child) continue;
        print_row(rows, s[i].number, s[i].o, status);
        s[i].child = 0;
    }
    return child > 0;
}

static struct slot *free_slot(struct slot *s, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!s[i].child) return &s[i];
    return NULL;
}

static bool run_all(const struct name_lists *l, uint64_t seed, uint64_t from, uint64_t count,
                    const bool *had, unsigned threads, FILE *rows)
{
    struct slot s[THREADS_MAX] = {0};
    bool ok = true;
    for (unsigned i = 0; i < threads; i++) {
        s[i].o =
            mmap(NULL, sizeof *s[i].o, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (s[i].o == MAP_FAILED) return false;
    }
    for (uint64_t k = 0; ok && k < count; k++) {
        struct slot *mine = NULL;
        if (had[k]) continue;
        while (ok && !(mine = free_slot(s, threads)))
            ok = finish_one(s, threads, rows);
        ok = ok && start(mine, l, seed, from + k);
    }
    while (finish_one(s, threads, rows))
        ;
    return ok;
}

int main(int argc, char **argv)
{
    struct name_lists l;
    const char *threads = getenv("THREADS"), *seed = getenv("SEED");
    uint64_t from = argc == 4 ? strtoull(argv[2], NULL, 10) : 0,
             count = argc == 4 ? strtoull(argv[3], NULL, 10) : 0;
    unsigned n = threads ? (unsigned)atoi(threads) : 2;
    if (count < 1 || count > NUMBERS_MAX || n < 1 || n > THREADS_MAX) {
        fprintf(stderr, "usage: random_machines ROWS.csv FROM COUNT\n");
        return 2;
    }
    bool *had = calloc(count, sizeof *had);
    FILE *rows = had ? open_rows(argv[1], from, count, had) : NULL;
    bool ok = rows && name_lists_init(&l);
    uint64_t end = ok && getenv("MACHINE") ? each_count(&l) : UINT64_MAX;
    if (from + count > end) count = from < end ? end - from : 0;
    if (ok) {
        ok = run_all(&l, seed ? strtoull(seed, NULL, 10) : 1, from, count, had, n, rows);
        name_lists_fini(&l);
    }
    if (!ok) fprintf(stderr, "random_machines: %s\n", strerror(errno));
    if (rows) fclose(rows);
    free(had);
    return ok ? 0 : 1;
}

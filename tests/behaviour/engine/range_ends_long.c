/* range_ends_long.c - every number of the parameter tables at both ends of its range, and on both
 * sides of 2^8 and 2^16, one at a time: the machine is refused in a line that names the parameter,
 * or both engines answer with numbers that can be.  With 2^8 and 2^16 they do not answer as with
 * the range's lower end, where one less gives something else: a type that holds less than the range
 * wraps there. */
#include "engine/engine.h"
#include "tests/support/metric_bounds.h"
#include "tests/support/random_draw.h"
#include "tests/support/run.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { VALUES = 6, CASE_SECONDS = 2 };
static const double FAR = 1.5, NEAR = 1.05; /* ratios of cycles */

static const struct {
    const char *preset, *set, *program;
} bases[] = {
    {"rx540", "sm.count=4", "gather ctas=6 warps_per_cta=2 iterations=2 footprint=262144"},
    {"apu-quickrelease", "sm.count=4", "handoff ctas=4 warps_per_cta=1 iterations=2"},
    {"a100-40", "sm.count=8", "partial ctas=8 warps_per_cta=2 iterations=1 stride=16"},
};
enum { BASES = sizeof bases / sizeof *bases };

/* What a value gives; shared with the process that fills it. */
struct end {
    bool applies, refused, done;
    double cycles[ENGINE_N];
    char wrong[512];
};

static void engine_end(enum engine engine, const struct machine *m, const struct program *p,
                       struct end *end)
{
    struct run_opts o;
    struct error e = {0};
    struct answer a = {0};
    run_opts_default(&o);
    o.no_cache = true;
    o.threads = 1;
    if (engine_run(engine, m, p, NULL, NULL, &o, &a, &e)) {
        if (!end->wrong[0]) answer_misfit(&a, end->wrong, sizeof end->wrong);
        end->cycles[engine] = a.m.v[M_cycles];
    } else if (e.kind == ERROR_INPUT) {
        end->refused = true;
    } else {
        snprintf(end->wrong, sizeof end->wrong, "%.400s", e.text);
    }
    answer_fini(&a);
}

static void run_end(const struct name_lists *l, uint32_t base, const char *path,
                    const struct param *p, double value, struct end *end)
{
    static struct random_draw d;
    char text[SELECTORS + 1][DRAW_TEXT];
    const char *sets[SELECTORS + 1];
    uint32_t n = 0;
    struct rng r;
    struct errors all = {0};
    d.m = run_machine(bases[base].preset, &bases[base].set, 1);
    rng_seed(&r, 1, base);
    if (!draw_selectors(l, &r, &d.m, p->when, text, &n)) return;
    for (uint32_t i = 0; i < n; i++)
        sets[i] = text[i];
    if (!machine_set(&d.m, sets, n, &all)) return;
    snprintf(text[n], DRAW_TEXT, "%s=%.15g%s", path, value, p->type == PARAM_REAL ? "e0" : "");
    sets[n] = text[n];
    end->applies = true;
    if (!machine_set(&d.m, &sets[n], 1, &all)) {
        end->refused = true;
        if (!strstr(all.item[0].text, path))
            snprintf(end->wrong, sizeof end->wrong, "refused as: %.400s", all.item[0].text);
        return;
    }
    struct program *program = run_open(bases[base].program, d.m.sm.warp_width);
    engine_end(ENGINE_SIMULATE, &d.m, program, end);
    engine_end(ENGINE_ESTIMATE, &d.m, program, end);
    end->done = true;
    program_close(program);
}

/* How the process ended. */
static int end_apart(const struct name_lists *l, uint32_t base, const char *path,
                     const struct param *p, double value, struct end *end)
{
    int status = 0;
    memset(end, 0, sizeof *end);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){CASE_SECONDS, CASE_SECONDS + 1});
        run_end(l, base, path, p, value, end);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU ? 0 : status;
}

static bool wraps(const struct end *low, const struct end *below, const struct end *above,
                  enum engine engine)
{
    double l = low->cycles[engine], a = below->cycles[engine], b = above->cycles[engine];
    if (!(l > 0 && a > 0 && b > 0)) return false;
    return fabs(log(a / l)) > log(FAR) && fabs(log(b / l)) < log(NEAR);
}

/* Returns the number of faults. */
static unsigned judge_path(const struct name_lists *l, uint32_t base, const char *path,
                           struct end *end)
{
    const struct param *p = machine_find_param(path, NULL, NULL);
    const double value[VALUES] = {p->lo, p->hi, 255, 256, 65535, 65536};
    unsigned faults = 0;
    for (uint32_t i = 0; i < VALUES; i++) {
        if (value[i] < p->lo || value[i] > p->hi || (i >= 2 && p->type != PARAM_INT)) {
            memset(&end[i], 0, sizeof end[i]);
            continue;
        }
        int status = end_apart(l, base, path, p, value[i], &end[i]);
        if (!status && !end[i].wrong[0]) continue;
        faults++;
        print_error("%s %s=%.15g: %s (status %d)\n", bases[base].preset, path, value[i],
                    end[i].wrong, status);
    }
    for (uint32_t i = 2; i < VALUES; i += 2)
        for (enum engine k = 0; k < ENGINE_N; k++) {
            if (!wraps(&end[0], &end[i], &end[i + 1], k)) continue;
            faults++;
            print_error("%s %s: %s: %.0f cycles with %.0f, %.0f with %.0f\n", bases[base].preset,
                        path, engine_name[k], end[i].cycles[k], value[i], end[i + 1].cycles[k],
                        value[i + 1]);
        }
    return faults;
}

static void both_ends_hold(void **state)
{
    struct name_lists l;
    unsigned faults = 0;
    struct end *end =
        mmap(NULL, VALUES * sizeof *end, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    (void)state;
    assert_true(end != MAP_FAILED && name_lists_init(&l));
    for (uint32_t base = 0; base < BASES; base++)
        for (uint32_t i = 0; i < l.n_paths; i++) {
            enum param_type type = machine_find_param(l.paths[i], NULL, NULL)->type;
            if (type == PARAM_INT || type == PARAM_REAL || type == PARAM_SIZE)
                faults += judge_path(&l, base, l.paths[i], end);
        }
    name_lists_fini(&l);
    munmap(end, VALUES * sizeof *end);
    assert_int_equal(faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ends_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

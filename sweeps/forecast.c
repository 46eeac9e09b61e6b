/* forecast.c - see forecast.h. */
#include "sweeps/forecast.h"

#include "base/mem.h"
#include "machine/machine.h"
#include "sweeps/store_internal.h"

#include <math.h>

enum { TRIAL_INSTRUCTIONS = 20000 };

static double stored_seconds(struct store *s, const char *program, enum engine engine)
{
    double v = NAN;
    sqlite3_stmt *q = NULL;
    int rc = sqlite3_prepare_v2(s->db,
                                "SELECT avg(r.host_seconds) FROM run r JOIN program p ON p.digest ="
                                " r.program WHERE p.name = ?1 AND r.engine = ?2 AND r.status ="
                                " 'done'",
                                -1, &q, NULL);
    if (rc == SQLITE_OK) {
        store_bind_text(q, 1, program);
        store_bind_text(q, 2, engine_name[engine]);
        rc = sqlite3_step(q);
    }
    if (rc == SQLITE_ROW && sqlite3_column_type(q, 0) != SQLITE_NULL)
        v = sqlite3_column_double(q, 0);
    sqlite3_finalize(q);
    return v;
}

static double instructions_of(const struct program *p)
{
    double n = 0;
    for (uint32_t i = 0; i < program_launches(p); i++)
        n += (double)program_launch(p, i)->warp_instructions;
    return n;
}

/* The cycle model's time goes with the instructions; a sample runs at most half of them. */
static double trial_seconds(const struct plan *p, const struct machine *m, uint32_t workload,
                            enum engine engine, struct error *e)
{
    struct answer *a = mem_new(1, sizeof *a);
    struct run_opts o = p->opts;
    const struct program *program = plan_program(p, workload, m->sm.warp_width);
    bool estimate = engine == ENGINE_ESTIMATE;
    o.threads = 1;
    o.max_instructions = estimate ? 0 : TRIAL_INSTRUCTIONS;
    double seconds = NAN, start = clock_seconds();
    if (!a) {
        error_no_memory(e);
        return NAN;
    }
    if (engine_run(estimate ? ENGINE_ESTIMATE : ENGINE_SIMULATE, m, program, NULL, NULL, &o, a,
                   e)) {
        seconds = clock_seconds() - start;
        double whole = instructions_of(program), done = a->m.v[M_warp_instructions];
        if (!estimate && whole > done && done > 0) seconds *= whole / done;
        if (engine == ENGINE_SAMPLE) seconds /= 2;
    }
    answer_fini(a);
    mem_free(a);
    return seconds;
}

bool forecast_engine(struct forecast *f, const struct plan *p, struct store *s, enum engine engine,
                     struct error *e)
{
    struct machine m;
    double sum = 0;
    if (!plan_machine(p, 0, &m, e)) return false;
    f->measured = false;
    for (uint32_t w = 0; w < p->n_workloads; w++) {
        double seconds = s ? stored_seconds(s, plan_workload(p, w), engine) : NAN;
        if (isnan(seconds)) {
            seconds = trial_seconds(p, &m, w, engine, e);
            f->measured = true;
        }
        if (isnan(seconds)) return false;
        sum += seconds;
    }
    f->run_seconds = sum / p->n_workloads;
    return true;
}

#include "tests/support/ask.h"

struct metrics ask(enum engine engine, const struct machine *m, const struct program *p)
{
    struct run_opts o;
    struct answer a;
    struct error e = {0};
    run_opts_default(&o);
    o.exact_profile = true; /* these tests hold the terms of the model */
    o.no_cache = true;
    o.threads = 1;
    if (!engine_run(engine, m, p, NULL, NULL, &o, &a, &e)) fail_msg("%s", e.text);
    struct metrics out = a.m;
    answer_fini(&a);
    return out;
}

struct metrics ask_of(enum engine engine, const struct machine *m, const char *program)
{
    bool text = strchr(program, '=') != NULL;
    struct program *p =
        text ? run_program(program, m->sm.warp_width) : run_open(program, m->sm.warp_width);
    struct metrics out = ask(engine, m, p);
    program_close(p);
    return out;
}

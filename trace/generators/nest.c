/* nest.c - rows and their streams; see nest.h. */
#include "trace/generators/nest.h"

#include "base/memory/alloc.h"
#include "trace/generators/map_parts.h"

#include <stdatomic.h>
#include <string.h>

/* Instructions in a row that are alike: without addresses, or one access. */
struct nest_row {
    uint32_t from, to;
    bool access, exit, branch;
    int32_t only, own; /* conditions, or MAP_NONE; own: of the access */
    int32_t array;
    uint32_t form, sum; /* the form's */
    bool even;          /* whether lanes are `stride` apart */
    int64_t constant, stride;
};

/* What was said of an instruction; in the order of the code. */
struct nest_remark {
    uint32_t code;
    bool access, branch;
    int32_t only, own, array;
    uint32_t form;
};

struct nest_rows {
    struct nest_row *row;
    uint32_t n, step, epilogue; /* the first of those parts */
    size_t cap;
};

/* Rows: of readers of everything, and of those that want addresses of global memory alone. */
struct nest {
    const struct generator *g;
    struct nest_rows rows[2];
    struct nest_run *_Atomic spare; /* a walk for whoever wants the next one, or NULL */
};

/* --- remarks --- */

static struct nest_remark *add_remark(struct generator *g, uint32_t code)
{
    struct nest_remarks *r = &g->remarks;
    struct nest_remark like = {.code = code, .only = MAP_NONE, .own = MAP_NONE};
    if (r->n) {
        like.only = r->remark[r->n - 1].only;
        like.branch = r->remark[r->n - 1].branch;
    }
    if (!mem_grow(&r->remark, &r->cap, r->n + 1, sizeof like)) return NULL;
    r->remark[r->n] = like;
    return &r->remark[r->n++];
}

static struct nest_remark *remark_last(struct generator *g)
{
    struct nest_remarks *r = &g->remarks;
    uint32_t code = g->code.n - 1;
    if (r->n && r->remark[r->n - 1].code == code) return &r->remark[r->n - 1];
    return add_remark(g, code);
}

void gen_at(struct generator *g, int32_t array, int64_t size, const char *index)
{
    uint32_t form = map_form(g->map, index, size);
    struct nest_remark *r = remark_last(g);
    if (!r) return (void)(g->code.strings.failed = true);
    r->access = true;
    r->array = array;
    r->form = form;
}

void gen_if(struct generator *g, const char *condition)
{
    uint32_t own = map_condition(g->map, condition);
    struct nest_remark *r = remark_last(g);
    if (!r) return (void)(g->code.strings.failed = true);
    r->own = (int32_t)own;
}

static void begin_lanes(struct generator *g, const char *condition, bool branch)
{
    int32_t only = *condition ? (int32_t)map_condition(g->map, condition) : MAP_NONE;
    if (branch && only >= 0 && !map_is_of_warps(g->map, (uint32_t)only))
        map_refuse(g->map, "a branch is the same for all CTAs and steps");
    struct nest_remark *r = add_remark(g, g->code.n);
    if (!r) return (void)(g->code.strings.failed = true);
    r->only = only;
    r->branch = branch;
}

void gen_only(struct generator *g, const char *condition)
{
    begin_lanes(g, condition, false);
}

void gen_branch(struct generator *g, const char *condition)
{
    begin_lanes(g, condition, true);
}

/* --- rows --- */

static bool add_row(struct nest_rows *rows, const struct nest_row *r, uint32_t part)
{
    struct nest_row *last = rows->n ? &rows->row[rows->n - 1] : NULL;
    bool joins = last && last->from >= part && !last->access && !last->exit && !r->access &&
                 !r->exit && last->only == r->only && last->branch == r->branch;
    if (joins) return last->to = r->to, true;
    if (!mem_grow(&rows->row, &rows->cap, rows->n + 1, sizeof *r)) return false;
    rows->row[rows->n++] = *r;
    return true;
}

static void describe_access(struct nest_row *r, const struct index_map *m)
{
    r->even = map_is_even(m, r->form, &r->stride);
    r->sum = m->form[r->form].sum;
    r->constant = m->form[r->form].constant;
}

static void leave_sure_conditions(struct nest_row *r, const struct index_map *m)
{
    if (r->only >= 0 && map_is_sure(m, (uint32_t)r->only)) r->only = MAP_NONE;
    if (r->own >= 0 && map_is_sure(m, (uint32_t)r->own)) r->own = MAP_NONE;
    r->branch &= r->only >= 0;
}

static bool make_rows(struct nest_rows *rows, const struct generator *g, bool global_only)
{
    const struct nest_remark *at = g->remarks.remark, *end = at + g->remarks.n;
    uint32_t part = 0, loop = g->n_prologue, epilogue = loop + g->n_step;
    int32_t only = MAP_NONE;
    bool branch = false;
    for (uint32_t i = 0; i < g->code.n; i++) {
        struct nest_row r = {.from = i, .to = i + 1, .own = MAP_NONE};
        if (i == loop) part = loop, rows->step = rows->n;
        if (i == epilogue) part = epilogue, rows->epilogue = rows->n;
        r.exit = g->code.si[i].cls == OP_EXIT;
        for (; at < end && at->code == i; at++) {
            only = at->only;
            branch = at->branch;
            r.access = at->access && (!global_only || inst_op_is_global(g->code.si[i].cls));
            r.array = at->array;
            r.form = at->form;
            r.own = r.access ? at->own : MAP_NONE;
            if (r.access) describe_access(&r, g->map);
        }
        r.only = only;
        r.branch = branch;
        leave_sure_conditions(&r, g->map);
        if (!add_row(rows, &r, part)) return false;
    }
    return true;
}

struct nest *nest_new(struct generator *g, const char *path, struct error *e)
{
    bool finished = !map_error(g->map) && map_finish(g->map);
    if (map_error(g->map)) return error_input(e, "%s: %s", path, map_error(g->map)), NULL;
    struct nest *n = mem_new(1, sizeof *n);
    bool ok = n && finished;
    if (n) n->g = g;
    for (uint32_t k = 0; k < 2 && ok; k++)
        ok = make_rows(&n->rows[k], g, k);
    if (ok) return n;
    nest_free(n);
    return error_no_memory(e), NULL;
}

/* --- streams --- */

struct nest_run {
    const struct nest *n;
    struct map_run *map;
    uint64_t base[1 + GEN_MAX_TENSORS]; /* of shared memory and the arrays */
};

static void free_run(struct nest_run *r)
{
    if (!r) return;
    map_run_free(r->map);
    mem_free(r);
}

static struct nest_run *new_run(const struct nest *n)
{
    struct nest_run *r = mem_new(1, sizeof *r);
    if (r) r->map = map_run_new(n->g->map);
    if (r && r->map) return r->n = n, r;
    mem_free(r);
    return NULL;
}

struct nest_run *nest_run_take(struct nest *n)
{
    struct nest_run *r = atomic_exchange(&n->spare, NULL);
    if (!r) r = new_run(n);
    for (uint32_t k = 0; r && k < GEN_MAX_TENSORS; k++)
        r->base[k + 1] = gen_array(n->g, k);
    return r;
}

void nest_run_give(struct nest *n, struct nest_run *r)
{
    free_run(atomic_exchange(&n->spare, r));
}

void nest_free(struct nest *n)
{
    if (!n) return;
    free_run(n->spare);
    mem_free(n->rows[0].row);
    mem_free(n->rows[1].row);
    mem_free(n);
}

/* The lanes' addresses one by one. */
static void emit_list(struct nest_run *r, struct gen_warp *w, const struct nest_row *row,
                      uint64_t mask, uint64_t base)
{
    int64_t stride;
    uint64_t list[WARP_MAX_LANES];
    const int64_t *v = map_run_vector(r->map, row->form, &stride);
    struct warp_inst i = {.code = row->from, .mask = mask, .form = ADDR_LIST, .list = list};
    uint32_t n = 0;
    bool all = v && mask == w->out->full;
    for (uint32_t lane = 0; all && lane < w->g->width; lane++)
        list[lane] = base + (uint64_t)v[lane];
    for (uint64_t rest = all ? 0 : mask; rest; rest &= rest - 1) {
        uint64_t lane = (uint64_t)__builtin_ctzll(rest);
        list[n++] = base + (v ? (uint64_t)v[lane] : (uint64_t)stride * lane);
    }
    segment_inst(w->out, &i, false);
}

static void emit_access(struct nest_run *r, struct gen_warp *w, const struct nest_row *row,
                        uint64_t mask)
{
    uint64_t base =
        r->base[row->array + 1] + (uint64_t)row->constant + map_run_sum(r->map, row->sum);
    uint32_t first = (uint32_t)__builtin_ctzll(mask);
    uint64_t from_first = mask >> first;
    if (!row->even || (from_first & (from_first + 1)))
        emit_list(r, w, row, mask, base);
    else
        segment_strided(w->out, row->from, mask, base + (uint64_t)row->stride * first, row->stride);
}

static inline void emit_row(struct nest_run *r, struct gen_warp *w, const struct nest_row *row)
{
    uint64_t mask = w->mask;
    if (row->only >= 0) mask &= map_run_lanes(r->map, (uint32_t)row->only);
    if (row->branch && !mask) return;
    if (row->own >= 0 && mask) mask &= map_run_lanes(r->map, (uint32_t)row->own);
    if (row->access && mask)
        emit_access(r, w, row, mask);
    else if (!row->exit)
        segment_plain(w->out, row->from, row->to, mask);
    else
        segment_inst(w->out, &(struct warp_inst){.code = row->from, .mask = mask}, true);
}

static void emit_rows(struct nest_run *r, struct gen_warp *w, const struct nest_rows *rows,
                      uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        emit_row(r, w, &rows->row[i]);
}

void nest_run_warp(struct nest_run *r, struct gen_warp *w, uint64_t from, uint64_t to, bool last)
{
    const struct nest_rows *rows = &r->n->rows[gen_global_only(w)];
    map_run_warp(r->map, w->cta, w->warp, from);
    if (from == 0) emit_rows(r, w, rows, 0, rows->step);
    for (uint64_t i = from; i < to; i++) {
        if (i > from) map_run_step(r->map);
        emit_rows(r, w, rows, rows->step, rows->epilogue);
    }
    if (last) emit_rows(r, w, rows, rows->epilogue, rows->n);
}

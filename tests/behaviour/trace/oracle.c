/* Do captured kernels hold the warp instructions that a GPU with a stack of immediate
 * post-dominators would execute?  The plugin also tells what each work-item did
 * (trace/oclgrind/lanes.h); this file puts work-items together again in its own slow way (Fung et
 * al., MICRO 2007, section 2) and compares warp instructions and sectors of 32 bytes, launch by
 * launch. */
#include "base/memory/alloc.h"
#include "tests/support/capture_run.h"
#include "trace/oclgrind/lanes.h"

enum { MAX_LANES = 1024, NONE = -1, SECTOR = 32, PART = 16, MAX_EDGES = 4096, STACK = 4096 };

struct access {
    uint64_t addr;
    uint32_t bytes;
    uint8_t space;
};

/* Instruction executed by one work-item. */
struct event {
    uint32_t inst;
    size_t access, n_accesses;
};

struct item {
    struct event *event;
    size_t n, cap, at;
};

struct inst {
    int block;
    uint32_t ops, is;
};

struct totals {
    uint64_t instructions, sectors, lanes;
    uint64_t least; /* instructions, of any order: each as often as the lane that needs it most */
};

struct oracle {
    FILE *in;
    uint32_t width;
    struct inst *inst; /* of the kernel */
    size_t n_insts, insts_cap;
    struct {
        int from, to;
    } edge[MAX_EDGES];
    size_t n_edges;
    int *ipdom; /* by block number */
    struct item item[MAX_LANES];
    struct access *access; /* of the CTA */
    size_t n_accesses, accesses_cap, told;
    struct totals *launch;
    size_t n_launches, launches_cap;
};

/* --- immediate post-dominators from the definition --- */

static bool is_block(const struct oracle *o, size_t b)
{
    return o->inst[b].block == (int)b || o->inst[b].block == NONE - 1;
}

static bool leaves(const struct oracle *o, int b)
{
    for (size_t i = 0; i < o->n_edges; i++)
        if (o->edge[i].from == b) return false;
    return true;
}

/* Is there a way from block `from` to the function's end that avoids `without`? */
static bool reaches_end(const struct oracle *o, int from, int without, char *seen)
{
    if (from == without || seen[from]) return false;
    seen[from] = 1;
    if (leaves(o, from)) return true;
    for (size_t i = 0; i < o->n_edges; i++)
        if (o->edge[i].from == from && reaches_end(o, o->edge[i].to, without, seen)) return true;
    return false;
}

static bool post_dominates(const struct oracle *o, int p, int b)
{
    char *seen = mem_new(o->n_insts, 1);
    bool way = reaches_end(o, b, NONE, seen); /* an endless loop has no post-dominators */
    memset(seen, 0, o->n_insts);
    bool around = reaches_end(o, b, p, seen);
    mem_free(seen);
    return p != b && way && !around;
}

/* The blocks that post-dominate b lie in a row: the nearest is post-dominated by all others. */
static int nearest(const struct oracle *o, int b)
{
    int best = NONE;
    for (size_t p = 0; p < o->n_insts; p++) {
        if (!is_block(o, p) || !post_dominates(o, (int)p, b)) continue;
        if (best == NONE || post_dominates(o, best, (int)p)) best = (int)p;
    }
    return best;
}

static void find_ipdoms(struct oracle *o)
{
    mem_free(o->ipdom);
    o->ipdom = mem_new(o->n_insts, sizeof *o->ipdom);
    for (size_t i = 0; i < o->n_edges;
         i++) /* blocks that begin with phis have no instruction there */
        if (o->inst[o->edge[i].to].block == NONE) o->inst[o->edge[i].to].block = NONE - 1;
    for (size_t b = 0; b < o->n_insts; b++)
        if (is_block(o, b)) o->ipdom[b] = nearest(o, (int)b);
}

/* --- counting --- */

static void count_access(struct oracle *o, struct totals *t, uint64_t mask, uint32_t warp,
                         size_t slot)
{
    uint32_t bytes = 0, apart = 1; /* parts of private memory lie lanes apart */
    bool shared = false;
    for (uint32_t l = 0; l < o->width; l++) {
        if (!(mask >> l & 1)) continue;
        const struct item *it = &o->item[warp * o->width + l];
        const struct event *e = &it->event[it->at];
        if (e->n_accesses <= slot) continue;
        bytes = o->access[e->access + slot].bytes;
        shared = o->access[e->access + slot].space == SPACE_SHARED;
        apart = o->access[e->access + slot].space == SPACE_LOCAL ? o->width : 1;
    }
    for (uint32_t part = 0; part < bytes; part += PART) {
        uint64_t sector[2 * WARP_MAX_LANES];
        size_t n = 0;
        uint32_t size = bytes - part < PART ? bytes - part : PART;
        t->instructions++;
        for (uint32_t l = 0; l < o->width; l++) {
            if (!(mask >> l & 1)) continue;
            const struct item *it = &o->item[warp * o->width + l];
            const struct event *e = &it->event[it->at];
            if (e->n_accesses <= slot) continue;
            t->lanes++;
            uint64_t first = o->access[e->access + slot].addr + part * apart,
                     last = first + size - 1;
            for (uint64_t s = first / SECTOR; !shared && s <= last / SECTOR; s++) {
                bool seen = false;
                for (size_t k = 0; k < n; k++)
                    seen |= sector[k] == s;
                if (!seen) sector[n++] = s;
            }
        }
        t->sectors += n;
    }
}

/* The lanes of `mask` execute the instruction they stand at, together. */
static void count(struct oracle *o, uint64_t mask, uint32_t warp)
{
    struct totals *t = &o->launch[o->n_launches - 1];
    size_t slots = 0;
    uint32_t inst = 0;
    for (uint32_t l = 0; l < o->width; l++) {
        if (!(mask >> l & 1)) continue;
        const struct item *it = &o->item[warp * o->width + l];
        const struct event *e = &it->event[it->at];
        inst = e->inst;
        if (e->n_accesses > slots) slots = e->n_accesses;
    }
    t->instructions += o->inst[inst].ops;
    t->lanes += o->inst[inst].ops * (uint64_t)__builtin_popcountll(mask);
    for (size_t slot = 0; slot < slots; slot++)
        count_access(o, t, mask, warp, slot);
}

/* --- the stack --- */

static const struct event *standing(const struct oracle *o, uint32_t warp, uint32_t lane)
{
    const struct item *it = &o->item[warp * o->width + lane];
    return it->at < it->n ? &it->event[it->at] : NULL;
}

static int block_of(const struct oracle *o, uint32_t warp, uint32_t lane)
{
    const struct event *e = standing(o, warp, lane);
    assert_non_null(e);
    return o->inst[e->inst].block;
}

static void run_function(struct oracle *o, uint32_t warp, uint64_t mask);

/* false: the lanes returned. */
static bool run_block(struct oracle *o, uint32_t warp, uint64_t mask, int block)
{
    for (;;) {
        uint32_t inst = standing(o, warp, (uint32_t)__builtin_ctzll(mask))->inst;
        assert_int_equal(o->inst[inst].block, block);
        count(o, mask, warp);
        for (uint32_t l = 0; l < o->width; l++) {
            if (!(mask >> l & 1)) continue;
            assert_int_equal(standing(o, warp, l)->inst, inst);
            o->item[warp * o->width + l].at++;
        }
        if (o->inst[inst].is & LANES_IS_CALL) run_function(o, warp, mask);
        if (o->inst[inst].is & LANES_IS_END) return !(o->inst[inst].is & LANES_IS_RETURN);
    }
}

struct entry {
    int block, until;
    uint64_t mask;
};

/* Behind block b each target gets an entry until the immediate post-dominator of b. */
static size_t split(struct oracle *o, uint32_t warp, struct entry *stack, size_t height, int b)
{
    struct entry *top = &stack[height - 1];
    uint64_t left = top->mask;
    int join = o->ipdom[b];
    if (join == top->until)
        height--;
    else
        top->block = join;
    while (left) {
        int to = block_of(o, warp, (uint32_t)__builtin_ctzll(left));
        uint64_t side = 0;
        for (uint32_t l = 0; l < o->width; l++)
            if (left >> l & 1 && block_of(o, warp, l) == to) side |= UINT64_C(1) << l;
        assert_true(height < STACK);
        if (to != join) stack[height++] = (struct entry){to, join, side};
        left &= ~side;
    }
    return height;
}

static void run_function(struct oracle *o, uint32_t warp, uint64_t mask)
{
    struct entry *stack = mem_new(STACK, sizeof *stack);
    size_t height = 1;
    stack[0] = (struct entry){block_of(o, warp, (uint32_t)__builtin_ctzll(mask)), NONE, mask};
    while (height) {
        struct entry *top = &stack[height - 1];
        int b = top->block;
        if (b == top->until || !run_block(o, warp, top->mask, b))
            height--;
        else
            height = split(o, warp, stack, height, b);
    }
    mem_free(stack);
}

static void count_least(struct oracle *o, uint32_t warp)
{
    struct totals *t = &o->launch[o->n_launches - 1];
    uint64_t *most = mem_new(2 * o->n_insts, sizeof *most), *own = most + o->n_insts;
    for (uint32_t l = 0; l < o->width; l++) {
        const struct item *it = &o->item[warp * o->width + l];
        memset(own, 0, o->n_insts * sizeof *own);
        for (size_t k = 0; k < it->n; k++)
            own[it->event[k].inst]++;
        for (size_t i = 0; i < o->n_insts; i++)
            if (own[i] > most[i]) most[i] = own[i];
    }
    for (size_t i = 0; i < o->n_insts; i++)
        t->least += most[i] * o->inst[i].ops;
    mem_free(most);
}

static void run_cta(struct oracle *o)
{
    uint32_t warps = MAX_LANES / o->width;
    if (o->told) find_ipdoms(o);
    o->told = 0;
    for (uint32_t w = 0; w < warps; w++) {
        uint64_t mask = 0;
        for (uint32_t l = 0; l < o->width; l++)
            if (standing(o, w, l)) mask |= UINT64_C(1) << l;
        if (mask) run_function(o, w, mask);
        if (mask) count_least(o, w);
    }
    for (uint32_t i = 0; i < MAX_LANES; i++) {
        assert_int_equal(o->item[i].at, o->item[i].n);
        o->item[i].n = o->item[i].at = 0;
    }
    o->n_accesses = 0;
}

/* --- reading --- */

static void take_inst(struct oracle *o, const struct lanes_record *r)
{
    assert_true(mem_grow(&o->inst, &o->insts_cap, r->a + 1u, sizeof *o->inst));
    for (; o->n_insts <= r->a; o->n_insts++)
        o->inst[o->n_insts] = (struct inst){NONE, 0, 0};
    o->inst[r->a] = (struct inst){(int)(uint32_t)r->b, r->b >> 32 & 0xffff, (uint32_t)(r->b >> 48)};
    o->told++;
}

static void take_run(struct oracle *o, uint32_t inst, uint32_t lane, size_t first_access)
{
    struct item *it = &o->item[lane];
    assert_true(lane < MAX_LANES && inst < o->n_insts);
    assert_true(mem_grow(&it->event, &it->cap, it->n + 1, sizeof *it->event));
    it->event[it->n++] = (struct event){inst, first_access, o->n_accesses - first_access};
}

static void take_launch(struct oracle *o)
{
    assert_true(mem_grow(&o->launch, &o->launches_cap, o->n_launches + 1, sizeof *o->launch));
    o->launch[o->n_launches++] = (struct totals){0};
    o->n_insts = o->n_edges = 0;
}

static void take_all(struct oracle *o)
{
    struct lanes_record r;
    uint32_t lane = 0;
    size_t first = 0;
    while (fread(&r, sizeof r, 1, o->in) == 1) {
        switch ((enum lanes_kind)r.kind) {
        case LANES_LAUNCH:
            run_cta(o);
            take_launch(o);
            break;
        case LANES_CTA: run_cta(o); break;
        case LANES_INST: take_inst(o, &r); break;
        case LANES_EDGE:
            assert_true(o->n_edges < MAX_EDGES);
            o->edge[o->n_edges].from = (int)r.a;
            o->edge[o->n_edges++].to = (int)r.b;
            break;
        case LANES_LANE: lane = r.a; break;
        case LANES_ACCESS:
            assert_true(
                mem_grow(&o->access, &o->accesses_cap, o->n_accesses + 1, sizeof *o->access));
            o->access[o->n_accesses++] = (struct access){r.b, r.a & 0xffffff, (uint8_t)(r.a >> 24)};
            break;
        case LANES_RUN:
            if (o->n_accesses < first) first = 0;
            take_run(o, r.a, lane, first);
            first = o->n_accesses;
            break;
        }
        if (r.kind == LANES_CTA || r.kind == LANES_LAUNCH) first = 0;
    }
    run_cta(o);
}

static void oracle_fini(struct oracle *o)
{
    for (size_t i = 0; i < MAX_LANES; i++)
        mem_free(o->item[i].event);
    mem_free(o->inst);
    mem_free(o->ipdom);
    mem_free(o->access);
    mem_free(o->launch);
    fclose(o->in);
}

/* --- the captured trace --- */

static void count_captured(struct totals *t, const struct warp_inst *w)
{
    uint32_t lanes = (uint32_t)__builtin_popcountll(w->mask);
    uint64_t sector[2 * WARP_MAX_LANES];
    size_t n = 0;
    t->instructions++;
    t->lanes += lanes;
    if (w->si->space == SPACE_NONE || w->si->space == SPACE_SHARED) return;
    for (uint32_t k = 0; k < lanes; k++) {
        uint64_t first = warp_inst_addr(w, k), last = first + w->si->width - 1;
        for (uint64_t s = first / SECTOR; s <= last / SECTOR; s++) {
            bool seen = false;
            for (size_t i = 0; i < n; i++)
                seen |= sector[i] == s;
            if (!seen) sector[n++] = s;
        }
    }
    t->sectors += n;
}

static struct totals captured(const struct program *p, uint32_t launch)
{
    struct totals t = {0};
    struct error e = {0};
    struct reader *r = reader_new(p, &e);
    struct cursor c = {0};
    struct warp_inst w;
    const struct launch *l = program_launch(p, launch);
    assert_non_null(r);
    for (uint64_t cta = 0; cta < l->ctas; cta++)
        for (uint32_t warp = 0; warp < l->warps_per_cta; warp++) {
            assert_true(cursor_seek(&c, r, launch, cta, warp, 0, &e));
            while (cursor_next(&c, &w, &e) == GOT_INST)
                count_captured(&t, &w);
        }
    cursor_release(&c);
    reader_free(r);
    return t;
}

/* --- the comparison --- */

/* `earlier`: where a branch may leave a loop from its middle, the post-dominator lies behind the
 * loop, so that the stack runs what is left of the rounds lane group by lane group; captured warps
 * come together at the next head and execute fewer instructions, never more. */
static const struct {
    const char *what, *width;
    bool earlier;
} cases[] = {
    {"bfs rmat 8", "32", false},
    {"spmv rmat 8", "32", false},
    {"nw 64", "32", false},
    {"lud 64", "32", false},
    {"histogram 16384", "32", false},
    {"hotspot 32 2 1", "32", false},
    {"eigenvalue 64", "32", false},
    {"color rmat 7", "32", false},
    {"btree 512 256 16", "32", false},
    {"mersenne 1024 2", "32", false},
    {"radixsort 4096", "32", false},
    {"pathfinder 256 9 4", "32", false},
    {"kmeans 256 4 4 2", "64", false},
    {"sssp rmat 7", "64", false},
    {"reduction 8192", "64", false},
    {"scan 1024", "64", false},
    {"transposed.sim", "32", false},
    {"triangular.sim", "64", false},
    {"counted.sim", "32", false},
    {"mixed.sim", "32", false},
    {"privately.sim", "32", false},
    {"nested.sim", "32", false},
    {"called.sim", "32", false},
    {"left.sim", "32", true},
    {"left.sim", "64", true},
};

static void compare(const char *what, const char *width, bool earlier)
{
    static struct oracle o;
    char options[32], set[160];
    snprintf(options, sizeof options, "--width %s", width);
    snprintf(set, sizeof set, "PLUMB_CAPTURE_LANES='%s'", capture_path("lanes"));
    capture_run(capture_path("x.plt"), set, options, what);
    struct program *p = capture_open(capture_path("x.plt"), 0);
    o = (struct oracle){.in = fopen(capture_path("lanes"), "rb"), .width = (uint32_t)atoi(width)};
    assert_non_null(o.in);
    take_all(&o);
    assert_int_equal(o.n_launches, program_launches(p));
    uint64_t fewer = 0;
    for (uint32_t i = 0; i < o.n_launches; i++) {
        struct totals got = captured(p, i), want = o.launch[i];
        bool same = got.instructions == want.instructions && got.sectors == want.sectors;
        if (!earlier && !same)
            fail_msg("%s: launch %u: %llu instructions and %llu sectors, the stack says %llu, %llu",
                     what, i, (unsigned long long)got.instructions, (unsigned long long)got.sectors,
                     (unsigned long long)want.instructions, (unsigned long long)want.sectors);
        assert_int_equal(got.lanes, want.lanes); /* each work-item does what it did */
        assert_true(got.instructions <= want.instructions && got.sectors <= want.sectors);
        assert_true(got.instructions >= want.least && want.least > 0);
        fewer += want.instructions - got.instructions;
    }
    assert_true(earlier == (fewer > 0));
    program_close(p);
    oracle_fini(&o);
}

static void captured_kernels_execute_what_the_stack_does(void **state)
{
    (void)state;
    if (!capture_possible()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        compare(cases[i].what, cases[i].width, cases[i].earlier);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captured_kernels_execute_what_the_stack_does),
    };
    return cmocka_run_group_tests(tests, capture_setup, capture_teardown);
}

#include "tests/support/twins.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "tests/support/capture_run.h"

enum { LINE = 128 };

/* A list of numbers in which order does not count. */
struct bag {
    uint64_t *at;
    size_t n, cap;
};

struct side {
    struct program *program;
    struct reader *reader;
    struct bag lanes, lines;
};

bool twins_possible(void)
{
    return capture_possible() && file_exists(PLUMB_BUILD_DIR "/trace/cuda/libplumb_cuda.so") &&
           system("command -v clang++-14 llc-14 > /dev/null") == 0;
}

static void bag_add(struct bag *b, uint64_t v)
{
    assert_true(mem_grow(&b->at, &b->cap, b->n + 1, sizeof *b->at));
    b->at[b->n++] = v;
}

static int by_number(const void *x, const void *y)
{
    const uint64_t *a = x, *b = y;
    return (*a > *b) - (*a < *b);
}

static void bag_sort(struct bag *b)
{
    if (b->n) qsort(b->at, b->n, sizeof *b->at, by_number);
}

/* The index of the first difference; SIZE_MAX: none. */
static size_t bag_difference(struct bag *a, struct bag *b)
{
    bag_sort(a);
    bag_sort(b);
    size_t n = a->n < b->n ? a->n : b->n;
    for (size_t i = 0; i < n; i++)
        if (a->at[i] != b->at[i]) return i;
    return a->n == b->n ? SIZE_MAX : n;
}

/* --- what an instruction adds --- */

/* OpenCL's constant buffers are global memory that a CUDA kernel reads. */
static uint32_t space_of(const struct warp_inst *w)
{
    return w->si->space == SPACE_CONST ? SPACE_GLOBAL : w->si->space;
}

/* Lane, class, space and place of each byte. */
static void add_bytes(struct bag *lanes, const struct warp_inst *w, uint32_t lane, uint64_t addr)
{
    for (uint32_t done = 0; done < w->si->width; done++)
        bag_add(lanes, (uint64_t)w->si->cls << 56 | (uint64_t)lane << 48 |
                           (uint64_t)space_of(w) << 45 | (addr + done));
}

static void add_lines(struct bag *lines, const struct warp_inst *w)
{
    if (w->si->space == SPACE_SHARED) return; /* it has none */
    uint64_t line[WARP_MAX_LANES];
    uint32_t n = 0, active = (uint32_t)__builtin_popcountll(w->mask);
    for (uint32_t k = 0; k < active; k++) {
        uint64_t l = warp_inst_addr(w, k) / LINE;
        uint32_t seen = 0;
        while (seen < n && line[seen] != l)
            seen++;
        if (seen == n) line[n++] = l;
    }
    bag_add(lines, (uint64_t)w->si->cls << 16 | (uint64_t)space_of(w) << 8 | n);
}

static void add_inst(struct side *s, const struct warp_inst *w)
{
    uint32_t k = 0;
    for (uint64_t left = w->mask; left; left &= left - 1)
        add_bytes(&s->lanes, w, (uint32_t)__builtin_ctzll(left), warp_inst_addr(w, k++));
    add_lines(&s->lines, w);
}

static void read_warp(struct side *s, uint32_t launch, uint64_t cta, uint32_t warp)
{
    struct error e = {0};
    struct cursor c = {0};
    struct warp_inst w;
    enum got got;
    s->lanes.n = s->lines.n = 0;
    assert_true(cursor_seek(&c, s->reader, launch, cta, warp, 0, &e));
    while ((got = cursor_next(&c, &w, &e)) == GOT_INST)
        if (inst_has_addresses(w.si) && w.si->space != SPACE_LOCAL) add_inst(s, &w);
    assert_int_equal(got, GOT_END);
    cursor_release(&c);
}

/* --- whole programs --- */

static void run(const char *command, const char *what)
{
    if (system(command) != 0) fail_msg("%s: failed: %s", what, command);
}

static void capture_both(const char *what)
{
    char command[1024], name[64];
    sscanf(what, "%63s", name);
    capture_run(capture_path("opencl.plt"), "", "--width 32", what);
    snprintf(command, sizeof command, "PLUMB=%s/plumb scripts/twin.sh '%s' %s > '%s' 2>&1",
             PLUMB_BUILD_DIR, capture_path("twin"), name, capture_path("said"));
    run(command, what);
    snprintf(command, sizeof command, "%s/plumb trace capture -o '%s' -- '%s'/%s > '%s' 2>&1",
             PLUMB_BUILD_DIR, capture_path("cuda.plt"), capture_path("twin"), what,
             capture_path("said"));
    run(command, what);
}

static void open_side(struct side *s, const char *name)
{
    struct error e = {0};
    s->program = capture_open(capture_path(name), 32);
    s->reader = reader_new(s->program, &e);
    assert_non_null(s->reader);
}

static void close_side(struct side *s)
{
    mem_free(s->lanes.at);
    mem_free(s->lines.at);
    reader_free(s->reader);
    program_close(s->program);
}

static void note_difference(char *out, size_t n, struct bag *a, struct bag *b, const char *where)
{
    size_t i = bag_difference(a, b);
    if (i == SIZE_MAX || *out) return;
    snprintf(out, n, "%s: %zu and %zu, number %zu is %lx and %lx", where, a->n, b->n, i,
             (unsigned long)(i < a->n ? a->at[i] : 0), (unsigned long)(i < b->n ? b->at[i] : 0));
}

static void expect(const char *what, const char *of, const char *found, const char *reason)
{
    if (*found && !reason) fail_msg("%s: %s differ: %s", what, of, found);
    if (!*found && reason) fail_msg("%s: %s no longer differ: %s", what, of, reason);
}

/* Where they differ first; "": nowhere. */
struct found {
    char lanes[256], lines[256];
};

static void compare_launch(struct side *a, struct side *b, uint32_t launch, struct found *f)
{
    char where[64];
    const struct launch *l = program_launch(a->program, launch);
    for (uint64_t k = 0; k < l->ctas * l->warps_per_cta; k++) {
        read_warp(a, launch, k / l->warps_per_cta, (uint32_t)(k % l->warps_per_cta));
        read_warp(b, launch, k / l->warps_per_cta, (uint32_t)(k % l->warps_per_cta));
        snprintf(where, sizeof where, "launch %u, warp %lu", launch, (unsigned long)k);
        note_difference(f->lanes, sizeof f->lanes, &a->lanes, &b->lanes, where);
        note_difference(f->lines, sizeof f->lines, &a->lines, &b->lines, where);
    }
}

static void compare_one(const struct twin *t)
{
    struct side a = {0}, b = {0};
    struct found f = {"", ""};
    capture_both(t->program);
    open_side(&a, "opencl.plt");
    open_side(&b, "cuda.plt");
    uint32_t n = program_launches(a.program);
    if (n == program_launches(b.program))
        for (uint32_t i = 0; i < n; i++)
            compare_launch(&a, &b, i, &f);
    else
        snprintf(f.lanes, sizeof f.lanes, "%u and %u launches", n, program_launches(b.program));
    close_side(&a);
    close_side(&b);
    expect(t->program, "accesses of lanes", f.lanes, t->lanes_differ);
    expect(t->program, "lines of warp instructions", f.lines, t->lines_differ);
}

void twins_compare(const struct twin *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        compare_one(&t[i]);
}

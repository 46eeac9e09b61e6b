/* record.c - see record.h. */
#include "trace/cuda/runtime/record.h"

#include "base/memory/alloc.h"
#include "trace/capture/launch_filter.h"
#include "trace/cuda/runtime/lock.h"
#include "trace/cuda/runtime/memory.h"
#include "trace/program/private_memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PRIVATE_BYTES = 16384 };

static struct {
    struct capture *capture; /* NULL: nothing is recorded */
    struct launch_choice choice;
    struct launch_choice_range ctas; /* of the launch */
    bool taking_launch, taking_cta;
    int status; /* where to tell how it goes */
    pid_t owner;
    uint32_t registers, resident_warps, launches;
    struct error error;
    struct capture_log log[WARP_MAX_LANES];
    char header[LAUNCH_CHOICE_HEADER];
} recorder;

static const char *setting(const char *name, const char *fallback)
{
    const char *s = getenv(name);
    return s && *s ? s : fallback;
}

static void tell_status(const char *what, const char *text)
{
    dprintf(recorder.status, "%s %s\n", what, text);
}

static void stop_recording(const char *text)
{
    if (!recorder.capture) return;
    tell_status("error", text);
    capture_abort(recorder.capture);
    recorder.capture = NULL;
}

static void check_recorded(bool ok)
{
    if (!ok) stop_recording(recorder.error.text);
}

bool record_failure(const char *text)
{
    bool told = recorder.capture != NULL;
    stop_recording(text);
    return told;
}

/* --- start and end --- */

static bool choose_launches(void)
{
    const char *launches = setting("PLUMB_TRACE_LAUNCHES", NULL);
    const char *ctas = setting("PLUMB_TRACE_CTAS", NULL);
    struct launch_choice *c = &recorder.choice;
    return launch_choice_kernels(c, setting("PLUMB_TRACE_KERNELS", "")) &&
           (!launches || launch_choice_launches(c, launches)) &&
           (!ctas || launch_choice_ctas(c, ctas));
}

void record_init(void)
{
    const char *out = setting("PLUMB_TRACE_OUT", NULL);
    if (!out) return;
    recorder.status = atoi(setting("PLUMB_TRACE_STATUS", "2"));
    recorder.owner = getpid();
    recorder.registers = (uint32_t)strtoul(setting("PLUMB_TRACE_REGISTERS", "0"), NULL, 10);
    recorder.resident_warps =
        (uint32_t)strtoul(setting("PLUMB_TRACE_RESIDENT_WARPS", "0"), NULL, 10);
    const char *note = setting("PLUMB_TRACE_NOTE", "captured from CUDA");
    if (choose_launches())
        recorder.capture = capture_new(out, cta.width, note, &recorder.error);
    else
        error_input(&recorder.error, "PLUMB_TRACE_LAUNCHES or _CTAS is no list of ranges");
    if (recorder.capture)
        tell_status("loaded", "");
    else
        tell_status("error", recorder.error.text);
}

static bool add_note(const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return capture_note(recorder.capture, text) || error_no_memory(&recorder.error);
}

static bool is_complete(int status)
{
    struct error *e = &recorder.error;
    if (recorder.launches == 0) return error_input(e, "the program launched no kernel");
    if (capture_launches(recorder.capture) == 0)
        return error_input(e, "none of the program's %u launches was to be captured",
                           recorder.launches);
    const char *missing = launch_choice_missing(&recorder.choice);
    if (missing && !add_note("no launch of a kernel %s was captured", missing)) return false;
    unsigned long n = capture_launches(recorder.capture);
    return status == 0 || add_note("the program ended with exit status %d after %lu launch%s",
                                   status, n, n == 1 ? "" : "es");
}

void record_finish(int status)
{
    struct error *e = &recorder.error;
    if (!recorder.capture || getpid() != recorder.owner) return;
    if (!is_complete(status)) {
        stop_recording(e->text);
        return;
    }
    bool ok = capture_commit(recorder.capture, e);
    tell_status(ok ? "done" : "error", ok ? (status ? "failed" : "") : e->text);
    recorder.capture = NULL;
}

/* --- launches and CTAs --- */

/* What an argument points to, for the instructions that access it (kernel_blob.h). */
static uint16_t number_behind(const struct cta_launch *l, uint16_t argument)
{
    uint64_t address;
    memcpy(&address, l->args[argument - 1], sizeof address);
    const struct memory_range *r = memory_find(address);
    return r ? r->number : 0;
}

/* The instruction's access among those that its piece logs, instead of its step. */
static void name_access(const struct kernel_code *code, uint32_t piece, struct capture_op *op)
{
    const struct kernel_piece *p = &code->piece[piece];
    uint32_t step = 0, k = 0;
    if (op->step == CAPTURE_NO_STEP) return;
    for (; k < p->n_accesses; k++) {
        uint32_t steps = code->access[p->first_access + k].generic ? 3 : 1;
        if (step + steps > op->step) break;
        step += steps;
    }
    op->step = (uint16_t)k;
    op->slot = code->access[p->first_access + k].generic;
}

/* A copy of the kernel whose instructions name allocations instead of arguments, and accesses that
 * are logged instead of steps; `slot` says that the access is generic. */
static bool copy_kernel(const struct cta_launch *l, struct capture_kernel *k)
{
    const struct capture_kernel *from = &l->code->kernel;
    *k = (struct capture_kernel){mem_new(from->order.n, sizeof *k->piece), from->order};
    for (uint32_t p = 0; k->piece && p < from->order.n; p++) {
        size_t n = from->piece[p].n;
        k->piece[p] = from->piece[p];
        k->piece[p].op = mem_new(n ? n : 1, sizeof *k->piece[p].op);
        if (!k->piece[p].op) return false;
        memcpy(k->piece[p].op, from->piece[p].op, n * sizeof *k->piece[p].op);
        for (size_t i = 0; i < n; i++) {
            struct static_inst *si = &k->piece[p].op[i].si;
            if (si->buffer) si->buffer = number_behind(l, si->buffer);
            name_access(l->code, p, &k->piece[p].op[i]);
        }
        k->piece[p].steps = l->code->piece[p].n_accesses;
    }
    return k->piece != NULL;
}

static struct capture_kernel open_kernel;

static void free_kernel(void)
{
    for (uint32_t p = 0; open_kernel.piece && p < open_kernel.order.n; p++)
        mem_free(open_kernel.piece[p].op);
    mem_free(open_kernel.piece);
    open_kernel = (struct capture_kernel){0};
}

void record_launch_begin(const struct cta_launch *l)
{
    recorder.taking_launch = false;
    if (!recorder.capture) return;
    uint32_t number = recorder.launches++;
    bool takes = launch_choice_takes(&recorder.choice, number, l->name);
    struct launch launch = {.name = l->name, .id = number, .shared_bytes = l->shared_bytes};
    memcpy(launch.grid, l->grid, sizeof launch.grid);
    memcpy(launch.block, l->block, sizeof launch.block);
    launch.registers_per_lane = recorder.registers ? recorder.registers : l->code->registers;
    launch.resident_warps = recorder.resident_warps;
    uint64_t ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    recorder.ctas = launch_choice_of_ctas(&recorder.choice, ctas);
    launch_choice_cut(&recorder.ctas, &launch, recorder.header);
    if (!takes || recorder.ctas.first > recorder.ctas.last) return;
    recorder.taking_launch = true;
    bool named = copy_kernel(l, &open_kernel) || error_no_memory(&recorder.error);
    check_recorded(named && capture_launch_begin(recorder.capture, &launch, &recorder.error));
    if (recorder.capture) capture_set_kernel(recorder.capture, &open_kernel);
}

void record_launch_end(bool ok)
{
    if (recorder.capture && recorder.taking_launch && ok)
        check_recorded(capture_launch_end(recorder.capture, &recorder.error));
    recorder.taking_launch = false;
    free_kernel();
}

void record_cta_begin(void)
{
    recorder.taking_cta = recorder.capture && recorder.taking_launch &&
                          recorder.ctas.first <= cta.number && cta.number <= recorder.ctas.last;
    if (recorder.taking_cta) check_recorded(capture_cta_begin(recorder.capture, &recorder.error));
}

void record_cta_end(void)
{
    if (recorder.taking_cta && recorder.capture)
        check_recorded(capture_cta_end(recorder.capture, &recorder.error));
}

void record_copy(enum command_kind kind, const void *device, size_t bytes)
{
    if (!recorder.capture || bytes == 0) return;
    uint64_t address = (uint64_t)(uintptr_t)device;
    const struct memory_range *r = memory_find(address);
    runtime_lock();
    if (r)
        check_recorded(capture_copy(recorder.capture, kind, r->trace + (address - r->host), bytes,
                                    &recorder.error));
    runtime_unlock();
}

/* --- addresses --- */

/* An access of a lane: so many bytes at `offset` behind an address. */
struct part {
    uint64_t address;
    uint32_t offset, bytes;
    const struct kernel_access *access;
};

_Noreturn static void fail_access(const struct lane *l, const struct part *t)
{
    const struct kernel_access *a = t->access;
    const struct memory_range *r = memory_below(t->address);
    const char *what = a->writes ? "writes" : "reads";
    if (t->address < 4096)
        cta_fail(l, a->line, "a thread %s %u bytes at 0x%lx, through a null pointer", what,
                 a->bytes, (unsigned long)t->address);
    if (t->address - CUDA_SHARED < CUDA_SHARED_WINDOW)
        cta_fail(l, a->line, "a thread %s %u bytes at offset %lu of %u bytes of shared memory",
                 what, a->bytes, (unsigned long)(t->address - CUDA_SHARED),
                 cta.launch->shared_bytes);
    if (t->address - CUDA_STACKS <
        CUDA_SMALL_STACKS + CTA_MAX_LANES * CTA_SMALL_REGION - CUDA_STACKS)
        cta_fail(l, a->line, "a thread %s %u bytes beyond its own arrays", what, a->bytes);
    if (r && t->address - r->host < (UINT64_C(1) << 32))
        cta_fail(l, a->line, "a thread %s %u bytes at offset %lu of an allocation of %lu bytes",
                 what, a->bytes, (unsigned long)(t->address - r->host), (unsigned long)r->bytes);
    cta_fail(l, a->line, "a thread %s %u bytes at 0x%lx, which is no device memory", what, a->bytes,
             (unsigned long)t->address);
}

/* The range of the last address that was looked for. */
static struct memory_range recent;

static bool holds(const struct memory_range *r, uint64_t address, uint64_t bytes)
{
    return address - r->host < r->bytes && bytes <= r->bytes - (address - r->host);
}

static uint64_t private_place(const struct lane *l, const struct part *t)
{
    uint32_t number = (uint32_t)(l - cta.lane);
    uint64_t top = cta_stack_top(number, cta.launch->code->deep);
    uint64_t warp = cta.number * cta.launch->warps;
    if (t->address < CUDA_STACKS || t->address >= top) fail_access(l, t);
    return private_address(PRIVATE_BYTES, cta.width, warp + number / cta.width, number % cta.width,
                           (t->address - top) % PRIVATE_BYTES, t->access->bytes) +
           (uint64_t)t->offset * cta.width;
}

/* The address in the trace, and its space. */
static uint64_t trace_address(const struct lane *l, const struct part *t, enum mem_space *space)
{
    uint64_t offset = t->address - CUDA_SHARED;
    if (offset < CUDA_SHARED_WINDOW) {
        *space = SPACE_SHARED;
        if (offset + t->offset + t->bytes > cta.launch->shared_bytes) fail_access(l, t);
        return offset + t->offset;
    }
    if (t->address - recent.host >= recent.bytes) {
        const struct memory_range *r = memory_find(t->address);
        *space = SPACE_LOCAL;
        if (!r) return private_place(l, t);
        recent = *r;
    }
    *space = SPACE_GLOBAL;
    if (!holds(&recent, t->address, t->offset + (uint64_t)t->bytes)) fail_access(l, t);
    return t->address - recent.host + recent.trace + t->offset;
}

/* The access that an instruction of the open kernel makes. */
static const struct kernel_access *access_of(const struct capture_op *op)
{
    const struct kernel_code *code = cta.launch->code;
    for (uint32_t p = 0; p < open_kernel.order.n; p++) {
        const struct capture_piece *c = &open_kernel.piece[p];
        if (op >= c->op && op < c->op + c->n)
            return &code->access[code->piece[p].first_access + op->step];
    }
    return code->access;
}

static uint32_t merged_warp;

/* Each lane for itself. */
static uint64_t place_lanes(const struct capture_op *op, uint64_t mask, uint64_t *word)
{
    const struct kernel_access *access = access_of(op);
    uint64_t active = 0;
    uint32_t n = 0, k = 0;
    for (uint64_t left = mask; left; left &= left - 1, k++) {
        const struct lane *l = &cta.lane[merged_warp * cta.width + (uint32_t)__builtin_ctzll(left)];
        struct part t = {word[k], op->offset, op->si.width, access};
        enum mem_space space;
        uint64_t at = trace_address(l, &t, &space);
        if (op->slot && space != op->si.space) continue;
        word[n++] = at;
        active |= left & -left;
    }
    return active;
}

/* Most warps access one allocation, or shared memory: then one look is enough. */
static uint64_t place_warp(const struct capture_op *op, uint64_t mask, uint64_t *word)
{
    uint32_t n = (uint32_t)__builtin_popcountll(mask);
    uint64_t low = word[0], high = word[0], bytes = (uint64_t)op->offset + op->si.width, add;
    for (uint32_t k = 1; k < n; k++) {
        low = word[k] < low ? word[k] : low;
        high = word[k] > high ? word[k] : high;
    }
    enum mem_space space = SPACE_GLOBAL;
    if (low >= CUDA_SHARED && high + bytes <= CUDA_SHARED + cta.launch->shared_bytes) {
        space = SPACE_SHARED;
        add = op->offset - CUDA_SHARED;
    } else if (low - recent.host < recent.bytes && holds(&recent, high, bytes)) {
        add = recent.trace - recent.host + op->offset;
    } else {
        return place_lanes(op, mask, word);
    }
    if (op->slot && space != op->si.space) return 0;
    for (uint32_t k = 0; k < n; k++)
        word[k] += add;
    return mask;
}

/* --- merging --- */

/* Without a recording everything counts as merged once its addresses are checked. */
static void check_visits(struct lane *l)
{
    const struct kernel_code *code = cta.launch->code;
    size_t n = (size_t)(l->visit - l->log), end = n && !l->over ? n - 1 : n;
    const uint64_t *rest = l->rest;
    enum mem_space space;
    for (size_t i = l->taken; i < end; i++) {
        const struct kernel_piece *p = &code->piece[reconverge_visit_piece(l->log[i])];
        const struct kernel_access *a = &code->access[p->first_access];
        for (uint32_t k = 0; k < p->n_accesses; k++, a++)
            trace_address(l, &(struct part){*--rest, 0, a->bytes, a}, &space);
    }
    l->taken = end;
    l->rest = rest;
}

static void set_view(const struct lane *l, struct capture_log *v)
{
    size_t n = (size_t)(l->visit - l->log);
    *v = (struct capture_log){.visit = l->log + l->taken,
                              .word = l->rest,
                              .n_visits = n - l->taken,
                              .open = l->state != LANE_DONE && l->state != LANE_BARRIER &&
                                      l->state != LANE_GRID,
                              .going = !l->over};
}

void record_merge(uint32_t w)
{
    struct lane *warp = &cta.lane[w * cta.width];
    uint32_t left = cta.launch->lanes - w * cta.width, n = left < cta.width ? left : cta.width;
    bool takes = recorder.taking_cta && recorder.capture;
    recent = (struct memory_range){0}; /* device code may have freed it */
    merged_warp = w;
    for (uint32_t i = 0; i < n; i++) {
        if (takes)
            set_view(&warp[i], &recorder.log[i]);
        else
            check_visits(&warp[i]);
    }
    if (!takes) return;
    check_recorded(
        capture_merge(recorder.capture, w, recorder.log, n, place_warp, &recorder.error));
    for (uint32_t i = 0; i < n; i++) {
        warp[i].taken += recorder.log[i].visits_taken;
        warp[i].rest -= recorder.log[i].words_taken;
    }
}

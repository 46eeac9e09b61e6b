/* record.c - see record.h. */
#include "trace/cuda/runtime/record.h"

#include "base/memory/alloc.h"
#include "trace/capture/launch_filter.h"
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
    struct capture_log log[CUDA_WARP];
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
        recorder.capture = capture_new(out, CUDA_WARP, note, &recorder.error);
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
    return status == 0 || add_note("the program ended with exit status %d after %lu launches",
                                   status, (unsigned long)capture_launches(recorder.capture));
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

/* A copy of the kernel whose instructions name allocations instead of arguments. */
static bool name_buffers(const struct cta_launch *l, struct capture_kernel *k)
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
        }
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

void record_launch_begin(struct cta_launch *l)
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
    bool named = name_buffers(l, &open_kernel) || error_no_memory(&recorder.error);
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
    if (r)
        check_recorded(capture_copy(recorder.capture, kind, r->trace + (address - r->host), bytes,
                                    &recorder.error));
}

/* --- addresses --- */

_Noreturn static void fail_access(const struct lane *l, const struct kernel_access *a,
                                  uint64_t address)
{
    const struct memory_range *r = memory_below(address);
    const char *what = a->writes ? "writes" : "reads";
    if (address < 4096)
        cta_fail(l, a->line, "a thread %s %u bytes at 0x%lx, through a null pointer", what,
                 a->bytes, (unsigned long)address);
    if (address - CUDA_SHARED < CUDA_SHARED_WINDOW)
        cta_fail(l, a->line, "a thread %s %u bytes at offset %lu of %u bytes of shared memory",
                 what, a->bytes, (unsigned long)(address - CUDA_SHARED), cta.launch->shared_bytes);
    if (r)
        cta_fail(l, a->line, "a thread %s %u bytes at offset %lu of an allocation of %lu bytes",
                 what, a->bytes, (unsigned long)(address - r->host), (unsigned long)r->bytes);
    cta_fail(l, a->line, "a thread %s %u bytes at 0x%lx, which is no device memory", what, a->bytes,
             (unsigned long)address);
}

/* The range of the last address that was translated. */
static struct memory_range recent;

static uint64_t private_place(const struct lane *l, const struct kernel_access *a, uint64_t address)
{
    uint32_t number = (uint32_t)(l - cta.lane);
    uint64_t top = cta_stack_top(number, cta.launch->code->deep);
    uint64_t warp = cta.number * cta.launch->warps;
    if (address < CUDA_STACKS || address >= top) fail_access(l, a, address);
    return private_address(PRIVATE_BYTES, CUDA_WARP, warp + number / CUDA_WARP, number % CUDA_WARP,
                           (address - top) % PRIVATE_BYTES, a->bytes);
}

/* The address in the trace, and its space. */
static inline uint64_t trace_address(const struct lane *l, const struct kernel_access *a,
                                     uint64_t address, enum mem_space *space)
{
    uint64_t offset = address - CUDA_SHARED;
    if (offset < CUDA_SHARED_WINDOW) {
        *space = SPACE_SHARED;
        if (offset + a->bytes > cta.launch->shared_bytes) fail_access(l, a, address);
        return offset;
    }
    if (address - recent.host >= recent.bytes) {
        const struct memory_range *r = memory_find(address);
        *space = SPACE_LOCAL;
        if (!r) return private_place(l, a, address);
        recent = *r;
    }
    *space = SPACE_GLOBAL;
    if (address - recent.host + a->bytes > recent.bytes) fail_access(l, a, address);
    return address - recent.host + recent.trace;
}

/* Writes the words of a piece's accesses; their end. */
static uint64_t *put_words(const struct lane *l, const struct kernel_piece *p, const uint64_t *raw,
                           uint64_t *out)
{
    const struct kernel_access *a = &cta.launch->code->access[p->first_access];
    for (uint32_t k = 0; k < p->n_accesses; k++, a++) {
        enum mem_space space;
        uint64_t at = trace_address(l, a, *--raw, &space);
        if (!a->generic) {
            *out++ = at;
            continue;
        }
        *out++ = space == SPACE_GLOBAL ? at : CAPTURE_NO_ACCESS;
        *out++ = space == SPACE_SHARED ? at : CAPTURE_NO_ACCESS;
        *out++ = space == SPACE_LOCAL ? at : CAPTURE_NO_ACCESS;
    }
    return out;
}

/* Translates the visits that are over. */
static void translate_visits(struct lane *l)
{
    const struct kernel_code *code = cta.launch->code;
    size_t n = (size_t)(l->visit - l->log), end = n && !l->over ? n - 1 : n;
    size_t words = (size_t)(l->raw - l->word);
    if (!mem_grow(&l->words, &l->words_cap, l->n_words + 3 * words, sizeof *l->words))
        cta_fail(l, 0, "no memory");
    uint64_t *out = l->words + l->n_words;
    const uint64_t *raw = l->raw;
    for (; l->translated < end; l->translated++) {
        const struct kernel_piece *p = &code->piece[reconverge_visit_piece(l->log[l->translated])];
        out = put_words(l, p, raw, out);
        raw -= p->n_accesses;
    }
    l->n_words = (size_t)(out - l->words);
    l->raw = raw;
}

/* --- merging --- */

/* Without a recording everything counts as merged once it is checked. */
static void pass_over(struct lane *l)
{
    l->taken = l->translated;
    l->words_taken = l->n_words = 0;
}

static void set_view(const struct lane *l, struct capture_log *v)
{
    size_t n = (size_t)(l->visit - l->log);
    *v = (struct capture_log){.visit = l->log + l->taken,
                              .word = l->words + l->words_taken,
                              .n_visits = n - l->taken,
                              .n_words = l->n_words - l->words_taken,
                              .open = l->state != LANE_DONE && l->state != LANE_BARRIER,
                              .going = !l->over};
}

void record_merge(uint32_t w)
{
    struct lane *warp = &cta.lane[w * CUDA_WARP];
    uint32_t left = cta.launch->lanes - w * CUDA_WARP, n = left < CUDA_WARP ? left : CUDA_WARP;
    bool takes = recorder.taking_cta && recorder.capture;
    recent = (struct memory_range){0}; /* device code may have freed it */
    for (uint32_t i = 0; i < n; i++) {
        translate_visits(&warp[i]);
        if (takes)
            set_view(&warp[i], &recorder.log[i]);
        else
            pass_over(&warp[i]);
    }
    if (!takes) return;
    check_recorded(capture_merge(recorder.capture, w, recorder.log, n, &recorder.error));
    for (uint32_t i = 0; i < n; i++) {
        warp[i].taken += recorder.log[i].visits_taken;
        warp[i].words_taken += recorder.log[i].words_taken;
    }
}

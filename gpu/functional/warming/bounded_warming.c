/* bounded_warming.c - see bounded_warming.h. */
#include "gpu/functional/warming/bounded_warming.h"

#include "base/memory/alloc.h"
#include "gpu/functional/constants.h"

#include <math.h>
#include <string.h>

enum { DOUBLINGS = 64 };

static uint64_t wave_of(const struct bounded_warming *s, uint32_t launch)
{
    uint64_t ctas = functional_wave_ctas(&s->pass->functional, program_launch(s->p, launch));
    return ctas ? ctas : 1;
}

static bool has_beginnings_inside(const struct bounded_warming *s, uint32_t launch)
{
    return functional_can_begin_inside(s->pass->functional.params) &&
           program_launch(s->p, launch)->ctas >= WARMING_INSIDE * wave_of(s, launch);
}

/* Mean instructions of a wave, or of the launch if it has less. */
static uint64_t wave_instructions(const struct bounded_warming *s, uint32_t launch)
{
    uint64_t n = s->before[launch + 1] - s->before[launch];
    double waves = (double)program_launch(s->p, launch)->ctas / (double)wave_of(s, launch);
    return waves > 1 ? (uint64_t)((double)n / waves) + 1 : n;
}

/* An upper estimate of the number of passes: where few warps are resident, intervals are short, so
 * there are many of them. */
static uint64_t walks_expected(const struct bounded_warming *s, uint32_t launch, uint64_t all)
{
    uint64_t wave = wave_of(s, launch);
    const struct launch *l = program_launch(s->p, launch);
    uint64_t warps = (l->ctas < wave ? l->ctas : wave) * l->warps_per_cta;
    uint64_t windows = all / SERVES_WINDOWS / (warps ? warps : 1);
    return windows > SERVES_PART ? windows : SERVES_PART;
}

static bool is_usable(const struct bounded_warming *s)
{
    uint64_t all = s->before[program_launches(s->p)];
    if (all < SERVES_FROM) return false;
    for (uint32_t i = 0; i < program_launches(s->p); i++) {
        uint64_t n = s->before[i + 1] - s->before[i];
        uint64_t bound = has_beginnings_inside(s, i) ? WARMING_WAVES * wave_instructions(s, i) : n;
        if (bound > all / walks_expected(s, i, all)) return false;
    }
    return true;
}

bool bounded_warming_init(struct bounded_warming *s, const struct warming_pass *w, struct error *e)
{
    const struct program *p = w->functional.p;
    uint32_t n = program_launches(p);
    *s = (struct bounded_warming){.pass = w, .p = p};
    if (mtx_init(&s->lock, mtx_plain) != thrd_success) {
        *s = (struct bounded_warming){0};
        return error_no_memory(e);
    }
    s->before = mem_new((size_t)n + 1, sizeof *s->before);
    s->command = mem_new((size_t)n + 1, sizeof *s->command);
    s->length = mem_new((size_t)n + 1, sizeof *s->length);
    if (!s->before || !s->command || !s->length) return error_no_memory(e);
    uint32_t behind = 0;
    for (uint32_t i = 0; i < program_commands(p); i++) {
        const struct command *c = program_command(p, i);
        if (c->kind != COMMAND_LAUNCH) continue;
        s->command[c->launch] = behind;
        s->before[c->launch + 1] =
            s->before[c->launch] +
            program_cta_start(p, c->launch, program_launch(p, c->launch)->ctas);
        behind = i + 1;
    }
    s->serves = is_usable(s);
    s->settled = !s->serves;
    return true;
}

void bounded_warming_fini(struct bounded_warming *s)
{
    if (!s->p) return;
    mtx_destroy(&s->lock);
    mem_free(s->before);
    mem_free(s->command);
    mem_free(s->length);
    *s = (struct bounded_warming){0};
}

static uint32_t launch_at(const struct bounded_warming *s, uint64_t moment)
{
    uint32_t low = 0, high = program_launches(s->p) - 1;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (s->before[middle] <= moment)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The first CTA of the last wave that begins with at most `done` instructions of the launch
 * executed. */
static uint64_t first_cta(const struct bounded_warming *s, uint32_t launch, uint64_t done)
{
    uint64_t wave = wave_of(s, launch), low = 0, high = program_launch(s->p, launch)->ctas / wave;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (program_cta_start(s->p, launch, middle * wave) <= done)
            low = middle;
        else
            high = middle - 1;
    }
    return low * wave;
}

/* The last place up to `from` where a pass can begin. */
static struct beginning beginning_of(const struct bounded_warming *s, uint64_t from)
{
    struct beginning b = {.launch = launch_at(s, from)};
    if (has_beginnings_inside(s, b.launch))
        b.cta = first_cta(s, b.launch, from - s->before[b.launch]);
    return b;
}

/* Restarts a pass at a beginning, with empty caches. */
static bool begin_at(const struct bounded_warming *s, struct warming_pass *w, struct beginning b,
                     struct error *e)
{
    return functional_restart(&w->functional, s->command[b.launch], s->before[b.launch], e) &&
           (b.cta == 0 || functional_skip_to(&w->functional, b.cta, e));
}

static uint32_t lines_in_use(const struct warming_pass *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->caches.timing.slices; i++)
        n += w->caches.slice[i].index.n;
    for (uint32_t i = 0; i < w->caches.parts; i++)
        n += w->caches.part[i].index.n;
    return n;
}

static uint32_t lines_of(const struct warming_pass *w)
{
    uint32_t l3 = w->caches.parts ? w->caches.parts * w->caches.part[0].n_lines : 0;
    return w->caches.timing.slices * w->caches.slice[0].n_lines + l3;
}

/* Runs to a moment or to the program's end, whichever comes first; a pass cannot pause in the last
 * quantum. */
static bool walk_up_to(struct warming_pass *w, uint64_t moment, bool *ended, struct error *e)
{
    *ended = false;
    while (!*ended && (!functional_can_pause(&w->functional) || w->functional.done < moment)) {
        if (!functional_step(&w->functional, e)) return false;
        *ended =
            !w->functional.launch && w->functional.command == program_commands(w->functional.p);
    }
    return true;
}

/* The measuring pass from a launch's middle, in steps that double: the L2's hit rate and the cycles
 * per instruction (by the pass's clock) within each step. */
struct course {
    double hits[DOUBLINGS], cycles[DOUBLINGS];
    uint32_t n, filled; /* filled: the first step in which no more lines became valid; n: none */
    uint64_t first;     /* length of the first step */
};

/* How far the measuring pass looks for changes. A launch without beginnings inside is executed from
 * its start. */
static uint64_t probe_of(const struct bounded_warming *s, uint32_t launch)
{
    uint64_t waves = PROBE_WAVES * wave_instructions(s, launch);
    uint64_t part = (s->before[launch + 1] - s->before[launch]) / PROBE_PART;
    if (!has_beginnings_inside(s, launch)) return 0;
    uint64_t least = PROBE_LEAST * wave_instructions(s, launch);
    if (part < least) part = least;
    return part < waves ? part : waves;
}

/* Counters of a pass at one moment. */
struct counted {
    uint64_t done, asked, hits;
    double now;
};

static struct counted counted_by(const struct warming_pass *w)
{
    return (struct counted){w->functional.done, w->caches.asked, w->caches.hits, w->functional.now};
}

static void note_hits(struct course *c, struct counted from, struct counted to)
{
    double asked = (double)(to.asked - from.asked), done = (double)(to.done - from.done);
    c->hits[c->n] = asked > 0 ? (double)(to.hits - from.hits) / asked : 0;
    c->cycles[c->n++] = done > 0 ? (to.now - from.now) / done : 0;
}

static bool follow_pass(const struct bounded_warming *s, struct warming_pass *w, uint32_t launch,
                        struct course *c, struct error *e)
{
    uint64_t n = s->before[launch + 1] - s->before[launch], far = probe_of(s, launch);
    uint64_t end = s->before[program_launches(s->p)];
    uint64_t least = WARMING_WAVES * wave_instructions(s, launch);
    *c = (struct course){.first = least / 2};
    if (!begin_at(s, w, beginning_of(s, s->before[launch] + n / 2), e)) return false;
    struct counted seen = counted_by(w);
    uint64_t start = w->functional.done;
    uint32_t before = 0, growth = lines_of(w) / WARMING_GROWTH;
    bool ended = false;
    for (uint64_t at = c->first; start + at < end; at *= 2) {
        if (!walk_up_to(w, start + at, &ended, e)) return false;
        if (ended) break;
        uint32_t now = lines_in_use(w);
        bool grows = at < least || now - before > growth;
        if (grows && c->filled == c->n) c->filled++;
        note_hits(c, seen, counted_by(w));
        if (!grows && at >= far) break;
        before = now, seen = counted_by(w);
    }
    return true;
}

/* The first step, from `from` on, whose cycles per instruction and those of all later steps match
 * the last step's. */
static uint32_t first_at_rest(const struct course *c, uint32_t from)
{
    uint32_t rest = c->n;
    while (rest > from &&
           fabs(c->cycles[rest - 1] - c->cycles[c->n - 1]) <= PROBE_CLOCK * c->cycles[c->n - 1])
        rest--;
    return rest;
}

/* Measures how long passes in a launch must be. *settled: from that length on, the L2's hit rate
 * and the cycles per instruction stay constant as far as the measurement reaches, and the length is
 * affordable. */
static bool measure_length(const struct bounded_warming *s, struct warming_pass *w, uint32_t launch,
                           uint64_t *length, bool *settled, struct error *e)
{
    struct course c;
    uint64_t all = s->before[program_launches(s->p)];
    if (!follow_pass(s, w, launch, &c, e)) return false;
    uint32_t rest = first_at_rest(&c, c.filled);
    *length = c.first << rest;
    *settled = rest == c.filled || *length <= all / walks_expected(s, launch, all);
    for (uint32_t i = rest; i < c.n; i++)
        *settled = *settled && fabs(c.hits[i] - c.hits[c.n - 1]) <= PROBE_HITS;
    return true;
}

/* Returns in *length how long passes in the launch must be, and measures it the first time.
 * Measuring uses the pass *w, so that *last then becomes unknown. */
static bool length_of(struct bounded_warming *s, struct warming_pass *w, uint32_t launch,
                      uint64_t *length, struct beginning *last, struct error *e)
{
    bool settled; /* not needed: decided by bounded_warming_settle, or always true without
                     beginnings inside */
    mtx_lock(&s->lock);
    bool ok = s->length[launch];
    if (!ok) {
        last->launch = UINT32_MAX;
        ok = measure_length(s, w, launch, &s->length[launch], &settled, e);
    }
    if (!ok) s->length[launch] = 0;
    *length = s->length[launch];
    mtx_unlock(&s->lock);
    return ok;
}

static bool is_same_kernel(const struct launch *a, const struct launch *b)
{
    return a->warps_per_cta == b->warps_per_cta && strcmp(a->name, b->name) == 0;
}

/* Fills longest[] with the longest launch of each kernel among those that have beginnings inside;
 * returns how many there are. */
static uint32_t longest_launches(const struct bounded_warming *s, uint32_t *longest)
{
    uint32_t kernels = 0;
    for (uint32_t i = 0; i < program_launches(s->p); i++) {
        const struct launch *l = program_launch(s->p, i);
        uint32_t k = 0;
        if (!has_beginnings_inside(s, i)) continue;
        while (k < kernels && !is_same_kernel(l, program_launch(s->p, longest[k])))
            k++;
        if (k == kernels)
            longest[kernels++] = i;
        else if (l->ctas > program_launch(s->p, longest[k])->ctas)
            longest[k] = i;
    }
    return kernels;
}

/* Gives the other launches of a kernel the length that was measured on the longest one. */
static void share_length(struct bounded_warming *s, uint32_t measured)
{
    for (uint32_t i = 0; i < program_launches(s->p); i++) {
        if (i == measured || !has_beginnings_inside(s, i) ||
            !is_same_kernel(program_launch(s->p, i), program_launch(s->p, measured)))
            continue;
        uint64_t least = WARMING_WAVES * wave_instructions(s, i);
        s->length[i] = s->length[measured] > least ? s->length[measured] : least;
    }
}

/* Measures a launch of every kernel that has launches with beginnings inside, since each of them
 * may show that the program must be executed whole. */
static bool settle_lengths(struct bounded_warming *s, struct error *e)
{
    struct warming_pass w;
    uint32_t *longest = mem_new((size_t)program_launches(s->p) + 1, sizeof *longest);
    uint32_t kernels = longest ? longest_launches(s, longest) : 0;
    bool ok = warming_pass_init(&w, s->pass->m, s->p, s->pass->warm, e) &&
              (longest || error_no_memory(e));
    for (uint32_t k = 0; ok && s->serves && k < kernels; k++) {
        ok = measure_length(s, &w, longest[k], &s->length[longest[k]], &s->serves, e);
        share_length(s, longest[k]);
    }
    warming_pass_fini(&w);
    mem_free(longest);
    return ok;
}

bool bounded_warming_settle(struct bounded_warming *s, struct error *e)
{
    mtx_lock(&s->lock);
    if (!s->settled && !s->failed) {
        s->settled = settle_lengths(s, &s->error);
        s->failed = !s->settled;
    }
    if (s->failed) *e = s->error;
    mtx_unlock(&s->lock);
    return s->settled;
}

double bounded_warming_mean_length(const struct bounded_warming *s)
{
    double sum = 0, all = (double)s->before[program_launches(s->p)];
    for (uint32_t i = 0; i < program_launches(s->p); i++)
        sum += (double)s->length[i] * (double)(s->before[i + 1] - s->before[i]);
    return all > 0 ? sum / all : 0;
}

bool bounded_warming_run_to(struct bounded_warming *s, struct warming_pass *w,
                            struct beginning *from, uint64_t moment, struct error *e)
{
    uint64_t length;
    struct beginning last = *from;
    from->launch = UINT32_MAX;
    if (!length_of(s, w, launch_at(s, moment), &length, &last, e)) return false;
    uint64_t grain = length / 2 + 1, left = moment > length ? moment - length : 0;
    struct beginning b = beginning_of(s, left / grain * grain);
    bool goes_on = last.launch == b.launch && last.cta == b.cta && w->functional.done <= moment;
    if (!goes_on && !begin_at(s, w, b, e)) return false;
    if (!functional_run_until(&w->functional, moment, e)) return false;
    *from = b;
    return true;
}

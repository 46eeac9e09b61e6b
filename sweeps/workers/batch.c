/* batch.c - see batch.h. */
#include "sweeps/workers/batch.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "sweeps/constants.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool batch_add(struct run_batch *b, uint64_t first, uint64_t n, struct error *e)
{
    struct run_range *last = b->n_ranges ? &b->range[b->n_ranges - 1] : NULL;
    if (last && last->first + last->n == first) {
        last->n += n;
    } else {
        if (!mem_grow(&b->range, &b->cap_ranges, b->n_ranges + 1, sizeof *b->range))
            return error_no_memory(e);
        b->range[b->n_ranges++] = (struct run_range){.first = first, .n = n, .before = b->runs};
    }
    b->runs += n;
    return true;
}

uint64_t batch_run(const struct run_batch *b, uint64_t place)
{
    size_t low = 0, high = b->n_ranges;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (b->range[middle].before <= place)
            low = middle;
        else
            high = middle;
    }
    return b->range[low].first + (place - b->range[low].before);
}

/* --- chunks ------------------------------------------------------------------------------------
 */

static uint64_t least_runs(const struct run_batch *b, const struct plan *p)
{
    uint64_t width = p->n_workloads; /* chunks are of whole points */
    if (b->engine == ENGINE_ESTIMATE) return (WORK_LEAST_ESTIMATES + width - 1) / width * width;
    return b->engine == ENGINE_SAMPLE ? WORK_LEAST_SAMPLED * width : 1;
}

bool batch_cut(struct run_batch *b, const struct plan *p, struct error *e)
{
    uint64_t least = least_runs(b, p), width = p->n_workloads, at = 0;
    uint64_t parts = (uint64_t)WORK_SHARE * (b->workers ? b->workers : 1);
    b->chunks = 0;
    for (;;) {
        if (!mem_grow(&b->start, &b->cap_chunks, b->chunks + 1, sizeof *b->start))
            return error_no_memory(e);
        b->start[b->chunks] = at;
        if (at == b->runs) return true;
        uint64_t left = b->runs - at, n = (left + parts - 1) / parts;
        if (n > width) n -= n % width;
        if (n < least) n = least;
        at += n < left ? n : left;
        b->chunks++;
    }
}

/* --- the file ----------------------------------------------------------------------------------
 */

void batch_write(const struct run_batch *b, struct text *out)
{
    text_add(out, "plumb-batch 1\nengine %s\nworkers %" PRIu32 "\n", engine_name[b->engine],
             b->workers);
    if (b->last) text_add(out, "last\n");
    for (size_t i = 0; i < b->n_ranges; i++)
        text_add(out, "%" PRIu64 "+%" PRIu64 "\n", b->range[i].first, b->range[i].n);
    text_add(out, "end\n");
}

static bool read_engine(const char *word, enum engine *engine)
{
    for (int i = 0; i < ENGINE_N; i++)
        if (strcmp(engine_name[i], word) == 0) {
            *engine = (enum engine)i;
            return true;
        }
    return false;
}

/* One line of runs, "FIRST+N". */
static bool read_range(struct run_batch *b, const char *line, uint64_t runs, bool *sound,
                       struct error *e)
{
    uint64_t first, n;
    *sound = text_whole(&line, 10, &first) && *line++ == '+' && text_whole(&line, 10, &n) &&
             *line == '\0' && n > 0 && first < runs && n <= runs - first;
    return !*sound || batch_add(b, first, n, e);
}

static bool read_line(struct run_batch *b, const char *line, uint64_t runs, bool *sound,
                      struct error *e)
{
    const char *number = line + 8;
    uint64_t workers = 0;
    if (strncmp(line, "engine ", 7) == 0) {
        *sound = read_engine(line + 7, &b->engine);
    } else if (strncmp(line, "workers ", 8) == 0) {
        *sound = text_whole(&number, 10, &workers) && *number == '\0' && workers <= UINT32_MAX;
        b->workers = (uint32_t)workers;
    } else if (strcmp(line, "last") == 0) {
        b->last = true;
    } else {
        return read_range(b, line, runs, sound, e);
    }
    return true;
}

bool batch_read(struct run_batch *b, const char *path, const struct plan *p, struct error *e)
{
    char *bytes, *save = NULL;
    size_t n;
    uint64_t runs = (uint64_t)plan_points(p) * p->n_workloads;
    bool ok = true, sound, ended = false;
    *b = (struct run_batch){0};
    if (!file_read(path, &bytes, &n, e)) return false;
    char *line = strtok_r(bytes, "\n", &save);
    sound = line && strcmp(line, "plumb-batch 1") == 0;
    while (ok && sound && !ended && (line = strtok_r(NULL, "\n", &save))) {
        ended = strcmp(line, "end") == 0;
        if (!ended) ok = read_line(b, line, runs, &sound, e);
    }
    mem_free(bytes);
    if (ok && !(sound && ended))
        ok =
            error_input(e, "%s: no list of this sweep's runs, or another version of plumb's", path);
    return ok && batch_cut(b, p, e);
}

void batch_fini(struct run_batch *b)
{
    mem_free(b->range);
    mem_free(b->start);
    *b = (struct run_batch){0};
}

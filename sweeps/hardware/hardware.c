/* hardware.c - see hardware.h.  The header row of a file determines its layout. */
#include "sweeps/hardware/hardware.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "gpu/metrics/metrics.h"
#include "sweeps/hardware/hardware_internal.h"
#include "sweeps/store/transaction.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

int hardware_column(const struct csv_row *head, const char *name)
{
    for (uint32_t i = 0; name && i < head->n; i++)
        if (strcmp(head->field[i], name) == 0) return (int)i;
    return NONE;
}

bool hardware_refuse(const struct hardware_reading *r, uint32_t line, const char *what,
                     const char *name)
{
    return error_input(r->e, "%s:%" PRIu32 ": %s%.200s", r->h->file, line, what, name);
}

/* --- the header --------------------------------------------------------------------------------
 */

static bool is_info(const struct hardware_layout *l, const char *name)
{
    const char *const own[] = {l->kernel, l->by,     l->name,  l->value, l->unit,
                               l->times,  l->device, l->begin, l->end};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (own[i] && strcmp(own[i], name) == 0) return true;
    for (int i = 0; i < INFO_MAX && l->info[i]; i++)
        if (strcmp(l->info[i], name) == 0) return true;
    return *name == '\0';
}

static bool fits_header(const struct hardware_layout *l, const struct csv_row *head)
{
    if (hardware_column(head, l->kernel) == NONE) return false;
    if (l->name)
        return hardware_column(head, l->name) != NONE && hardware_column(head, l->value) != NONE;
    if (hardware_column(head, "Metric Name") != NONE) return false;
    return l->tool != PROFILER_NVPROF || hardware_column(head, "Context") != NONE ||
           hardware_column(head, "Stream") != NONE;
}

static bool check_columns(const struct hardware_reading *r)
{
    const struct hardware_layout *l = r->h->layout;
    for (uint32_t i = 0; i < r->head->n; i++) {
        const char *name = r->head->field[i];
        if (is_info(l, name)) continue;
        if (l->name || !hardware_counter_is_plausible(l->tool, name))
            return hardware_refuse(
                r, r->head->line,
                "a column that is neither information nor a counter of this profiler: ", name);
    }
    return true;
}

static bool find_layout(struct hardware_reading *r)
{
    if (r->csv.n == 0)
        return hardware_refuse(r, 1, "no rows; a profiler's CSV file begins with a header", "");
    r->head = &r->csv.row[0];
    for (uint32_t i = 0; hardware_layout(i) && !r->h->layout; i++)
        if (fits_header(hardware_layout(i), r->head)) r->h->layout = hardware_layout(i);
    if (!r->h->layout)
        return hardware_refuse(
            r, r->head->line,
            "not the header of a CSV file of nvprof, ncu, rocprof, rocprofv3 or kernel_times; it "
            "begins with ",
            r->head->field[0]);
    if (r->h->layout->units_row && r->csv.n > 1) r->units = &r->csv.row[1];
    return check_columns(r);
}

/* --- values ------------------------------------------------------------------------------------
 */

static bool read_invocations(const struct hardware_reading *r, const char *s, double *n)
{
    return hardware_number(s, "", r->marks, false, n) == NUMBER_READ && *n >= 1 && *n <= 1e12 &&
           *n == floor(*n);
}

/* Removes nvprof's launch number, as in "saxpy(float*) [123]". */
static const char *kernel_name(struct hardware *h, const char *name)
{
    char *copy = arena_strdup(&h->arena, name);
    size_t n = copy ? strlen(copy) : 0;
    char *tail = copy ? strrchr(copy, '[') : NULL;
    if (tail && tail > copy && tail[-1] == ' ' && copy[n - 1] == ']') tail[-1] = '\0';
    return copy;
}

static bool refuse_number(const struct hardware_reading *r, const char *name, const char *value,
                          const char *what)
{
    char at[16] = "";
    if (r->line) snprintf(at, sizeof at, ":%" PRIu32, r->line);
    return error_input(r->e, "%s%s: %.100s: %.60s: %s", r->h->file, at, name, value, what);
}

/* A rate that its own unit makes more than 1 was not meant so. */
static bool is_no_rate(const struct counter_metric *m, double v)
{
    return m && strcmp(metrics_unit(m->metric), "1") == 0 && !(v >= 0 && v <= 1 + 1e-6);
}

/* Whether whole things are counted in the unit. */
static bool counts(const struct hardware_reading *r, const char *unit)
{
    return r->h->layout->tool == PROFILER_NCU && hardware_unit_counts(unit);
}

bool hardware_add(struct hardware_reading *r, const char *kernel, const char *name,
                  const char *value, const char *unit, double times)
{
    struct hardware *h = r->h;
    double v = 0;
    const struct counter_metric *m = counter_metric(h->layout->tool, name);
    double factor;
    if (m && !hardware_counter_unit(unit, &factor))
        return refuse_number(r, name, unit, "not a unit that is known");
    switch (hardware_number(value, unit, r->marks, counts(r, unit), &v)) {
    case NUMBER_NONE: return true; /* the counter was not measured */
    case NUMBER_READ: break;
    case NUMBER_STRANGE:
        return !m || refuse_number(r, name, value,
                                   "a number, its marks as in the rest of the file, and a unit "
                                   "behind it are allowed");
    case NUMBER_TWO_WAYS:
        return !m || refuse_number(r, name, value,
                                   "no number of the file tells whether its mark groups thousands "
                                   "or parts a fraction; run the profiler with LC_ALL=C");
    }
    if (!hardware_counter_is_mean(name)) v *= times;
    if (m) v *= m->factor;
    if (m && v < 0) return refuse_number(r, name, value, "a counter is not negative");
    if (is_no_rate(m, v)) return refuse_number(r, name, value, "a rate from 0 to 100 % is allowed");
    if (!mem_grow(&h->counter, &h->cap, h->n + 1, sizeof *h->counter)) return error_no_memory(r->e);
    h->counter[h->n++] = (struct hardware_counter){.launch = r->launch,
                                                   .kernel = kernel,
                                                   .name = arena_strdup(&h->arena, name),
                                                   .metric = m ? m->metric : NULL,
                                                   .value = v};
    return true;
}

static const char *field_at(const struct csv_row *row, int at)
{
    return at == NONE || (uint32_t)at >= row->n ? "" : row->field[at];
}

/* The unit of a row's value in a column. */
static const char *unit_at(const struct hardware_reading *r, const struct csv_row *row, uint32_t at)
{
    if (r->h->layout->name) return field_at(row, hardware_column(r->head, r->h->layout->unit));
    return r->units ? field_at(r->units, (int)at) : "";
}

static bool read_long_row(struct hardware_reading *r, const struct csv_row *row, const char *kernel)
{
    const struct hardware_layout *l = r->h->layout;
    double times = 1;
    const char *name = field_at(row, hardware_column(r->head, l->name));
    if (!*name) return true; /* the heading of one of ncu's sections */
    if (l->times && !read_invocations(r, field_at(row, hardware_column(r->head, l->times)), &times))
        return hardware_refuse(r, row->line,
                               "expected a whole number from 1 to 1e12 in the column ", l->times);
    int value = hardware_column(r->head, l->value);
    return hardware_add(r, kernel, name, field_at(row, value), unit_at(r, row, (uint32_t)value),
                        times);
}

static bool read_wide_row(struct hardware_reading *r, const struct csv_row *row, const char *kernel)
{
    for (uint32_t i = 0; i < row->n; i++) {
        const char *name = r->head->field[i];
        if (is_info(r->h->layout, name)) continue;
        if (!hardware_add(r, kernel, name, row->field[i], unit_at(r, row, i), 1)) return false;
    }
    return true;
}

static bool read_ns(const char *s, double *ns)
{
    return hardware_number(s, "", MARKS_POINT, false, ns) == NUMBER_READ;
}

/* Adds the launch's duration, if the file has its begin and end. */
static bool add_duration(struct hardware_reading *r, const struct csv_row *row, const char *kernel)
{
    const struct hardware_layout *l = r->h->layout;
    double begin, end;
    char ns[40];
    if (!l->begin || hardware_column(r->head, "DurationNs") != NONE) return true;
    if (!read_ns(field_at(row, hardware_column(r->head, l->begin)), &begin) ||
        !read_ns(field_at(row, hardware_column(r->head, l->end)), &end) || end <= begin)
        return true;
    snprintf(ns, sizeof ns, "%.0f", end - begin);
    return hardware_add(r, kernel, "DurationNs", ns, "", 1);
}

/* Sets the row's launch, wherever in the file its other rows are. false: no memory. */
static bool find_launch(struct hardware_reading *r, const struct csv_row *row, bool *another)
{
    static const char *const processes[] = {"Process ID", "Process_Id", "PID"};
    const struct hardware_layout *l = r->h->layout;
    struct digest key = digest_text(field_at(row, hardware_column(r->head, l->device)));
    key = digest_join(key, digest_text(field_at(row, hardware_column(r->head, l->by))));
    for (size_t i = 0; i < sizeof processes / sizeof *processes; i++) {
        int at = hardware_column(r->head, processes[i]);
        if (at != NONE) key = digest_join(key, digest_text(field_at(row, at)));
    }
    const uint32_t *known = l->by ? hash_map_get(&r->launch_of, key.lo) : NULL;
    *another = !known;
    r->launch = known ? *known : r->h->launches++;
    return known || !l->by || hash_map_put(&r->launch_of, key.lo, r->launch);
}

static bool read_row(struct hardware_reading *r, const struct csv_row *row)
{
    struct hardware *h = r->h;
    const struct hardware_layout *l = h->layout;
    bool another;
    r->line = row->line;
    if (row->n != r->head->n)
        return hardware_refuse(r, row->line, "a row of another length than the header", "");
    const char *kernel = field_at(row, hardware_column(r->head, l->kernel));
    if (kernel[0] == '[' || kernel[0] == '\0') return true; /* nvprof's row for a memory copy */
    if (!find_launch(r, row, &another)) return error_no_memory(r->e);
    kernel = kernel_name(h, kernel);
    const char *device = field_at(row, hardware_column(r->head, l->device));
    if (kernel && !*h->device && *device) h->device = arena_strdup(&h->arena, device);
    if (!kernel || !h->device) return error_no_memory(r->e);
    return (!another || add_duration(r, row, kernel)) &&
           (l->name ? read_long_row(r, row, kernel) : read_wide_row(r, row, kernel));
}

bool hardware_note_marks(struct hardware_reading *r, const char *field, const char *unit)
{
    enum number_marks marks = hardware_marks(field, counts(r, unit));
    if (marks == MARKS_UNKNOWN || marks == r->marks) return true;
    if (r->marks != MARKS_UNKNOWN)
        return hardware_refuse(r, r->line, "numbers before have the other decimal mark than ",
                               field);
    r->marks = marks;
    return true;
}

/* Finds the marks that the numbers of all rows have. */
static bool find_marks(struct hardware_reading *r)
{
    int value = hardware_column(r->head, r->h->layout->value);
    for (size_t i = 1 + (r->units != NULL); i < r->csv.n; i++) {
        const struct csv_row *row = &r->csv.row[i];
        r->line = row->line;
        for (uint32_t k = 0; k < row->n && k < r->head->n; k++) {
            bool number =
                value != NONE ? (int)k == value : !is_info(r->h->layout, r->head->field[k]);
            if (number && !hardware_note_marks(r, row->field[k], unit_at(r, row, k))) return false;
        }
    }
    return true;
}

static bool read_all(struct hardware_reading *r, const char *program, char *text)
{
    if (hardware_is_details(text)) return hardware_read_details(r, text);
    if (!csv_read(&r->csv, r->h->file, text, &r->h->arena, r->e) || !find_layout(r)) return false;
    if (r->h->layout->tool == PROFILER_OPENCL) return hardware_read_kernel_times(r, program);
    if (!hash_map_init(&r->launch_of, 0)) return error_no_memory(r->e);
    if (!find_marks(r)) return false;
    for (size_t i = 1 + (r->units != NULL); i < r->csv.n; i++)
        if (!read_row(r, &r->csv.row[i])) return false;
    return r->h->n > 0 || hardware_refuse(r, r->head->line, "no counters below the header", "");
}

struct hardware *hardware_parse(const char *file, const char *program, const char *text,
                                struct error *e)
{
    struct hardware *h = mem_new(1, sizeof *h);
    char *copy = mem_strdup(text);
    struct hardware_reading r = {.h = h, .e = e};
    bool ok = h && copy;
    if (ok) {
        h->file = arena_strdup(&h->arena, file);
        h->device = "";
        h->digest = digest_text(text);
        ok = h->file != NULL;
    }
    if (!ok)
        error_no_memory(e);
    else
        ok = read_all(&r, program, copy);
    csv_fini(&r.csv);
    hash_map_fini(&r.launch_of);
    mem_free(copy);
    if (ok) return h;
    hardware_free(h);
    return NULL;
}

struct hardware *hardware_load(const char *file, const char *program, struct error *e)
{
    char *text;
    size_t n;
    if (!file_read_upto(file, FILE_TABLE_MAX, &text, &n, e)) return NULL;
    struct hardware *h = NULL;
    if (strlen(text) == n)
        h = hardware_parse(file, program, text, e);
    else
        error_input(e, "%s: not a text", file);
    mem_free(text);
    return h;
}

void hardware_free(struct hardware *h)
{
    if (!h) return;
    mem_free(h->counter);
    arena_fini(&h->arena);
    mem_free(h);
}

const char *hardware_tool(const struct hardware *h)
{
    return h->layout->tool_name;
}

const char *hardware_device(const struct hardware *h)
{
    return h->device;
}

uint32_t hardware_launches(const struct hardware *h)
{
    return h->launches;
}

const struct hardware_counter *hardware_counters(const struct hardware *h, uint32_t *n)
{
    *n = (uint32_t)h->n;
    return h->counter;
}

/* --- the database ------------------------------------------------------------------------------
 */

static void add_file(struct transaction *w, const struct hardware *h, const char *program)
{
    char hex[33];
    digest_hex(digest_join(h->digest, digest_text(program)), hex);
    transaction_statement(w, "DELETE FROM hardware WHERE digest = ?2");
    transaction_text(w, 2, hex);
    transaction_step(w);
    transaction_statement(w, "INSERT INTO hardware(digest, file, tool, device, program, imported)"
                             " VALUES(?2, ?3, ?4, ?5, ?6, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))");
    transaction_text(w, 2, hex);
    transaction_text(w, 3, h->file);
    transaction_text(w, 4, h->layout->tool_name);
    transaction_text(w, 5, h->device);
    transaction_text(w, 6, program);
    transaction_step(w);
    /* the file's row is ?1 in the statements that follow */
    w->sweep = sqlite3_last_insert_rowid(w->store->db);
}

bool hardware_store(const struct hardware *h, struct store *s, const char *program, struct error *e)
{
    struct transaction w = transaction_begin(s, 0);
    add_file(&w, h, program);
    transaction_statement(&w, "INSERT OR REPLACE INTO counter VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
    for (size_t i = 0; i < h->n; i++) {
        const struct hardware_counter *c = &h->counter[i];
        transaction_whole(&w, 2, c->launch);
        transaction_text(&w, 3, c->kernel);
        transaction_text(&w, 4, c->name);
        transaction_text(&w, 5, c->metric);
        transaction_real(&w, 6, c->value);
        transaction_step(&w);
    }
    return transaction_finish(&w, e);
}

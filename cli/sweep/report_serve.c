/* report_serve.c - see report_serve.h. */
#include "cli/sweep/report_serve.h"

#include "base/http/http_request.h"
#include "base/http/http_server.h"
#include "base/io/file.h"
#include "base/run/progress.h"
#include "base/text/sha256.h"
#include "cli/command/cli.h"
#include "cli/sweep/sweep_parts.h"
#include "sweeps/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PORT_DEFAULT = 8765 };
/* Reading takes at most a tenth of a processor, which the sweep wants, too. */
static const double least_pause = 1, pause_per_reading = 9;

struct served {
    struct sweep *sweep;
    const char *title;
    bool parts; /* of workers */
    struct http_document *page, *data;
    uint64_t stamp;     /* of the database that the data are of */
    double next;        /* when the results may be read again */
    struct error fault; /* of the last reading */
};

/* A database in WAL mode grows in a second file first. */
static uint64_t stamp_of(const struct served *v)
{
    struct text wal = {0};
    text_add(&wal, "%s-wal", v->sweep->args.word[0]);
    uint64_t stamp =
        v->parts ? 0 : file_stamp(v->sweep->args.word[0]) * 31 + file_stamp(text_str(&wal));
    text_fini(&wal);
    return stamp;
}

static bool make_data(struct served *v, struct http_document *d)
{
    struct results r;
    struct error *e = &v->fault;
    bool ok = (v->parts ? sweep_parts_results(v->sweep, &r, e)
                        : results_read(&r, v->sweep->args.word[0], e)) &&
              report_data(&r, v->title, &d->body, e);
    results_fini(&r);
    if (!ok) return false;
    char digest[SHA256_BASE64];
    sha256_base64(text_str(&d->body), d->body.len, digest);
    snprintf(d->tag, sizeof d->tag, "\"%s\"", digest);
    return true;
}

/* Reads the results again if they have changed and it is time. The data stay as they are where that
 * fails, and v->fault says why. */
static void read_again(struct served *v)
{
    double now = progress_clock_seconds();
    uint64_t stamp = stamp_of(v);
    if (v->data && (now < v->next || (!v->parts && stamp == v->stamp))) return;
    v->fault = (struct error){0};
    struct http_document *d = http_document_new("application/json");
    if (!d) {
        error_no_memory(&v->fault);
    } else if (make_data(v, d)) {
        http_document_release(v->data);
        v->data = d;
        v->stamp = stamp;
    } else {
        http_document_release(d);
    }
    double took = progress_clock_seconds() - now, pause = took * pause_per_reading;
    v->next = now + took + (pause > least_pause ? pause : least_pause);
}

static int choose(const char *path, struct http_document **d, const char **why, void *ctx)
{
    struct served *v = ctx;
    if (strcmp(path, "/") == 0) {
        *d = v->page;
        return HTTP_OK;
    }
    if (strcmp(path, REPORT_DATA_PATH) != 0) return HTTP_NOT_FOUND;
    read_again(v);
    *d = v->data;
    *why = v->fault.text;
    return v->fault.kind == ERROR_NONE ? HTTP_OK : HTTP_UNAVAILABLE;
}

static bool make_page(struct served *v, struct error *e)
{
    v->page = http_document_new("text/html; charset=utf-8");
    if (!v->page) return error_no_memory(e);
    read_again(v); /* what is wrong with the database is told before a browser is opened */
    *e = v->fault;
    return e->kind == ERROR_NONE && report_live_page(v->title, &v->page->body, e);
}

static bool serve(struct served *v, uint16_t port, struct error *e)
{
    if (!make_page(v, e)) return false;
    int listener = http_listen(&port, e);
    if (listener < 0) return false;
    if (v->sweep->args.verbosity >= 0)
        cli_say("http://127.0.0.1:%u/ shows %s as it grows; Ctrl-C ends it", port, v->title);
    return http_serve(listener, choose, v, &plumb_interrupted, e);
}

static bool read_port(const struct args *a, uint16_t *port)
{
    uint64_t v = PORT_DEFAULT;
    const char *word = a->n_words > 1 ? a->word[1] : "";
    bool ok = a->n_words < 3 && (a->n_words < 2 || (text_whole(&word, 10, &v) && !*word));
    *port = (uint16_t)v;
    return ok && v <= UINT16_MAX;
}

int report_serve(struct sweep *s, const char *title)
{
    struct served v = {.sweep = s, .title = title, .parts = work_dir_exists(s->args.word[0])};
    struct errors all = {0};
    struct error e = {0};
    uint16_t port;
    if (!read_port(&s->args, &port))
        return cli_usage("report", "expected RESULTS.db --serve [PORT], with a port of 0 to 65535");
    if (s->args.output || s->args.svg || s->args.png)
        return cli_usage("report", "takes --serve without --output, --svg and --png");
    int status = EXIT_OK;
    if (v.parts && !sweep_load(s, &all))
        status = cli_fail_all(&all);
    else if (!serve(&v, port, &e))
        status = cli_fail(&e);
    http_document_release(v.page);
    http_document_release(v.data);
    errors_fini(&all);
    if (v.parts) sweep_unload(s);
    return status;
}

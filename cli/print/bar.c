/* bar.c - see bar.h. */
#include "cli/print/bar.h"

#include "cli/command/cli.h"
#include "cli/print/output.h"
#include "cli/print/terminal.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LEFT_MAX = 32, BAR_WIDTH = 30, BAR_LEAST = 10, LINE_BYTES = 512 };
static const double SILENCE = 1;      /* seconds after which the line is drawn, or drawn anew */
static const double LINES_APART = 10; /* seconds, where there is no terminal */

/* What the line shows. The lock covers all of it and whatever is printed on standard error. */
static struct {
    pthread_mutex_t lock;
    const char *command; /* NULL: no command is watched */
    bool works;          /* the line may be drawn */
    bool counts;         /* `count` and `more` are of counted work */
    bool drawn;
    bool has_thread;
    double since;                                     /* when that work began, seconds, monotonic */
    double shown;                                     /* when the line was last drawn or erased */
    uint64_t done, total;                             /* 0: unknown */
    char count[LINE_BYTES / 4], more[LINE_BYTES / 2]; /* the text before and behind the seconds */
} line = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- texts --- */

static void time_left(const struct progress *p, double seconds, char out[LEFT_MAX])
{
    double left = progress_seconds_left(p, seconds);
    out[0] = '\0';
    if (left >= 3600)
        snprintf(out, LEFT_MAX, ", %.1f h left", left / 3600);
    else if (left >= 60)
        snprintf(out, LEFT_MAX, ", %.0f min left", left / 60);
    else if (left > 0)
        snprintf(out, LEFT_MAX, ", %.0f s left", left);
}

static void rate_text(const struct progress *p, double seconds, char out[LEFT_MAX])
{
    double rate = seconds > 0 ? (double)p->done / seconds : 0;
    out[0] = '\0';
    if (rate >= 10)
        snprintf(out, LEFT_MAX, ", %.0f/s", rate);
    else if (rate > 0)
        snprintf(out, LEFT_MAX, ", %.2g/s", rate);
}

/* "37/100 runs"; only "37 runs" if the total is unknown. */
static void count_text(const struct progress *p, char *out, size_t size)
{
    uint64_t done = p->done;
    if (p->total)
        snprintf(out, size, "%" PRIu64 "/%" PRIu64 " %s", done, p->total, p->what);
    else
        snprintf(out, size, "%" PRIu64 " %s", done, p->what);
}

/* ", 12/s, 3 s left, 1 failed, best so far ..." */
static void more_text(const struct progress *p, double seconds, bool last, char *out, size_t size)
{
    char left[LEFT_MAX], rate[LEFT_MAX], failed[LEFT_MAX] = "";
    uint64_t failures = p->failed;
    rate_text(p, seconds, rate);
    time_left(p, seconds, left);
    if (failures) snprintf(failed, sizeof failed, ", %" PRIu64 " failed", failures);
    snprintf(out, size, "%s%s%s%s%s%s%s", rate, last ? "" : left, failed, *p->note ? ", " : "",
             p->note, *p->part ? ", " : "", p->part);
}

/* --- the line of a terminal; the caller has the lock --- */

static void add_bar(char *out, size_t size, unsigned width)
{
    char bar[BAR_WIDTH + 1];
    uint64_t filled = line.total ? line.done * width / line.total : 0;
    if (filled > width) filled = width;
    for (uint64_t i = 0; i < width; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[width] = '\0';
    snprintf(out, size, "[%s] ", bar);
}

/* Cuts the text where that many columns are full. */
static void cut(char *text, unsigned width)
{
    size_t end = strlen(text);
    while (end > 0 && (terminal_columns(text, end) > width || (text[end] & 0xc0) == 0x80))
        end--;
    text[end] = '\0';
}

/* The bar gives way to the text, and the text ends where the terminal does. */
static void draw(double now)
{
    char text[LINE_BYTES], bar[BAR_WIDTH + 4] = "";
    unsigned width = terminal_width_of(STDERR_FILENO) - 1, room = BAR_WIDTH;
    snprintf(text, sizeof text, "%s%s, %.0f s%s", line.counts ? "" : "plumb ",
             line.counts ? line.count : line.command, now - line.since,
             line.counts ? line.more : "");
    unsigned wide = terminal_columns(text, strlen(text)) + 3;
    if (wide + room > width) room = width > wide + BAR_LEAST ? width - wide : BAR_LEAST;
    if (line.counts) add_bar(bar, sizeof bar, room);
    cut(text, width - (unsigned)strlen(bar));
    cli_draw("\r%s%s\033[K", bar, text);
    line.drawn = true;
    line.shown = now;
}

static void erase(void)
{
    if (line.drawn) cli_draw("\r\033[K");
    line.drawn = false;
    line.shown = progress_clock_seconds();
}

/* --- the thread that redraws --- */

static void *redraw(void *ctx)
{
    (void)ctx;
    for (;;) {
        nanosleep(&(struct timespec){.tv_nsec = 250000000}, NULL);
        pthread_mutex_lock(&line.lock);
        double now = progress_clock_seconds();
        if (line.works && now - line.shown >= SILENCE) draw(now);
        pthread_mutex_unlock(&line.lock);
    }
    return NULL;
}

static void lock_line(void)
{
    pthread_mutex_lock(&line.lock);
}

static void unlock_line(void)
{
    pthread_mutex_unlock(&line.lock);
}

/* A child process has no such thread, and its parent draws. */
static void leave_line(void)
{
    line.works = line.drawn = false;
    line.has_thread = true;
    pthread_mutex_unlock(&line.lock);
}

/* Signals are for the other threads: one that waits for a child or a file is to hear of them. */
static void start_thread(void)
{
    pthread_t thread;
    sigset_t all, old;
    if (line.has_thread) return;
    line.has_thread = true;
    pthread_atfork(lock_line, unlock_line, leave_line);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    if (pthread_create(&thread, NULL, redraw, NULL) == 0) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* --- the progress of the library --- */

/* Work that took a while leaves its line behind. */
static void end_count(double now)
{
    if (line.drawn && (line.done || !line.total))
        cli_draw("\n");
    else
        erase();
    line.drawn = line.counts = false;
    line.works = line.command != NULL;
    line.since = line.shown = now;
}

static void draw_bar(const struct progress *p, double seconds, bool last, void *ctx)
{
    (void)ctx;
    lock_line();
    double now = progress_clock_seconds();
    line.counts = line.works = true;
    line.since = now - seconds;
    line.done = p->done;
    line.total = p->total;
    count_text(p, line.count, sizeof line.count);
    more_text(p, seconds, last, line.more, sizeof line.more);
    if (seconds >= SILENCE) draw(now);
    if (last) end_count(now);
    unlock_line();
}

static void print_line(const struct progress *p, double seconds, bool last, void *ctx)
{
    static double shown; /* time of the last line; only one progress is shown at a time */
    char count[LINE_BYTES / 4], more[LINE_BYTES / 2];
    (void)ctx;
    if (seconds < shown) shown = 0;
    bool ends = p->total && p->done >= p->total; /* the last call prints this */
    if (last ? seconds < LINES_APART : ends || seconds - shown < LINES_APART) return;
    shown = seconds;
    count_text(p, count, sizeof count);
    more_text(p, seconds, last, more, sizeof more);
    cli_say("%s in %.0f s%s", count, seconds, more);
}

/* --- */

static bool can_draw(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

void bar_watch(const char *command, bool quiet)
{
    if (quiet || !can_draw()) return;
    lock_line();
    line.command = command;
    line.works = true;
    line.counts = line.drawn = false;
    line.since = line.shown = progress_clock_seconds();
    start_thread();
    unlock_line();
}

void bar_hold(bool rests)
{
    lock_line();
    erase();
    if (rests) line.works = false;
}

void bar_release(void)
{
    unlock_line();
}

void bar_end(void)
{
    bar_hold(true);
    bar_release();
}

void bar_progress(struct progress *p, bool quiet)
{
    memset(p, 0, sizeof *p);
    if (!quiet) p->show = can_draw() ? draw_bar : print_line;
}

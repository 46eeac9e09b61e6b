/* suite_capture.c - see suite_capture.h. */
#include "cli/trace/suite_capture.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"
#include "cli/command/cli.h"
#include "cli/print/bar.h"
#include "cli/print/output.h"
#include "trace/program/program.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORDS_MAX = 64, PROCESSES_MAX = 64, CANNOT_START = 127 };

struct capture_job {
    const struct suite_entry *entry;
    pid_t child; /* 0: none */
    double started;
    char *program, *sources; /* executable; folder of its .cl files, NULL: where it was built */
    char *making, *log;      /* FOLDER/.making/NAME.plt, NAME.log */
};

struct captures {
    struct suite_captures *c;
    char *folder, *making;
    char self[PATH_MAX]; /* path of this executable */
    int lock;
    struct capture_job job[PROCESSES_MAX];
    struct progress progress;
};

/* --- the folder --- */

static void remove_tree(const char *path, unsigned depth)
{
    DIR *d = opendir(path);
    for (struct dirent *entry; d && (entry = readdir(d));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char *below = file_join(path, entry->d_name);
        if (below && unlink(below) != 0 && depth > 0) remove_tree(below, depth - 1);
        mem_free(below);
    }
    if (d) closedir(d);
    rmdir(path);
}

static bool take_lock(struct captures *s, struct error *e)
{
    char *path = file_join(s->folder, ".lock");
    s->lock = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    mem_free(path);
    if (s->lock < 0) return error_run(e, "%s: cannot be written: %s", s->folder, strerror(errno));
    for (bool told = false; flock(s->lock, LOCK_EX | LOCK_NB) != 0; told = true) {
        if (!told) cli_say("waiting for another capture into %s", s->folder);
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
        if (plumb_interrupted) return error_run(e, "interrupted");
    }
    return true;
}

static bool open_folder(struct captures *s, struct error *e)
{
    s->folder = suite_folder();
    if (!s->folder)
        return error_run(e, "there is no cache directory; set PLUMB_SUITES or XDG_CACHE_HOME");
    if (!file_make_dirs(s->folder, e) || !take_lock(s, e)) return false;
    s->making = file_join(s->folder, ".making");
    if (!s->making) return error_no_memory(e);
    remove_tree(s->making, 2); /* left over from a run that was killed */
    return file_make_dirs(s->making, e);
}

/* --- the programs to run --- */

static char *with_ending(const char *folder, const char *name, const char *ending)
{
    struct text path = {0};
    text_add(&path, "%s/%s%s", folder, name, ending);
    char *result = path.failed ? NULL : mem_strdup(path.s);
    text_fini(&path);
    return result;
}

static void self_folder(const struct captures *s, char out[PATH_MAX])
{
    snprintf(out, PATH_MAX, "%s", s->self);
    char *slash = strrchr(out, '/');
    if (slash) *slash = '\0';
}

/* Searches where the user said, beside a plumb in its build tree, then in the installation. */
static bool find_program(const struct captures *s, struct capture_job *j, struct error *e)
{
    char self[PATH_MAX], program[64], installed[PATH_MAX + 64], built[PATH_MAX + 64];
    const char *told = getenv("PLUMB_WORKLOADS_BIN");
    self_folder(s, self);
    snprintf(built, sizeof built, "%s/workloads", self);
    snprintf(installed, sizeof installed, "%s/../libexec/plumb/workloads", self);
    const char *const folder[] = {told, built, installed};
    snprintf(program, sizeof program, "%.*s", (int)strcspn(j->entry->capture, " "),
             j->entry->capture);
    for (unsigned i = 0; i < 3 && !j->program; i++) {
        char *path = folder[i] ? file_join(folder[i], program) : NULL;
        if (path && access(path, X_OK) == 0) {
            j->program = path;
            if (i == 2) j->sources = with_ending(self, "../share/plumb/workloads", "");
        } else {
            mem_free(path);
        }
    }
    return j->program ||
           error_run(e,
                     "there is no program %s in %s%s%s or %s; install what 'scripts/deps.sh "
                     "--capture' names and build plumb, or set PLUMB_WORKLOADS_BIN",
                     program, told ? told : "", told ? ", " : "", built, installed);
}

/* Splits the text at blanks, in place; returns the new number of words. */
static unsigned add_words(char **word, unsigned n, char *text)
{
    char *rest = NULL;
    for (char *w = text ? strtok_r(text, " ", &rest) : NULL; w && n < WORDS_MAX - 1;
         w = strtok_r(NULL, " ", &rest))
        word[n++] = w;
    return n;
}

/* Runs, in the child, this executable as `plumb trace capture`. */
static void become_capture(const struct captures *s, struct capture_job *j)
{
    char *word[WORDS_MAX] = {"plumb", "trace", "capture", "-o", j->making};
    unsigned n = add_words(word, 5, mem_strdup(j->entry->options));
    word[n++] = "--";
    unsigned program = n;
    n = add_words(word, n, mem_strdup(j->entry->capture));
    word[program] = j->program;
    word[n] = NULL;
    int fd = open(j->log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0) _exit(CANNOT_START);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (j->sources) setenv("PLUMB_WORKLOADS", j->sources, 0);
    execv(s->self, word);
    _exit(CANNOT_START);
}

static bool start_job(struct captures *s, struct capture_job *j, const struct suite_entry *t,
                      struct error *e)
{
    *j = (struct capture_job){.entry = t, .started = progress_clock_seconds()};
    if (!find_program(s, j, e)) return false;
    j->making = with_ending(s->making, t->name, ".plt");
    j->log = with_ending(s->making, t->name, ".log");
    if (!j->making || !j->log) return error_no_memory(e);
    fflush(NULL);
    j->child = fork();
    if (j->child == 0) become_capture(s, j);
    if (j->child > 0) return true;
    j->child = 0;
    return error_run(e, "no process: %s", strerror(errno));
}

/* --- results --- */

/* The error is the last line that the capture printed, without "plumb: ". */
static bool fail_as_said(const struct capture_job *j, int status, struct error *e)
{
    char *bytes = NULL;
    size_t n = 0;
    struct error unread;
    bool read = file_read_bytes(j->log, &bytes, &n, &unread);
    while (read && n > 0 && bytes[n - 1] == '\n')
        bytes[--n] = '\0';
    char *line = read && n > 0 ? strrchr(bytes, '\n') : NULL;
    line = line ? line + 1 : bytes;
    if (line && strncmp(line, "plumb: ", 7) == 0)
        error_run(e, "%.800s", line + 7);
    else
        error_run(e, "the capture ended with status %d; it said: %.600s",
                  WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                  line ? line : "nothing");
    mem_free(bytes);
    return false;
}

/* Stores a trace with an unexpected digest beside the place of the right one. */
static bool set_aside(const struct capture_job *j, struct digest found, struct error *e)
{
    char hex[33];
    struct text path = {0};
    digest_hex(found, hex);
    text_add(&path, "%s.%.8s.other", j->entry->path, hex);
    bool moved = !path.failed && rename(j->making, path.s) == 0;
    error_run(e,
              "the capture's digest is %s, the suite records %s%s%s; another compiler, library or "
              "version of plumb made it: --accept takes it as it is",
              hex, j->entry->digest_hex, moved ? "; kept as " : "", moved ? path.s : "");
    text_fini(&path);
    return false;
}

static bool note_accepted(const struct capture_job *j, struct digest found, struct error *e)
{
    char hex[33];
    char *path = suite_accepted_path(j->entry);
    struct outfile *f = path ? outfile_open(path, e) : NULL;
    bool ok = path || error_no_memory(e);
    digest_hex(found, hex);
    if (f) outfile_printf(f, "%s\n", hex);
    ok = f && outfile_commit(f, e) && ok;
    mem_free(path);
    return ok;
}

static bool make_place(const struct suite_entry *t, struct error *e)
{
    char *folder = mem_strdup(t->path);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash) *slash = '\0';
    bool ok = folder ? file_make_dirs(folder, e) : error_no_memory(e);
    mem_free(folder);
    return ok;
}

/* The capture has checked the trace; this only compares its digest. */
static bool put_in_place(const struct captures *s, const struct capture_job *j,
                         uint64_t *instructions, struct error *e)
{
    const struct suite_entry *t = j->entry;
    struct program *p = program_open(j->making, NULL, e);
    if (!p) return false;
    struct digest found = program_digest(p);
    for (uint32_t i = 0; i < program_launches(p); i++)
        *instructions += program_launch(p, i)->warp_instructions;
    program_close(p);
    if (!make_place(t, e)) return false;
    bool same = !*t->digest_hex || digest_equal(found, t->digest);
    if (!same && !s->c->accept) return set_aside(j, found, e);
    if (!same && !note_accepted(j, found, e)) return false;
    return rename(j->making, t->path) == 0 ||
           error_run(e, "%s: cannot be written: %s", t->path, strerror(errno));
}

static void job_fini(struct capture_job *j)
{
    mem_free(j->program);
    mem_free(j->sources);
    mem_free(j->making);
    mem_free(j->log);
    *j = (struct capture_job){0};
}

static void tell_failure(struct captures *s, const struct suite_entry *t, const struct error *e)
{
    cli_say("%s: %s", t->name, e->text);
    s->c->failed++;
    atomic_fetch_add(&s->progress.failed, 1);
}

static double seconds_of(const struct timeval *t)
{
    return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

static void finish_job(struct captures *s, struct capture_job *j, int status,
                       const struct rusage *used)
{
    struct error e = {0};
    uint64_t instructions = 0;
    bool ok = WIFEXITED(status) && WEXITSTATUS(status) == 0 ? put_in_place(s, j, &instructions, &e)
                                                            : fail_as_said(j, status, &e);
    if (!ok) {
        if (!plumb_interrupted) tell_failure(s, j->entry, &e);
    } else {
        s->c->made++;
        if (!s->c->quiet)
            cli_print("%s: %llu warp instructions, %.1f s of CPU time in %.1f s\n", j->entry->name,
                      (unsigned long long)instructions,
                      seconds_of(&used->ru_utime) + seconds_of(&used->ru_stime),
                      progress_clock_seconds() - j->started);
        fflush(stdout);
    }
    job_fini(j);
    if (ok || !plumb_interrupted) progress_add(&s->progress, 1);
}

/* --- all of them --- */

static const struct suite_entry *next_entry(const struct captures *s, uint32_t *i)
{
    while (*i < s->c->suite->n) {
        const struct suite_entry *t = &s->c->suite->entry[(*i)++];
        if (t->capture && (s->c->force || suite_state(t, NULL) != SUITE_READY)) return t;
    }
    return NULL;
}

static uint32_t count_missing(const struct captures *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; next_entry(s, &i);)
        n++;
    return n;
}

static struct capture_job *idle_job(struct captures *s)
{
    for (unsigned i = 0; i < s->c->processes; i++)
        if (s->job[i].child == 0) return &s->job[i];
    return NULL;
}

/* Collects finished children; returns whether one is still running. */
static bool reap_children(struct captures *s)
{
    bool working = false;
    for (unsigned i = 0; i < s->c->processes; i++) {
        struct capture_job *j = &s->job[i];
        struct rusage used = {0};
        int status = 0;
        if (j->child == 0) continue;
        if (wait4(j->child, &status, WNOHANG, &used) == j->child)
            finish_job(s, j, status, &used);
        else
            working = true;
    }
    return working;
}

static void stop_all(const struct captures *s)
{
    for (unsigned i = 0; i < s->c->processes; i++)
        if (s->job[i].child > 0) kill(s->job[i].child, SIGTERM);
}

static void run_all(struct captures *s)
{
    bool stopped = false, working = true;
    const struct suite_entry *t;
    for (uint32_t next = 0; working;) {
        struct capture_job *j = plumb_interrupted ? NULL : idle_job(s);
        struct error e = {0};
        if (j && (t = next_entry(s, &next))) {
            if (start_job(s, j, t, &e)) continue;
            tell_failure(s, t, &e);
            job_fini(j);
            progress_add(&s->progress, 1);
            continue;
        }
        if (plumb_interrupted && !stopped) stop_all(s);
        stopped = plumb_interrupted;
        working = reap_children(s) || (!stopped && next < s->c->suite->n);
        progress_add(&s->progress, 0); /* updates the time shown */
        if (working) nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
}

int suite_capture(struct suite_captures *c)
{
    struct captures s = {.c = c, .lock = -1};
    struct error e = {0};
    ssize_t n = readlink("/proc/self/exe", s.self, sizeof s.self - 1);
    bool ok = n > 0 || error_run(&e, "/proc/self/exe: %s", strerror(errno));
    if (c->processes > PROCESSES_MAX) c->processes = PROCESSES_MAX;
    if (ok && count_missing(&s) == 0) return EXIT_OK; /* then the lock is not needed */
    ok = ok && open_folder(&s, &e);
    bar_progress(&s.progress, c->quiet);
    if (ok) {
        progress_start(&s.progress, "captures",
                       count_missing(&s)); /* another run may have made some */
        run_all(&s);
        progress_finish(&s.progress);
        remove_tree(s.making, 2);
    }
    if (s.lock >= 0) close(s.lock);
    mem_free(s.folder);
    mem_free(s.making);
    if (plumb_interrupted) {
        cli_say("interrupted; what is captured is kept");
        return EXIT_INTERRUPTED;
    }
    if (!ok) return cli_fail(&e);
    return c->failed ? EXIT_RUN_FAILED : EXIT_OK;
}

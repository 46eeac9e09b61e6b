/* capture_run.c - runs a program under Oclgrind as a child and decides whether its trace is whole.
 *
 * Two pipes come from the child: the plugin's status lines, and stderr, which is passed on. The
 * plugin's errors stop the child; an interrupt does, too. The trace is kept if one process has used
 * OpenCL and its plugin has said that it is done, whatever the program's exit status. It is written
 * in a folder beside the target and renamed when program_verify has read all of it. */
#include "cli/trace/capture_run.h"

#include "base/memory/alloc.h"
#include "base/run/progress.h"
#include "cli/command/cli.h"
#include "cli/trace/capture_find.h"
#include "trace/capture/launch_filter.h"
#include "trace/program/program.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    POLL_MS = 200,
    PATIENCE = 25, /* polls until a stop becomes a kill */
    CANNOT_START = 127
};

/* Text that arrives through a pipe, split into lines. */
struct lines {
    int in, out; /* the child's end is `out` */
    struct text line;
};

struct capture_session {
    const char *app, *output;
    bool cuda; /* the program has its recorder itself */
    struct capture_parts parts;
    char *folder, *trace;
    struct lines status, errors; /* the plugin's status; the program's stderr */
    pid_t parent, child;
    int exit; /* exit status of the child, once it has `ended` */
    bool ended;
    unsigned stopping; /* polls since the child was asked to stop, plus one */
    unsigned loaded, done;
    bool told;    /* the trace says how the program failed */
    bool gave_up; /* the next line of stderr has the reason */
    struct error failure;
};

/* Makes a temporary folder for the trace, beside the target. */
static bool make_folder(struct capture_session *c, const char *output, struct error *e)
{
    struct text path = {0};
    const char *slash = strrchr(output, '/');
    char *dir = mem_strdup(slash ? output : ".");
    if (slash && dir) dir[slash == output ? 1 : slash - output] = '\0';
    char *real = dir ? realpath(dir, NULL) : NULL;
    text_add(&path, "%s/.plumb-capture-XXXXXX", real ? real : "");
    if (real && !path.failed && mkdtemp(path.s)) {
        c->folder = mem_strdup(path.s);
        text_add(&path, "/trace.plt");
        c->trace = mem_strdup(text_str(&path));
    }
    if (!c->folder) error_run(e, "%s: cannot be created: %s", output, strerror(errno));
    text_fini(&path);
    mem_free(dir);
    free(real);
    return c->folder && (c->trace || error_no_memory(e));
}

/* A killed program leaves its half-written file there. */
static void remove_folder(const struct capture_session *c)
{
    DIR *d = c->folder ? opendir(c->folder) : NULL;
    if (!d) return;
    struct dirent *entry;
    while ((entry = readdir(d)))
        if (entry->d_name[0] != '.') unlinkat(dirfd(d), entry->d_name, 0);
    closedir(d);
    rmdir(c->folder);
}

/* If the trace covers only part of the program, its note says so. */
static void add_choice(struct text *note, const struct capture_request *o)
{
    const char *before = " (of it";
    for (const char *k = o->kernels.s; k && *k; k += strcspn(k, "\n") + 1, before = ",")
        text_add(note, "%s kernel %.*s", before, (int)strcspn(k, "\n"), k);
    if (o->launches) text_add(note, "%s launches %s", before, o->launches);
    if (o->launches) before = ",";
    if (o->ctas) text_add(note, "%s CTAs %s of each launch", before, o->ctas);
    if (o->kernels.s || o->launches || o->ctas) text_add(note, ")");
}

static void add_note(struct text *note, const struct capture_request *o, bool cuda)
{
    char *const *app = o->app;
    const char *slash = strrchr(app[0], '/'), *name = slash ? slash + 1 : app[0];
    text_add(note, "%s: %s", cuda ? "CUDA, clang 14" : "Oclgrind 21.10",
             o->title ? o->title : name);
    for (app++; *app; app++)
        text_add(note, " %s", *app);
    add_choice(note, o);
    if (o->unroll > 1) text_add(note, " (loops unrolled by %u, loads first)", o->unroll);
}

static void set_or_clear(const char *name, const char *value)
{
    if (value && *value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void set_number(const char *name, uint32_t value)
{
    char text[16];
    snprintf(text, sizeof text, "%u", value);
    set_or_clear(name, value ? text : NULL);
}

static void set_preload(const char *first)
{
    struct text all = {0};
    const char *before = getenv("LD_PRELOAD");
    text_add(&all, "%s%s%s", first, before ? ":" : "", before ? before : "");
    set_or_clear("LD_PRELOAD", all.failed ? first : text_str(&all));
    text_fini(&all);
}

/* What Oclgrind reads; what would change its behaviour is removed. */
static void set_oclgrind(const struct capture_session *c)
{
    set_or_clear("OCL_ICD_VENDORS", c->parts.icd);
    set_or_clear("OCLGRIND_PLUGINS", c->parts.plugin);
    set_preload(c->parts.preload);
    set_or_clear("OCLGRIND_NUM_THREADS", "1");
    set_or_clear("OCLGRIND_QUICK", NULL);
    set_or_clear("OCLGRIND_INTERACTIVE", NULL);
}

/* Sets, in the child, everything that the recorder reads. */
static void set_environment(const struct capture_session *c, const struct capture_request *o,
                            const char *note)
{
    char fd[16];
    snprintf(fd, sizeof fd, "%d", c->status.out);
    if (!c->cuda) set_oclgrind(c);
    set_or_clear("PLUMB_TRACE_OUT", c->trace);
    set_or_clear("PLUMB_TRACE_STATUS", fd);
    set_or_clear("PLUMB_TRACE_WIDTH", o->width);
    set_or_clear("PLUMB_TRACE_NOTE", note);
    set_or_clear("PLUMB_TRACE_KERNELS", o->kernels.s);
    set_or_clear("PLUMB_TRACE_LAUNCHES", o->launches);
    set_or_clear("PLUMB_TRACE_CTAS", o->ctas);
    set_number("PLUMB_TRACE_REGISTERS", o->registers);
    set_number("PLUMB_TRACE_RESIDENT_WARPS", o->resident_warps);
    set_number("PLUMB_TRACE_UNROLL", o->unroll > 1 ? o->unroll : 0);
}

static bool open_pipe(struct lines *l, struct error *e)
{
    int fd[2];
    if (pipe(fd) != 0) return error_run(e, "no pipe: %s", strerror(errno));
    l->in = fd[0];
    l->out = fd[1];
    return true;
}

static void become_program(const struct capture_session *c, const struct capture_request *o,
                           const char *note)
{
    close(c->status.in);
    close(c->errors.in);
    dup2(c->errors.out, STDERR_FILENO);
    close(c->errors.out);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* without it, the program would outlive a killed capture */
    if (getppid() != c->parent) _exit(CANNOT_START);
    set_environment(c, o, note);
    execvp(o->app[0], o->app);
    dprintf(c->status.out, "start %s\n", strerror(errno));
    _exit(CANNOT_START);
}

static bool start_program(struct capture_session *c, const struct capture_request *o,
                          struct error *e)
{
    struct text note = {0};
    if (!open_pipe(&c->status, e) || !open_pipe(&c->errors, e)) return false;
    add_note(&note, o, c->cuda);
    fflush(NULL);
    c->parent = getpid();
    c->child = note.failed || o->kernels.failed ? -1 : fork();
    if (c->child == 0) become_program(c, o, text_str(&note));
    text_fini(&note);
    close(c->status.out);
    close(c->errors.out);
    return c->child > 0 || error_run(e, "no process: %s", strerror(errno));
}

static void stop_program(struct capture_session *c)
{
    if (c->stopping) return;
    kill(c->child, SIGTERM);
    c->stopping = 1;
}

/* Only the program itself counts: its children may live on and keep the pipes open. */
static bool has_stopped(struct capture_session *c)
{
    if (!c->stopping) return false;
    if (++c->stopping == PATIENCE) kill(c->child, SIGKILL);
    c->ended = waitpid(c->child, &c->exit, WNOHANG) == c->child;
    return c->ended;
}

static void hear_status(struct capture_session *c, const char *line)
{
    if (strncmp(line, "loaded", 6) == 0) c->loaded++;
    if (strncmp(line, "done", 4) == 0) c->done++;
    if (strncmp(line, "done failed", 11) == 0) c->told = true;
    if (c->failure.kind != ERROR_NONE) return;
    if (strncmp(line, "start ", 6) == 0)
        error_input(&c->failure, "%s: cannot be started: %s", c->app, line + 6);
    if (strncmp(line, "error ", 6) != 0) return;
    const char *text = line + 6;
    size_t own = strlen(c->trace);
    if (strncmp(text, c->trace, own) == 0) /* the user does not know the temporary folder */
        error_run(&c->failure, "%s%s", c->output, text + own);
    else
        error_run(&c->failure, "%s", text);
    stop_program(c); /* nothing after this point is recorded */
}

/* If Oclgrind aborts a kernel, the trace is incomplete, even if the program succeeds. */
static void hear_errors(struct capture_session *c, const char *line)
{
    const char *hint = strstr(line, "Undefined external function: llvm.")
                           ? "; the environment OCLGRIND_BUILD_OPTIONS=-cl-opt-disable may help"
                           : "";
    if (c->gave_up)
        error_run(&c->failure, "Oclgrind gave up: %s; no trace was written%s", line, hint);
    c->gave_up = strstr(line, "OCLGRIND FATAL ERROR") != NULL;
    const char *reason = strstr(line, "Loading Oclgrind plugin failed");
    if (reason && c->failure.kind == ERROR_NONE) error_run(&c->failure, "%s", reason);
}

static void split_lines(struct capture_session *c, struct lines *l, const char *bytes, size_t n,
                        void (*hear)(struct capture_session *, const char *))
{
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != '\n') {
            text_add_bytes(&l->line, &bytes[i], 1);
            continue;
        }
        hear(c, text_str(&l->line));
        text_fini(&l->line);
    }
}

/* false: the other end of the pipe is closed. */
static bool take_lines(struct capture_session *c, struct lines *l)
{
    char bytes[4096];
    bool is_status = l == &c->status;
    ssize_t n = read(l->in, bytes, sizeof bytes);
    if (n <= 0) return false;
    if (!is_status) fwrite(bytes, 1, (size_t)n, stderr);
    split_lines(c, l, bytes, (size_t)n, is_status ? hear_status : hear_errors);
    return true;
}

/* Reads until the program and all its children have closed both pipes. */
static void listen_to(struct capture_session *c)
{
    struct lines *const line[] = {&c->status, &c->errors};
    struct pollfd fd[] = {{.fd = c->status.in, .events = POLLIN},
                          {.fd = c->errors.in, .events = POLLIN}};
    while (!has_stopped(c) && (fd[0].fd >= 0 || fd[1].fd >= 0)) {
        int ready = poll(fd, 2, POLL_MS);
        for (int i = 0; ready > 0 && i < 2; i++)
            if (fd[i].revents && !take_lines(c, line[i])) fd[i].fd = -1;
        if (plumb_interrupted) stop_program(c);
    }
    close(c->status.in);
    close(c->errors.in);
}

static bool ended_well(const struct capture_session *c, int status, struct error *e)
{
    const char *app = c->app;
    if (plumb_interrupted) {
        error_run(e, "interrupted; no trace was written");
        e->kind = ERROR_INTERRUPTED;
        return false;
    }
    if (c->failure.kind != ERROR_NONE) {
        *e = c->failure;
        return false;
    }
    bool whole = c->done == 1 && c->loaded == 1; /* the trace says how the program ended */
    if (WIFSIGNALED(status) && !whole)
        return error_run(e, "%s was killed by signal %d; no trace was written", app,
                         WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0 && !whole)
        return error_run(e, "%s failed with exit status %d; no trace was written", app,
                         WEXITSTATUS(status));
    if (c->loaded == 0 && c->cuda)
        return error_run(e, "%s called nothing of CUDA; no trace was written", app);
    if (c->loaded == 0)
        return error_run(e,
                         "%s used no OpenCL device of Oclgrind with our plugin; the program must "
                         "take its platform from the OpenCL loader (libOpenCL.so.1)",
                         app);
    if (c->done == 0)
        return error_run(e, "%s ended without letting the trace be written (by _exit?)", app);
    if (c->loaded > 1)
        return error_run(e, "%s ran OpenCL in %u processes; one can be captured", app, c->loaded);
    return true;
}

static bool check_trace(const struct capture_session *c, struct error *e)
{
    struct program *p = program_open(c->trace, &(struct program_opts){0}, e);
    bool ok = p && program_verify(p, e);
    program_close(p);
    return ok;
}

static bool record_trace(struct capture_session *c, const struct capture_request *o,
                         struct error *e)
{
    struct stat st;
    if (stat(o->output, &st) == 0 && !S_ISREG(st.st_mode))
        return error_input(e, "%s: is no regular file; a trace takes the place of one", o->output);
    c->cuda = capture_is_cuda(o->app[0]);
    if (!c->cuda && !capture_find(&c->parts, e)) return false;
    if (!make_folder(c, o->output, e)) return false;
    if (!start_program(c, o, e)) return false;
    listen_to(c);
    while (!c->ended && waitpid(c->child, &c->exit, 0) < 0 && errno == EINTR)
        ;
    if (!ended_well(c, c->exit, e) || !check_trace(c, e)) return false;
    if (c->exit != 0 && !c->told) /* it was not the program's own process that failed */
        cli_say("warning: %s failed after its kernels had run; the trace is kept", c->app);
    return rename(c->trace, o->output) == 0 ||
           error_run(e, "%s: cannot be written: %s", o->output, strerror(errno));
}

static bool is_list(bool read(struct launch_choice *, const char *), const char *list)
{
    struct launch_choice c = {0};
    bool ok = read(&c, list);
    launch_choice_fini(&c);
    return ok;
}

bool capture_is_launches(const char *list)
{
    return is_list(launch_choice_launches, list);
}

bool capture_is_ctas(const char *list)
{
    return is_list(launch_choice_ctas, list);
}

bool capture_run(const struct capture_request *r, struct error *e)
{
    struct capture_session c = {.app = r->app[0], .output = r->output};
    bool ok = record_trace(&c, r, e);
    remove_folder(&c);
    capture_parts_fini(&c.parts);
    mem_free(c.folder);
    mem_free(c.trace);
    text_fini(&c.status.line);
    text_fini(&c.errors.line);
    return ok;
}

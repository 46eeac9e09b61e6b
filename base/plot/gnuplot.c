/* gnuplot.c - see gnuplot.h. The script is gnuplot's standard input and the picture its standard
 * output; both are temporary files, so that neither side waits for the other. */
#include "base/plot/gnuplot.h"

#include "base/io/file.h"
#include "base/shown.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const double PNG_SCALE = 2.5;

extern char **environ;

/* In double quotes, in which a number stands for each character that means something there (between
 * single quotes, gnuplot takes a text that begins with a quote for two). percent: it is doubled,
 * for ticks, where it begins a format. */
static void add_quoted(struct text *script, const char *s, int most, bool percent)
{
    size_t n = strlen(s), room = n > (size_t)most ? (size_t)most - 3 : n, at = 0, step;
    uint32_t code;
    bool shown;
    text_add(script, "\"");
    for (; s[at] && at + (step = shown_step(s + at, &code, &shown)) <= room; at += step) {
        if (percent && s[at] == '%') text_add(script, "%%");
        if (strchr("\"\\`", s[at]))
            text_add(script, "\\%03o", (unsigned)(unsigned char)s[at]);
        else
            text_add_bytes(script, shown ? s + at : "?", shown ? step : 1);
    }
    text_add(script, s[at] ? "...\"" : "\"");
}

void gnuplot_string(struct text *script, const char *set, const char *s, int most)
{
    text_add(script, "%s ", set);
    add_quoted(script, s, most, false);
}

void gnuplot_tick(struct text *script, char axis, const char *s, int most, double at)
{
    text_add(script, "set %ctics add (", axis);
    add_quoted(script, s, most, true);
    text_add(script, " %.10g)\n", at);
}

static void add_terminal(FILE *in, enum chart_format format, int width, int height)
{
    switch (format) {
    case CHART_SVG:
        fprintf(
            in,
            "set terminal svg noenhanced size %d,%d font 'sans-serif,10.5' background '#ffffff'\n",
            width, height);
        break;
    case CHART_PNG:
        fprintf(in,
                "set terminal pngcairo noenhanced size %g,%g font 'sans-serif,8' fontscale %g"
                " linewidth %g pointscale %g\n",
                width * PNG_SCALE, height * PNG_SCALE, PNG_SCALE, PNG_SCALE, PNG_SCALE);
        break;
    }
    fputs("set encoding utf8\n", in);
}

/* What waitpid says of gnuplot; -1: it could not be started. */
static int run(FILE *in, FILE *out)
{
    char *word[] = {"gnuplot", NULL};
    posix_spawn_file_actions_t to;
    pid_t child;
    int status = -1;
    if (posix_spawn_file_actions_init(&to)) return -1;
    posix_spawn_file_actions_adddup2(&to, fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&to, fileno(out), STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&to, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawnp(&child, word[0], &to, NULL, word, environ) == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
    posix_spawn_file_actions_destroy(&to);
    return status;
}

static bool keep(FILE *picture, const char *path, struct error *e)
{
    char part[65536];
    struct outfile *f = outfile_open(path, e);
    if (!f) return false;
    rewind(picture);
    for (size_t n; (n = fread(part, 1, sizeof part, picture)) > 0;)
        outfile_write(f, part, n);
    if (!ferror(picture)) return outfile_commit(f, e);
    error_run(e, "%s: the picture cannot be read back: %s", path, strerror(errno));
    outfile_abort(f);
    return false;
}

static bool draw(FILE *in, FILE *out, const char *path, struct error *e)
{
    if (fflush(in) || ferror(in) || fseek(in, 0, SEEK_SET))
        return error_run(e, "%s: %s", path, strerror(errno));
    int status = run(in, out);
    if (status == 0) return keep(out, path, e);
    if (status > 0 && WIFSIGNALED(status))
        return error_run(e, "%s: signal %d ended gnuplot", path, WTERMSIG(status));
    if (status > 0 && WEXITSTATUS(status) != 127)
        return error_run(e, "%s: gnuplot failed with status %d", path, WEXITSTATUS(status));
    return error_input(e, "%s: gnuplot, which draws charts, is not there; install gnuplot-nox",
                       path);
}

bool gnuplot_draw(const struct text *script, int width, int height, enum chart_format format,
                  const char *path, struct error *e)
{
    if (script->failed) return error_no_memory(e);
    FILE *in = tmpfile(), *out = tmpfile();
    bool ok = in && out;
    if (ok) {
        add_terminal(in, format, width, height);
        fwrite(script->s, 1, script->len, in);
        ok = draw(in, out, path, e);
    } else
        error_run(e, "%s: no temporary file: %s", path, strerror(errno));
    if (in) fclose(in);
    if (out) fclose(out);
    return ok;
}

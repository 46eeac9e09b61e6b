/* instream.c - see file.h: lines from a file that may be compressed. `text` holds unpacked bytes
 * from `at` (the next line's start) to `end`; if it contains no whole line, the rest moves to its
 * front and the unpacker appends more. It grows only up to the longest line allowed. */
#include "base/io/file.h"

#include "base/io/plain_text.h"
#include "base/io/unpack.h"
#include "base/memory/alloc.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { INPUT_BYTES = 64 * 1024, TEXT_BYTES = 64 * 1024, LINE_MAX_BYTES = 1024 * 1024 };

struct instream {
    char *path;
    int fd;
    const struct unpack_ops *ops;
    void *state;
    unsigned char *input;
    size_t in_at, in_end;
    bool input_over, text_over;
    char *text;
    size_t at, end, cap;
    uint64_t line;
    size_t idle; /* bytes of the lines since the last useful one */
};

/* Appends to the input buffer, which must have room. */
static bool read_some(struct instream *s, struct error *e)
{
    ssize_t got;
    do {
        got = read(s->fd, s->input + s->in_end, INPUT_BYTES - s->in_end);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return error_run(e, "%s: cannot be read: %s", s->path, strerror(errno));
    s->in_end += (size_t)got;
    s->input_over = got == 0;
    return true;
}

static bool start_stream(struct instream *s, const char *path, struct error *e)
{
    s->path = mem_strdup(path);
    s->input = mem_new(INPUT_BYTES, 1);
    if (!s->path || !s->input || !mem_grow(&s->text, &s->cap, TEXT_BYTES, 1))
        return error_no_memory(e);
    s->fd = file_open_to_read(s->path, FILE_OR_PIPE, e);
    if (s->fd < 0) return false;
    while (s->in_end < UNPACK_MAGIC_MAX && !s->input_over)
        if (!read_some(s, e)) return false;
    if (s->in_end == 0 && !file_may_be_empty(s->fd, path, e)) return false;
    s->ops = unpack_for(s->input, s->in_end);
    s->state = s->ops->start();
    return s->state || error_no_memory(e);
}

struct instream *instream_open(const char *path, struct error *e)
{
    struct instream *s = mem_new(1, sizeof *s);
    if (!s) {
        error_no_memory(e);
        return NULL;
    }
    s->fd = -1;
    if (start_stream(s, path, e)) return s;
    instream_close(s);
    return NULL;
}

static bool unpack_error(const struct instream *s, enum unpack_verdict v, struct error *e)
{
    if (v == UNPACK_NO_MEMORY) return error_no_memory(e);
    return error_input(e, "%s: the %s archive is %s", s->path, s->ops->name,
                       v == UNPACK_TRUNCATED ? "truncated" : "corrupt");
}

/* Makes room for more text: moves the unread rest to the front, and doubles the buffer if that is
 * not enough. */
static bool make_room(struct instream *s, struct error *e)
{
    memmove(s->text, s->text + s->at, s->end - s->at);
    s->end -= s->at;
    s->at = 0;
    if (s->end + 1 < s->cap) return true;
    if (s->end > LINE_MAX_BYTES)
        return error_input(e, "%s:%llu: the line is longer than 1 MiB", s->path,
                           (unsigned long long)s->line + 1);
    return mem_grow(&s->text, &s->cap, s->cap * 2, 1) || error_no_memory(e);
}

/* Unpacks more text, with one byte reserved for a NUL; sets text_over at the end. */
static bool more_text(struct instream *s, struct error *e)
{
    if (!make_room(s, e)) return false;
    if (s->in_at == s->in_end && !s->input_over) {
        s->in_at = s->in_end = 0;
        if (!read_some(s, e)) return false;
    }
    struct unpack_span span = {.in = s->input + s->in_at,
                               .in_end = s->input + s->in_end,
                               .out = (unsigned char *)s->text + s->end,
                               .out_end = (unsigned char *)s->text + s->cap - 1,
                               .last = s->input_over};
    enum unpack_verdict v = s->ops->step(s->state, &span);
    if (v != UNPACK_OK) return unpack_error(s, v, e);
    s->in_at = (size_t)(span.in - s->input);
    s->end = (size_t)(span.out - (unsigned char *)s->text);
    s->text_over = s->input_over && s->in_at == s->in_end && span.out < span.out_end;
    return true;
}

/* Takes the mark before the first line and the carriage return behind each away; NULL: it is no
 * text. */
static char *plain_line(struct instream *s, char *line, size_t *n, struct error *e)
{
    size_t mark = s->line == 1 ? plain_text_mark(line, *n) : 0;
    const char *why = plain_text_refusal(line, *n);
    if (why) {
        error_input(e, "%s:%llu: %s", s->path, (unsigned long long)s->line, why);
        return NULL;
    }
    *n -= mark;
    if (*n > 0 && line[mark + *n - 1] == '\r') (*n)--;
    line[mark + *n] = '\0';
    return line + mark;
}

char *instream_line(struct instream *s, size_t *len, struct error *e)
{
    size_t searched = 0;
    char *newline;
    if (e) *e = (struct error){0};
    while (!(newline = memchr(s->text + s->at + searched, '\n', s->end - s->at - searched))) {
        searched = s->end - s->at;
        if (s->text_over) break;
        if (!more_text(s, e)) return NULL;
    }
    if (!newline && s->at == s->end) return NULL;
    char *line = s->text + s->at;
    size_t n = newline ? (size_t)(newline - line) : s->end - s->at;
    if (n > LINE_MAX_BYTES) {
        error_input(e, "%s:%llu: the line is longer than 1 MiB", s->path,
                    (unsigned long long)s->line + 1);
        return NULL;
    }
    s->at += newline ? n + 1 : n;
    s->line++;
    s->idle += n + 1;
    if (s->idle > INSTREAM_IDLE_MAX) {
        error_input(e,
                    "%s:%llu: the %d MiB before this line have nothing to be run; empty lines, "
                    "comments and headers take less",
                    s->path, (unsigned long long)s->line, INSTREAM_IDLE_MAX >> 20);
        return NULL;
    }
    line = plain_line(s, line, &n, e);
    if (len) *len = n;
    return line;
}

void instream_useful(struct instream *s)
{
    s->idle = 0;
}

uint64_t instream_line_number(const struct instream *s)
{
    return s->line;
}

void instream_close(struct instream *s)
{
    if (!s) return;
    if (s->state) s->ops->stop(s->state);
    if (s->fd >= 0) close(s->fd);
    mem_free(s->path);
    mem_free(s->input);
    mem_free(s->text);
    mem_free(s);
}

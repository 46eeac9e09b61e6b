/* conf_source.c - see conf_source.h. */
#include "base/text/conf_source.h"

#include "base/io/file.h"
#include "base/io/plain_text.h"
#include "base/memory/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The file being read. */
struct conf_lexer {
    struct conf_source *s;
    struct error *e;
    const char *p;         /* the next character */
    struct conf_origin at; /* of p */
    uint32_t outside;      /* number of open brackets at the beginning of the file */
    bool may_include;
};

static bool read_file(struct conf_source *s, const char *path, const struct conf_origin *from,
                      struct error *e);

static void put_bytes(struct conf_lexer *r, const char *bytes, size_t n)
{
    text_add_bytes(&r->s->text, bytes, n);
}

static bool note_fault(const struct conf_lexer *r, const char *what)
{
    return error_input(r->e, "%s:%u: %s", r->at.file, r->at.line, what);
}

/* --- lines and pieces --- */

/* Records the origin of the piece's next line. */
static bool mark_line(struct conf_lexer *r)
{
    struct conf_source *s = r->s;
    if (!mem_grow(&s->origin, &s->origin_cap, s->lines + 1, sizeof *s->origin))
        return error_no_memory(r->e);
    s->origin[s->lines++] = r->at;
    return true;
}

static bool new_line(struct conf_lexer *r)
{
    put_bytes(r, "\n", 1);
    return mark_line(r);
}

static bool end_piece(struct conf_source *s, struct error *e)
{
    if (s->text.failed) return error_no_memory(e);
    if (s->lines > 0 && !s->piece(s->ctx, s, e)) return false;
    text_fini(&s->text);
    s->lines = 0;
    return true;
}

struct conf_origin conf_source_origin(const struct conf_source *s, uint32_t line)
{
    if (line < 1) line = 1;
    if (line > s->lines) line = (uint32_t)s->lines;
    return s->origin[line - 1];
}

/* --- numbers --- */

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '*';
}

static bool starts_number(const char *p)
{
    if (*p == '+' || *p == '-') p++;
    if (*p == '.') p++;
    return isdigit((unsigned char)*p);
}

/* The number's end; *real: whether it is a real. *point: where libconfig 1.5 requires a '.' that is
 * missing. */
static const char *number_end(const char *p, bool *hex, bool *real, const char **point)
{
    *hex = *real = false;
    *point = NULL;
    if (*p == '+' || *p == '-') p++;
    *hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && isxdigit((unsigned char)p[2]);
    if (*hex) {
        for (p += 2; isxdigit((unsigned char)*p); p++)
            ;
        return p;
    }
    for (; isdigit((unsigned char)*p) || (*p == '.' && !*real); p++)
        if (*p == '.') *real = true;
    if (*p != 'e' && *p != 'E') return p;
    const char *power = p + 1 + (p[1] == '+' || p[1] == '-');
    if (!isdigit((unsigned char)*power)) return p;
    if (!*real) *point = p;
    *real = true;
    while (isdigit((unsigned char)*power))
        power++;
    return power;
}

static bool put_integer(struct conf_lexer *r, const char *end, bool hex)
{
    char *stop;
    errno = 0;
    long long v = strtoll(r->p, &stop, hex ? 16 : 10);
    if (errno == ERANGE)
        return error_input(r->e, "%s:%u: %.*s is out of range; integers have 64 bits", r->at.file,
                           r->at.line, (int)(end - r->p < 40 ? end - r->p : 40), r->p);
    text_add(&r->s->text, "%lldL", v);
    return true;
}

static bool put_real(struct conf_lexer *r, const char *end, const char *point)
{
    if (!isfinite(strtod(r->p, NULL))) return note_fault(r, "the number is too large for a double");
    put_bytes(r, r->p, (size_t)((point ? point : end) - r->p));
    if (point) {
        put_bytes(r, ".0", 2);
        put_bytes(r, point, (size_t)(end - point));
    }
    return true;
}

static bool read_number(struct conf_lexer *r)
{
    bool hex, real;
    const char *point, *end = number_end(r->p, &hex, &real, &point), *next = end;
    if (!real)
        for (int i = 0; i < 2 && *next == 'L'; i++)
            next++;
    if (in_name(*next) || *next == '.') {
        for (end = next; in_name(*end) || *end == '.'; end++)
            ;
        return error_input(
            r->e,
            "%s:%u: %.*s is not a number; numbers are written without a unit, but for sizes, which "
            "then are strings: \"32KB\"",
            r->at.file, r->at.line, (int)(end - r->p < 40 ? end - r->p : 40), r->p);
    }
    if (!(real ? put_real(r, end, point) : put_integer(r, end, hex))) return false;
    r->p = next;
    return true;
}

/* --- strings, comments, brackets, names --- */

static bool read_string(struct conf_lexer *r)
{
    const char *q = r->p + 1;
    for (; *q && *q != '"' && *q != '\n'; q++)
        if (*q == '\\' && q[1] && q[1] != '\n') q++;
    if (*q != '"') return note_fault(r, "the string is not closed on its line");
    put_bytes(r, r->p, (size_t)(q + 1 - r->p));
    r->p = q + 1;
    return true;
}

static bool line_comment(struct conf_lexer *r)
{
    r->p += strcspn(r->p, "\n");
    return true;
}

static bool block_comment(struct conf_lexer *r)
{
    struct conf_origin start = r->at;
    for (r->p += 2; r->p[0] != '*' || r->p[1] != '/'; r->p++) {
        if (!*r->p)
            return error_input(r->e, "%s:%u: the comment is not closed", start.file, start.line);
        if (*r->p != '\n') continue;
        r->at.line++;
        if (!new_line(r)) return false;
    }
    r->p += 2;
    put_bytes(r, " ", 1);
    return true;
}

static bool open_bracket(struct conf_lexer *r)
{
    struct conf_source *s = r->s;
    if (s->brackets == CONF_NESTING_MAX) return note_fault(r, "brackets nest deeper than 64");
    s->bracket[s->brackets++] = (struct conf_bracket){.at = r->at, .open = *r->p};
    put_bytes(r, *r->p == '{' ? "{" : "(", 1);
    r->p++;
    return true;
}

static char closing_bracket(char open)
{
    if (open == '{') return '}';
    return open == '[' ? ']' : ')';
}

static bool close_bracket(struct conf_lexer *r)
{
    struct conf_source *s = r->s;
    if (s->brackets == r->outside)
        return error_input(r->e, "%s:%u: '%c' closes nothing in this file", r->at.file, r->at.line,
                           *r->p);
    const struct conf_bracket *b = &s->bracket[--s->brackets];
    if (*r->p != closing_bracket(b->open))
        return error_input(r->e, "%s:%u: '%c' does not close the '%c' of line %u", r->at.file,
                           r->at.line, *r->p, b->open, b->at.line);
    put_bytes(r, b->open == '{' ? "}" : ")", 1);
    r->p++;
    return true;
}

static bool read_name(struct conf_lexer *r)
{
    const char *q = r->p;
    while (in_name(*q))
        q++;
    put_bytes(r, r->p, (size_t)(q - r->p));
    r->p = q;
    if (r->s->names++ < CONF_NAMES_MAX) return true;
    return note_fault(r, "more than 8192 names; no configuration has so many");
}

/* --- includes --- */

static char *path_beside(const char *file, const char *include)
{
    const char *slash = strrchr(file, '/');
    if (!slash) return mem_strdup(include);
    size_t dir = (size_t)(slash - file) + 1, n = strlen(include);
    char *path = mem_new(dir + n + 1, 1);
    if (!path) return NULL;
    memcpy(path, file, dir);
    memcpy(path + dir, include, n);
    return path;
}

/* The path of the first place where `include` exists; NULL with *e filled. */
static char *find_include(struct conf_lexer *r, const char *include)
{
    char *path = include[0] == '/' ? mem_strdup(include) : path_beside(r->at.file, include);
    const char *const *dir = include[0] == '/' ? NULL : r->s->include_dirs;
    for (; path && !file_may_exist(path) && dir && *dir; dir++) {
        mem_free(path);
        path = file_join(*dir, include);
    }
    if (!path) {
        error_no_memory(r->e);
    } else if (!file_may_exist(path)) {
        mem_free(path);
        path = NULL;
        error_input(r->e,
                    "%s:%u: there is no file \"%s\" to include, beside this file or in the "
                    "folders of configurations",
                    r->at.file, r->at.line, include);
    }
    return path;
}

static bool include_file(struct conf_lexer *r, const char *include)
{
    struct conf_source *s = r->s;
    bool top = s->brackets == 0;
    if (top && !end_piece(s, r->e)) return false;
    char *path = find_include(r, include);
    bool ok = path && read_file(s, path, &r->at, r->e);
    mem_free(path);
    if (ok && top) ok = end_piece(s, r->e);
    return ok && (top ? mark_line(r) : new_line(r));
}

/* Precondition: p is at an '@'. */
static bool read_directive(struct conf_lexer *r)
{
    static const char word[] = "@include";
    const char *q = r->p + sizeof word - 1;
    if (strncmp(r->p, word, sizeof word - 1) != 0)
        return note_fault(r, "an '@' begins @include \"FILE\" only");
    if (!r->may_include) return note_fault(r, "@include is not possible here");
    q += strspn(q, " \t");
    size_t n = *q == '"' ? strcspn(q + 1, "\"\n") : 0;
    if (n == 0 || q[n + 1] != '"')
        return note_fault(r, "@include is followed by a file name in quotes");
    char *file = mem_new(n + 1, 1);
    if (!file) return error_no_memory(r->e);
    memcpy(file, q + 1, n);
    bool ok = include_file(r, file);
    mem_free(file);
    r->p = q + n + 2;
    return ok;
}

/* --- the pass --- */

static bool read_token(struct conf_lexer *r)
{
    char c = *r->p;
    if (c == '"') return read_string(r);
    if (c == '#' || (c == '/' && r->p[1] == '/')) return line_comment(r);
    if (c == '/' && r->p[1] == '*') return block_comment(r);
    if (c == '@') return read_directive(r);
    if (strchr("{[(", c)) return open_bracket(r);
    if (strchr("}])", c)) return close_bracket(r);
    if (isalpha((unsigned char)c) || c == '*') return read_name(r);
    if (starts_number(r->p)) return read_number(r);
    r->p++;
    if (c == '\n') {
        r->at.line++;
        return new_line(r);
    }
    put_bytes(r, &c, 1);
    return true;
}

static bool read_text(struct conf_source *s, const char *text, const char *name_of_file,
                      bool may_include, struct error *e)
{
    struct conf_lexer r = {.s = s,
                           .e = e,
                           .p = text,
                           .at = {.file = arena_strdup(s->arena, name_of_file), .line = 1},
                           .outside = s->brackets,
                           .may_include = may_include};
    if (!r.at.file) return error_no_memory(e);
    if (!(s->lines ? new_line(&r) : mark_line(&r))) return false;
    while (*r.p)
        if (!read_token(&r)) return false;
    if (s->brackets == r.outside) return true;
    const struct conf_bracket *b = &s->bracket[s->brackets - 1];
    return error_input(e, "%s:%u: this '%c' is never closed", b->at.file, b->at.line, b->open);
}

/* Enters a file, unless it is being read already; `from`: position of the include, NULL for the
 * first file. */
static bool enter_file(struct conf_source *s, const char *path, const struct conf_origin *from,
                       struct error *e)
{
    struct stat st = {0};
    if (stat(path, &st) != 0)
        return error_input(e, "%s: cannot be opened: %s", path, strerror(errno));
    for (uint32_t i = 0; from && i < s->open_files; i++)
        if (s->open_file[i].device == st.st_dev && s->open_file[i].inode == st.st_ino)
            return error_input(e, "%s:%u: %s includes itself through this line", from->file,
                               from->line, path);
    if (from && s->open_files == CONF_INCLUDES_MAX)
        return error_input(e, "%s:%u: includes nest deeper than %d", from->file, from->line,
                           CONF_INCLUDES_MAX);
    s->open_file[s->open_files++] = (struct conf_open_file){st.st_dev, st.st_ino};
    return true;
}

static bool read_file(struct conf_source *s, const char *path, const struct conf_origin *from,
                      struct error *e)
{
    char *bytes;
    size_t n;
    if (!enter_file(s, path, from, e)) return false;
    if (!file_read_upto(path, from ? CONF_BYTES_MAX : FILE_TABLE_MAX, &bytes, &n, e)) return false;
    if (from) s->bytes += n > CONF_PAGE_BYTES ? n : CONF_PAGE_BYTES;
    if (s->bytes > CONF_BYTES_MAX) {
        mem_free(bytes);
        return error_input(e, "%s:%u: more than %d MiB are included; no configuration is so large",
                           from->file, from->line, CONF_BYTES_MAX >> 20);
    }
    bool ok = read_text(s, bytes, path, true, e);
    mem_free(bytes);
    s->open_files--;
    return ok;
}

bool conf_source_file(struct conf_source *s, const char *path, struct error *e)
{
    return read_file(s, path, NULL, e) && end_piece(s, e);
}

bool conf_source_text(struct conf_source *s, const char *text, const char *name_of_text,
                      struct error *e)
{
    char *own = mem_strdup(text);
    if (!own) return error_no_memory(e);
    own[plain_text_clean(own, strlen(own))] = '\0';
    bool ok = read_text(s, own, name_of_text, false, e) && end_piece(s, e);
    mem_free(own);
    return ok;
}

void conf_source_fini(struct conf_source *s)
{
    text_fini(&s->text);
    mem_free(s->origin);
    s->origin = NULL;
}

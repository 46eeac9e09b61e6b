/* option_list.c - see option_list.h. */
#include "gpu/machine/import/option_list.h"

#include "base/memory/alloc.h"
#include "base/text/text.h"

#include <ctype.h>
#include <string.h>

enum { OPTIONS_MOST = 4096, WORD_MOST = 1024, SHOWN_MOST = 60 };

struct option_reader {
    const char *s, *file;
    uint32_t line;
    struct errors *all;
};

static void skip_blanks(struct option_reader *r)
{
    for (; *r->s && (isspace((unsigned char)*r->s) || *r->s == '#'); r->s += *r->s != '\0') {
        if (*r->s == '#') r->s += strcspn(r->s, "\n");
        r->line += *r->s == '\n';
    }
}

/* The next word into `word`; *quoted: it stood in quotes.  false: the end, or a fault was told. */
static bool next_word(struct option_reader *r, char word[WORD_MOST], bool *quoted)
{
    skip_blanks(r);
    if (!*r->s) return false;
    *quoted = *r->s == '"';
    const char *from = r->s + *quoted, *to = from;
    if (*quoted)
        to += strcspn(from, "\"");
    else
        while (*to && !isspace((unsigned char)*to) && *to != '#' && *to != '"')
            to++;
    size_t n = (size_t)(to - from);
    if ((*quoted && !*to) || n >= WORD_MOST) {
        errors_add(r->all, "%s:%u: %s", r->file, r->line,
                   n >= WORD_MOST ? "a value of 1,024 characters or more; shorter ones are allowed"
                                  : "a quotation mark has no counterpart");
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        word[i] = isspace((unsigned char)from[i]) ? ' ' : from[i];
        r->line += from[i] == '\n';
    }
    word[n] = '\0';
    r->s = to + *quoted;
    return true;
}

/* Option names begin with a letter, so that -1 is a value. */
static bool is_key(const char *word, bool quoted)
{
    return !quoted && word[0] == '-' && isalpha((unsigned char)word[1]);
}

static bool grow(struct option_list *l)
{
    if (l->n < l->room) return true;
    uint32_t room = l->room ? 2 * l->room : 256;
    struct option *at = arena_new(&l->arena, room, sizeof *at);
    if (!at) return false;
    if (l->n) memcpy(at, l->at, l->n * sizeof *at);
    l->at = at;
    l->room = room;
    return true;
}

static bool keep(struct option_list *l, const char *key, const char *value, uint32_t line,
                 const char *file)
{
    const char *name = option_present_name(key);
    struct option *o = option_list_find(l, name);
    if (!o) {
        if (l->n >= OPTIONS_MOST || !grow(l)) return false;
        o = &l->at[l->n++];
        *o = (struct option){.key = arena_strdup(&l->arena, name)};
    }
    o->spelled = strcmp(name, key) == 0 ? o->key : arena_strdup(&l->arena, key);
    o->value = arena_strdup(&l->arena, value);
    o->file = arena_strdup(&l->arena, file);
    o->line = line;
    return o->key && o->spelled && o->value && o->file;
}

static bool fault(struct option_reader *r, uint32_t line, const char *word, const char *what)
{
    errors_add(r->all, "%s:%u: %.*s: %s", r->file, line, SHOWN_MOST, word, what);
    return false;
}

bool option_list_parse(struct option_list *l, const char *text, const char *file,
                       struct errors *all)
{
    struct option_reader r = {.s = text, .file = file, .line = 1, .all = all};
    char key[WORD_MOST], value[WORD_MOST];
    uint32_t before = all->n;
    bool quoted;
    while (next_word(&r, key, &quoted)) {
        uint32_t line = r.line;
        if (!is_key(key, quoted))
            return fault(&r, line, key, "no option; lines -key value are allowed");
        if (!next_word(&r, value, &quoted))
            return all->n == before ? fault(&r, line, key, "the value is missing") : false;
        if (is_key(value, quoted)) return fault(&r, line, key, "the value is missing");
        if (!keep(l, key + 1, value, line, file))
            return fault(&r, line, key, "no memory for another option");
    }
    return all->n == before;
}

struct option *option_list_find(const struct option_list *l, const char *key)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (strcmp(l->at[i].key, key) == 0) return &l->at[i];
    return NULL;
}

void option_list_fini(struct option_list *l)
{
    arena_fini(&l->arena);
    *l = (struct option_list){0};
}

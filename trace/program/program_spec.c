/* program_spec.c - see program_spec.h. */
#include "trace/program/program_spec.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"

#include <ctype.h>
#include <string.h>

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether the word of n characters is NAME=VALUE. */
static bool is_parameter(const char *word, size_t n)
{
    size_t name = 0;
    while (name < n && is_name_char(word[name]))
        name++;
    return name > 0 && name < n && word[name] == '=';
}

static size_t name_length(const char *spec)
{
    size_t end = strlen(spec);
    if (file_may_exist(spec)) return end;
    for (;;) {
        size_t stop = end, start;
        while (stop > 0 && spec[stop - 1] == ' ')
            stop--;
        for (start = stop; start > 0 && spec[start - 1] != ' ';)
            start--;
        if (start == 0 || !is_parameter(spec + start, stop - start)) return stop;
        end = start;
    }
}

char *program_spec_name(const char *spec)
{
    size_t n = name_length(spec);
    char *name = mem_new(n + 1, 1);
    if (name) memcpy(name, spec, n);
    return name;
}

const char *program_spec_params(const char *spec)
{
    const char *params = spec + name_length(spec);
    return params + strspn(params, " ");
}

bool program_spec_each(const char *params, program_spec_reader *f, void *ctx, struct error *e)
{
    char *copy = mem_strdup(params), *rest = NULL;
    bool ok = copy || error_no_memory(e);
    for (char *word = ok ? strtok_r(copy, " ", &rest) : NULL; word && ok;
         word = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        ok = f(word, equals + 1, ctx);
    }
    mem_free(copy);
    return ok;
}

/* importer.c - see importer.h. */
#include "gpu/machine/import/importer.h"

#include "base/text/quote.h"
#include "base/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE_MOST = 256, WHY_MOST = 512, COMMENT_COLUMN = 34 };

static const struct option missing = {
    .key = "", .spelled = "", .value = "", .fate = OPTION_CARRIED};

const struct option *importer_take(struct machine_importer *im, const char *key, const char *dflt)
{
    struct option *o = option_list_find(&im->options, key);
    if (o) {
        if (o->fate == OPTION_UNREAD) o->fate = OPTION_CARRIED;
        return o;
    }
    if (!dflt) {
        errors_add(im->all, "-%s is missing, and GPGPU-Sim has no default for it", key);
        return &missing;
    }
    o = arena_new(&im->options.arena, 1, sizeof *o);
    if (!o) return &missing;
    *o = (struct option){.key = key, .spelled = key, .value = dflt, .fate = OPTION_CARRIED};
    return o;
}

static bool was_told(const struct errors *all, const char *line)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (strcmp(all->item[i].text, line) == 0) return true;
    return false;
}

/* An option that several values follow from is read several times. */
void importer_fault(struct machine_importer *im, const struct option *o, const char *fmt, ...)
{
    char what[512];
    va_list args;
    if (o == &missing) return; /* it was told of */
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    struct text shown = {0};
    if (o->file)
        text_add_shown(&shown, "%s:%u: -%s: %s", o->file, o->line, o->spelled, what);
    else
        text_add_shown(&shown, "-%s (GPGPU-Sim's default): %s", o->key, what);
    if (!was_told(im->all, text_str(&shown))) errors_add(im->all, "%s", text_str(&shown));
    text_fini(&shown);
}

uint64_t importer_whole(struct machine_importer *im, const char *key, const char *dflt, uint64_t lo,
                        uint64_t hi)
{
    const struct option *o = importer_take(im, key, dflt);
    const char *s = o->value;
    uint64_t v;
    if (text_whole(&s, 10, &v) && !*s && v >= lo && v <= hi) return v;
    importer_fault(im, o, "%.60s; a whole number from %llu to %llu is allowed", o->value,
                   (unsigned long long)lo, (unsigned long long)hi);
    return lo;
}

bool importer_flag(struct machine_importer *im, const char *key, const char *dflt)
{
    return importer_whole(im, key, dflt, 0, 1) == 1;
}

uint32_t importer_numbers(struct machine_importer *im, const struct option *o, char mark,
                          uint32_t most, double *v)
{
    const char *s = o->value;
    uint32_t n = 0;
    for (; n < most; s++) {
        char *end;
        bool digit = s[strspn(s, " ")] >= '0' && s[strspn(s, " ")] <= '9';
        double number = digit ? strtod(s, &end) : 0;
        if (!digit || !(number >= 0 && number <= 1e9)) break;
        v[n++] = number;
        s = end + strspn(end, " ");
        if (*s != mark) break;
    }
    if (n > 0 && !*s) return n;
    importer_fault(im, o, "%.60s; at most %u numbers with '%c' between them are allowed", o->value,
                   most, mark);
    return 0;
}

void importer_replaces(struct machine_importer *im, const struct option *o, const char *why)
{
    struct option *own = option_list_find(&im->options, o->key);
    if (!own) return;
    own->fate = OPTION_REPLACED;
    if (own->why && strcmp(own->why, why) != 0) {
        char both[WHY_MOST];
        snprintf(both, sizeof both, "%s; %s", own->why, why);
        own->why = arena_strdup(&im->options.arena, both);
    }
    if (!own->why) own->why = why;
}

/* --- writing ---------------------------------------------------------------------------------- */

static uint32_t depth_of(const char *group)
{
    uint32_t n = 0;
    for (; *group; group++)
        n += *group == '.';
    return n;
}

static void end_line(struct machine_importer *im, const struct option *o)
{
    text_add(im->out, "\n");
    if (im->line < IMPORT_LINES_MOST) im->origin[im->line] = o;
    im->line++;
}

static void change_group(struct machine_importer *im, const char *group)
{
    size_t common = 0;
    for (size_t i = 0; im->group[i] && im->group[i] == group[i]; i++)
        if (group[i] == '.') common = i + 1;
    uint32_t depth = depth_of(im->group), kept = 0;
    for (size_t i = 0; i < common; i++)
        kept += group[i] == '.';
    for (; depth > kept; depth--) {
        text_add(im->out, "%*s};", (int)(4 * (depth - 1)), "");
        end_line(im, NULL);
    }
    for (const char *s = group + common, *dot; (dot = strchr(s, '.')); s = dot + 1, depth++) {
        if (depth == 0) end_line(im, NULL);
        text_add(im->out, "%*s%.*s : {", (int)(4 * depth), "", (int)(dot - s), s);
        end_line(im, NULL);
    }
    snprintf(im->group, sizeof im->group, "%s", group);
}

void importer_close(struct machine_importer *im)
{
    change_group(im, "");
}

static void write_value(struct machine_importer *im, const struct param *p, const char *name,
                        const char *value, const struct option *o, const char *note)
{
    size_t from = im->out->len;
    text_add(im->out, "%*s%s = ", (int)(4 * depth_of(im->group)), "", name);
    if (p->type == PARAM_ENUM || p->type == PARAM_TEXT)
        quote_conf(im->out, value);
    else
        text_add(im->out, p->type == PARAM_LIST ? "[%s]" : "%s", value);
    text_add(im->out, ";");
    size_t width = im->out->len - from;
    if (note && !*note) {
        end_line(im, o);
        return;
    }
    if (o || note)
        text_add(im->out, "%*s# ", width < COMMENT_COLUMN ? (int)(COMMENT_COLUMN - width) : 1, "");
    if (o) text_add_shown(im->out, "%s-%s %s", o->file ? "" : "default of ", o->spelled, o->value);
    if (note) text_add_shown(im->out, "%s%s", o ? ": " : "", note);
    end_line(im, o);
}

void importer_set(struct machine_importer *im, const struct option *o, const char *note,
                  const char *path, const char *fmt, ...)
{
    char value[VALUE_MOST], group[sizeof im->group];
    const struct part *part;
    const struct param *p = machine_find_param(path, &part, NULL);
    const char *dot = strrchr(path, '.');
    struct text why = {0};
    va_list args;
    va_start(args, fmt);
    vsnprintf(value, sizeof value, fmt, args);
    va_end(args);
    if (o == &missing) return;
    if (!param_from_text(p, (char *)&im->scratch + part->offset, value, &why)) {
        static const struct option fixed = {.key = "import", .spelled = "import"};
        importer_fault(im, o ? o : &fixed, "%s: %s", path, text_str(&why));
    }
    text_fini(&why);
    snprintf(group, sizeof group, "%.*s", (int)(dot + 1 - path), path);
    change_group(im, group);
    write_value(im, p, dot + 1, value, o, note);
}

void importer_comment(struct machine_importer *im, const char *fmt, ...)
{
    char what[VALUE_MOST];
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    text_add_shown(im->out, "# %s", what);
    end_line(im, NULL);
}

/* report_page.c - assembles the HTML page, see report.h.  cmake/Embed.cmake embeds its parts. */
#include "sweeps/report/report.h"

#include <string.h>

#define PAGE_FILE(name) extern const char page_##name[], page_##name##_end[];
/* The scripts run in this order. */
#define SCRIPTS(S)  \
    S(data)         \
    S(stats)        \
    S(answers)      \
    S(state)        \
    S(theme)        \
    S(choices)      \
    S(scatter)      \
    S(parallel)     \
    S(rounds)       \
    S(effects)      \
    S(heat)         \
    S(stacks)       \
    S(roofline)     \
    S(explain)      \
    S(correlation)  \
    S(hardware)     \
    S(machine_file) \
    S(table)        \
    S(main)
#define SCRIPT_FILE(name) PAGE_FILE(js_##name)
PAGE_FILE(echarts)
PAGE_FILE(css)
PAGE_FILE(body)
SCRIPTS(SCRIPT_FILE)

#define ADD(out, name) text_add_bytes(out, page_##name, (size_t)(page_##name##_end - page_##name))

static void add_escaped(struct text *out, const char *s)
{
    for (; *s; s++)
        switch (*s) {
        case '<': text_add(out, "&lt;"); break;
        case '>': text_add(out, "&gt;"); break;
        case '&': text_add(out, "&amp;"); break;
        case '"': text_add(out, "&quot;"); break;
        default: text_add_bytes(out, s, 1); break;
        }
}

/* Writes JSON inside a script element, which must not contain "</script>"; "<" occurs in strings
 * only, where it is escaped. */
static void add_json(struct text *out, const struct text *json)
{
    const char *s = text_str(json);
    for (size_t n; *s; s += n) {
        n = strcspn(s, "<");
        text_add_bytes(out, s, n);
        if (s[n] != '<') continue;
        text_add(out, "\\u003c");
        n++;
    }
}

static void add_head(struct text *out, const char *title)
{
    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
                  " script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<title>");
    add_escaped(out, title);
    text_add(out, "</title>\n<style>\n");
    ADD(out, css);
    text_add(out, "</style>\n</head>\n");
}

static void add_scripts(struct text *out)
{
    text_add(out, "<script>\n");
    ADD(out, echarts);
    text_add(out, "\n</script>\n<script>\n(function () {\n'use strict';\n");
#define ADD_SCRIPT(name) ADD(out, js_##name);
    SCRIPTS(ADD_SCRIPT)
    text_add(out, "}());\n</script>\n");
}

bool report_page(const struct results *r, const char *title, struct text *out, struct error *e)
{
    struct text data = {0};
    bool ok = report_data(r, title, &data, e);
    if (ok) {
        add_head(out, title);
        ADD(out, body);
        text_add(out, "<script type=\"application/json\" id=\"data\">\n");
        add_json(out, &data);
        text_add(out, "</script>\n");
        add_scripts(out);
        text_add(out, "</body>\n</html>\n");
        ok = !out->failed || error_no_memory(e);
    }
    text_fini(&data);
    return ok;
}

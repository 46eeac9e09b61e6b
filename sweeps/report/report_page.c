/* report_page.c - assembles the HTML page, see report.h.  cmake/Embed.cmake embeds its parts. */
#include "sweeps/report/report.h"

#include "base/text/quote.h"
#include "base/text/sha256.h"

#include <string.h>

#define PAGE_FILE(name) extern const char page_##name[], page_##name##_end[];
/* The scripts run in this order. */
#define SCRIPTS(S)  \
    S(data)         \
    S(stats)        \
    S(answers)      \
    S(state)        \
    S(address)      \
    S(theme)        \
    S(choices)      \
    S(scatter)      \
    S(beside)       \
    S(parallel)     \
    S(rounds)       \
    S(effects)      \
    S(heat)         \
    S(stacks)       \
    S(roofline)     \
    S(explain)      \
    S(sentences)    \
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
PAGE_FILE(js_start) /* calls them, as the function `page` */

#define ADD(out, name) text_add_bytes(out, page_##name, (size_t)(page_##name##_end - page_##name))

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

/* The parts that a browser admits by their digests: the policy names them before they come. */
struct page_parts {
    struct text style, chart_library, scripts;
};

static void make_parts(struct page_parts *p)
{
    text_add(&p->style, "\n");
    ADD(&p->style, css);
    text_add(&p->chart_library, "\n");
    ADD(&p->chart_library, echarts);
    text_add(&p->chart_library, "\n");
    text_add(&p->scripts, "\n(function () {\n'use strict';\nfunction page(text, gone) {\n");
#define ADD_SCRIPT(name) ADD(&p->scripts, js_##name);
    SCRIPTS(ADD_SCRIPT)
    text_add(&p->scripts, "}\n");
    ADD(&p->scripts, js_start);
    text_add(&p->scripts, "}());\n");
}

static void add_source(struct text *out, const struct text *part)
{
    char digest[SHA256_BASE64];
    sha256_base64(text_str(part), part->len, digest);
    text_add(out, " 'sha256-%s'", digest);
    out->failed |= part->failed;
}

/* Nothing else runs, and nothing is fetched but the data of a live page, whatever the data say. */
static void add_policy(struct text *out, const struct page_parts *p, bool live)
{
    text_add(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
                  " script-src");
    add_source(out, &p->chart_library);
    add_source(out, &p->scripts);
    text_add(out, "; style-src");
    add_source(out, &p->style);
    text_add(out, "; img-src data: blob:; base-uri 'none'; form-action 'none'%s\">\n",
             live ? "; connect-src 'self'" : "");
}

static void add_element(struct text *out, const char *name, const struct text *part)
{
    text_add(out, "<%s>", name);
    text_add_bytes(out, text_str(part), part->len);
    text_add(out, "</%s>\n", name);
}

static void add_head(struct text *out, const char *title, const struct page_parts *p, bool live)
{
    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    add_policy(out, p, live);
    text_add(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<title>");
    quote_html(out, title);
    text_add(out, "</title>\n");
    add_element(out, "style", &p->style);
    text_add(out, "</head>\n");
}

/* data: JSON; NULL: the page is live. */
static bool write_page(const struct text *data, const char *title, struct text *out,
                       struct error *e)
{
    struct page_parts parts = {0};
    make_parts(&parts);
    add_head(out, title, &parts, !data);
    ADD(out, body);
    text_add(out, "<script type=\"application/json\" id=\"data\">\n");
    if (data) add_json(out, data);
    text_add(out, "</script>\n");
    add_element(out, "script", &parts.chart_library);
    add_element(out, "script", &parts.scripts);
    text_add(out, "</body>\n</html>\n");
    text_fini(&parts.style);
    text_fini(&parts.chart_library);
    text_fini(&parts.scripts);
    return !out->failed || error_no_memory(e);
}

bool report_page(const struct results *r, const char *title, struct text *out, struct error *e)
{
    struct text data = {0};
    bool ok = report_data(r, title, &data, e) && write_page(&data, title, out, e);
    text_fini(&data);
    return ok;
}

bool report_live_page(const char *title, struct text *out, struct error *e)
{
    return write_page(NULL, title, out, e);
}

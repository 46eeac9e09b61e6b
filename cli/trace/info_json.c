/* info_json.c - prints plumb trace info as one JSON document; docs/guide/characterize.md documents
 * its keys. */
#include "base/memory/alloc.h"
#include "cli/trace/info.h"

static void print_kernel(struct rows *r, const struct info *i, uint32_t k)
{
    static const unsigned order[] = {INFO_KERNELS, INFO_MIX,        INFO_DIVERGENCE, INFO_FOOTPRINT,
                                     INFO_PAGES,   INFO_COALESCING, INFO_REUSE,      INFO_ROWS,
                                     INFO_SHARING, INFO_DEPENDENCE, INFO_REGISTERS};
    const struct info_kernel one = info_kernel_at(i, k);
    for (unsigned s = 0; s < sizeof order / sizeof *order; s++) {
        bool deep = INFO_DEEP >> order[s] & 1;
        if ((deep && !i->deep) || (order[s] == INFO_PAGES && !i->paged)) continue;
        const struct info_section *section = &info_sections[order[s]];
        if (section->key) rows_object(r, section->key);
        section->rows(r, &one);
        if (section->key) rows_end(r);
    }
}

/* false: no memory. */
static bool print_deep(struct rows *r, const struct info *i)
{
    uint32_t n;
    struct region *region = program_regions(&i->s, i->p, &n);
    rows_list(r, "launches");
    for (uint32_t k = 0; k < program_launches(i->p); k++)
        info_launch_rows(r, program_launch(i->p, k), k, k);
    rows_end(r);
    rows_list(r, "regions");
    for (uint32_t k = 0; k < n; k++)
        info_region_rows(r, &region[k]);
    rows_end(r);
    rows_count(r, "resident_warps", NULL, i->warps);
    rows_count(r, "page_bytes", NULL, i->pages.page_bytes);
    rows_bool(r, "bounded", NULL, i->c.bounded);
    mem_free(region);
    return region || !i->s.all.lines;
}

static void heading(struct rows *r, const struct info *i)
{
    char hex[33];
    digest_hex(program_digest(i->p), hex);
    rows_text(r, "program", NULL, program_name(i->p));
    rows_text(r, "digest", NULL, hex);
    if (*program_note(i->p)) rows_text(r, "made_from", NULL, program_note(i->p));
    rows_count(r, "warp_width", NULL, i->width);
    if (program_stored_bytes(i->p)) rows_count(r, "bytes", NULL, program_stored_bytes(i->p));
    rows_list(r, "warnings");
    for (uint32_t k = 0; k < program_warnings(i->p); k++)
        json_string(r->json, program_warning(i->p, k));
    rows_end(r);
}

void info_json(struct text *out, const struct info *i)
{
    struct json j;
    struct rows r = {.json = &j};
    json_init(&j, out);
    rows_item(&r);
    heading(&r, i);
    rows_list(&r, "kernels");
    for (uint32_t k = 0; k < i->s.n; k++) {
        rows_item(&r);
        print_kernel(&r, i, k);
        rows_end(&r);
    }
    rows_end(&r);
    rows_object(&r, "total");
    print_kernel(&r, i, i->s.n);
    rows_end(&r);
    if (i->deep && !print_deep(&r, i)) out->failed = true;
    rows_end(&r);
    text_add(out, "\n");
    rows_fini(&r);
}

/* paper_list.c - see paper_list.h. */
#include "cli/print/paper_list.h"

#include "base/io/file.h"
#include "base/io/paths.h"
#include "base/memory/alloc.h"
#include "base/shown.h"
#include "base/text/conf.h"

#include <string.h>

static bool read_heading(struct paper_rows *p, struct error *e)
{
    char *file = file_join(p->folder, "paper.cfg");
    struct conf *c = file ? conf_load(file, NULL, e) : NULL;
    const struct conf_node *n = c ? conf_find(conf_root(c), "paper") : NULL;
    const char *text = n ? conf_text(n) : NULL;
    bool ok = file || error_no_memory(e);
    if (c && !text) ok = error_input(e, "%s: paper = \"AUTHOR YEAR: TITLE\"; is expected", file);
    if (text) p->heading = mem_strdup(text);
    if (text && !p->heading) ok = error_no_memory(e);
    if (c) conf_free(c);
    mem_free(file);
    return ok && c;
}

static bool add_paper(struct paper_list *l, const char *folder, struct error *e)
{
    struct paper_rows *p = &l->paper[l->n++];
    *p = (struct paper_rows){.folder = mem_strdup(folder)};
    return p->folder ? read_heading(p, e) : error_no_memory(e);
}

bool paper_list_init(struct paper_list *l, struct error *e)
{
    char **dirs = paths_config_dirs();
    size_t n = 0;
    while (dirs && dirs[n])
        n++;
    *l = (struct paper_list){.paper = dirs ? mem_new(n, sizeof *l->paper) : NULL};
    bool ok = l->paper || error_no_memory(e);
    for (size_t i = 0; ok && i < n; i++)
        ok = !paths_is_paper(dirs[i]) || add_paper(l, dirs[i], e);
    paths_config_dirs_free(dirs);
    if (!ok) paper_list_fini(l);
    return ok;
}

void paper_list_fini(struct paper_list *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        mem_free(l->paper[i].folder);
        mem_free(l->paper[i].heading);
        text_fini(&l->paper[i].rows);
    }
    mem_free(l->paper);
    text_fini(&l->rows);
    *l = (struct paper_list){0};
}

/* l->n: of none. */
static uint32_t paper_at(const struct paper_list *l, const char *path)
{
    uint32_t i = 0;
    for (; path && i < l->n; i++) {
        size_t n = strlen(l->paper[i].folder);
        if (strncmp(path, l->paper[i].folder, n) == 0 && path[n] == '/') return i;
    }
    return l->n;
}

struct text *paper_list_rows(struct paper_list *l, const char *path)
{
    uint32_t i = paper_at(l, path);
    return i < l->n ? &l->paper[i].rows : &l->rows;
}

const char *paper_list_heading(const struct paper_list *l, const char *path)
{
    uint32_t i = paper_at(l, path);
    return i < l->n ? l->paper[i].heading : NULL;
}

static void add_rows(const struct text *rows, struct text *out)
{
    text_add(out, "%s", text_str(rows));
    out->failed |= rows->failed;
}

void paper_list_print(const struct paper_list *l, struct text *out)
{
    add_rows(&l->rows, out);
    for (uint32_t i = 0; i < l->n; i++) {
        if (!l->paper[i].rows.len && !l->paper[i].rows.failed) continue;
        text_add_shown(out, "\n# %s\n", l->paper[i].heading);
        add_rows(&l->paper[i].rows, out);
    }
}

/* pagerankview.c - pages sorted by their views, which are read from lines of text.
 *
 * Usage: pagerankview [PAGES]      a power of two; 1024 if not given
 * Views follow Zipf's law.  Must be the order of the library's sort. */
#include "common/graph.h"
#include "common/text.h"

#include <stdlib.h>

enum { WORD = sizeof(cl_uint), PAIR = sizeof(cl_ulong), LINE = 64, VIEWS_PER_PAGE = 16 };

struct viewed {
    cl_uint views, page;
};

static int by_views(const void *a, const void *b)
{
    const struct viewed *x = a, *y = b;
    if (x->views != y->views) return x->views < y->views ? 1 : -1;
    return (x->page > y->page) - (x->page < y->page);
}

static struct viewed *count_views(struct program *p, cl_uint pages)
{
    size_t views = (size_t)pages * VIEWS_PER_PAGE;
    struct viewed *v = program_array(p, pages, sizeof *v);
    const cl_uint *page = zipf_keys(p, views, pages, 51);
    for (cl_uint i = 0; i < pages; i++)
        v[i].page = i;
    for (size_t i = 0; i < views; i++)
        v[page[i]].views++;
    return v;
}

static struct text write_lines(struct program *p, const struct viewed *v, cl_uint *line,
                               cl_uint pages)
{
    struct text t = text_new(p, (size_t)pages * LINE);
    for (cl_uint i = 0; i < pages; i++) {
        line[i] = (cl_uint)t.n;
        text_url(&t, i);
        text_put(&t, "\t");
        text_number(&t, v[i].views);
        text_put(&t, "\n");
    }
    return t;
}

static cl_mem run(struct program *p, const struct text *t, const cl_uint *line, cl_uint pages)
{
    cl_mem text = program_buffer(p, t->n, t->at);
    cl_mem lines = program_buffer(p, pages * (size_t)WORD, line);
    cl_mem emitted = program_buffer(p, pages * (size_t)PAIR, NULL);
    program_launch(p, program_kernel(p, "read_views", "bbbu", text, lines, emitted, pages), pages);
    cl_kernel rank = program_kernel(p, "rank_pages", "buu", emitted, 0, 0);
    for (cl_uint size = 2; size <= pages; size *= 2) {
        program_set_uint(rank, 1, size);
        for (cl_uint stride = size / 2; stride > 0; stride /= 2) {
            program_set_uint(rank, 2, stride);
            program_launch(p, rank, pages / 2);
        }
    }
    return emitted;
}

static size_t check(const cl_ulong *got, const struct viewed *want, cl_uint pages)
{
    size_t wrong = 0;
    for (cl_uint i = 0; i < pages; i++)
        wrong += got[i] >> 32 != want[i].views || ~(cl_uint)got[i] != want[i].page;
    return wrong;
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "pagerankview", "pagerankview [PAGES], a power of two from 512 to 2^22", argc,
                 argv);
    cl_uint pages = program_step(&p, 1024, 2 * PROGRAM_GROUP, 1 << 22, 0);
    program_start(&p);
    struct viewed *v = count_views(&p, pages);
    cl_uint *line = program_array(&p, pages, WORD);
    struct text t = write_lines(&p, v, line, pages);
    cl_mem emitted = run(&p, &t, line, pages);
    qsort(v, pages, sizeof *v, by_views);
    const cl_ulong *got = program_read(&p, emitted, pages * (size_t)PAIR);
    return program_end(&p, check(got, v, pages), "%u pages, %zu bytes", pages, t.n);
}

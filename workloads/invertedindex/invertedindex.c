/* invertedindex.c - inverted index of the links in pages: map, scan, sort, group.
 *
 * Usage: invertedindex [PAGES [WORDS [ADDRESSES [SORTED]]]]      128 32 256 1 if not given
 * SORTED 0: the map alone, which is what the first instructions of a large input are.
 * Pages of WORDS words, each eighth one a link; words and addresses come by Zipf's law.  The index
 * must be that of the library's sort; a sorting network run beside it counts what is compared. */
#include "common/graph.h"
#include "common/text.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = sizeof(cl_uint), PAIR = 2 * WORD, LETTERS_PER_WORD = 64, WORDS_PER_LINK = 8 };

struct link {
    cl_uint address, page; /* the place of the address in the text */
};

struct pages {
    struct text text;
    cl_uint n, words, links, room; /* room: links, rounded up to a power of two */
    cl_uint *begin;                /* [n + 1] */
    struct link *link;             /* [room], as they stand in the text */
};

struct counts {
    size_t letters, swaps; /* of the sort: letters read, pairs exchanged */
    size_t grouping;       /* letters read to find the groups */
};

static void write_link(struct pages *g, cl_uint address, cl_uint page)
{
    text_put(&g->text, "<a href=\"");
    g->link[g->links++] = (struct link){(cl_uint)g->text.n, page};
    text_url(&g->text, address);
    text_put(&g->text, "\">");
}

static void write_pages(struct pages *g, struct program *p, cl_uint addresses)
{
    size_t words = (size_t)g->n * g->words;
    const cl_uint *word = zipf_keys(p, words, 1 << 14, 41);
    const cl_uint *address = zipf_keys(p, words, addresses, 42);
    g->text = text_new(p, words * LETTERS_PER_WORD + g->n * (size_t)16);
    g->begin = program_array(p, g->n + 1, WORD);
    for (g->room = 1; g->room < (words + 4) / WORDS_PER_LINK;)
        g->room *= 2;
    g->link = program_array(p, g->room, PAIR);
    for (size_t i = 0; i < words; i++) {
        cl_uint page = (cl_uint)(i / g->words);
        bool linked = i % WORDS_PER_LINK == 3;
        if (i % g->words == 0) text_put(&g->text, "<p>");
        if (linked) write_link(g, address[i], page);
        text_word(&g->text, word[i]);
        text_put(&g->text, linked ? "</a> " : " ");
        if (i % g->words == g->words - 1) text_put(&g->text, "</p>");
        g->begin[page + 1] = (cl_uint)g->text.n;
    }
}

static const char *compared_in; /* the text, for the library's sort */

static int by_address(const void *a, const void *b)
{
    const struct link *x = a, *y = b;
    const char *s = compared_in + x->address, *t = compared_in + y->address;
    size_t last = text_compared(s, t, '"') - 1;
    if (s[last] != t[last]) return s[last] < t[last] ? -1 : 1;
    return (x->page > y->page) - (x->page < y->page);
}

static size_t letters_between(const struct link *a, const struct link *b)
{
    return 2 * text_compared(compared_in + a->address, compared_in + b->address, '"');
}

/* Exchanges the two if they are the wrong way round; beyond the last link there is nothing to
 * read. */
static void exchange(struct link *a, struct link *b, bool up, struct counts *c)
{
    const struct link none = {UINT32_MAX, 0};
    bool real = a->address != none.address && b->address != none.address;
    if (real) c->letters += letters_between(a, b);
    int order = real ? by_address(a, b) : (a->address > b->address) - (a->address < b->address);
    if (up ? order <= 0 : order >= 0) return;
    struct link kept = *a;
    *a = *b;
    *b = kept;
    c->swaps++;
}

static void count_sort(const struct pages *g, struct program *p, struct counts *c)
{
    struct link *x = program_array(p, g->room, PAIR);
    memcpy(x, g->link, g->links * sizeof *x);
    memset(x + g->links, 0xff, (g->room - g->links) * sizeof *x);
    for (cl_uint size = 2; size <= g->room; size *= 2)
        for (cl_uint stride = size / 2; stride > 0; stride /= 2)
            for (cl_uint i = 0; i < g->room; i++)
                if (!(i & stride)) exchange(&x[i], &x[i + stride], !(i & size), c);
}

struct index {
    const struct link *link;
    const cl_uint *group, *groups; /* where groups begin; in the last place, how many */
};

static cl_mem map(struct program *p, const struct pages *g, cl_mem text)
{
    cl_mem page = program_buffer(p, (g->n + 1) * (size_t)WORD, g->begin);
    cl_mem count = program_buffer(p, g->n * (size_t)WORD, NULL);
    cl_mem place = program_buffer(p, (g->n + 1) * (size_t)WORD, NULL);
    void *none = program_array(p, g->room, PAIR);
    memset(none, 0xff, g->room * (size_t)PAIR);
    cl_mem emitted = program_buffer(p, g->room * (size_t)PAIR, none);
    program_launch(p, program_kernel(p, "count_links", "bbbu", text, page, count, g->n), g->n);
    program_launch(p, program_kernel(p, "scan", "bbu", count, place, g->n), 1);
    program_launch(p, program_kernel(p, "emit_links", "bbbbu", text, page, place, emitted, g->n),
                   g->n);
    return emitted;
}

static void sort(struct program *p, const struct pages *g, cl_mem text, cl_mem emitted)
{
    cl_kernel kernel = program_kernel(p, "sort_links", "bbuu", text, emitted, 0, 0);
    size_t pairs = g->room / 2, group = pairs < PROGRAM_GROUP ? pairs : PROGRAM_GROUP;
    for (cl_uint size = 2; size <= g->room; size *= 2) {
        program_set_uint(kernel, 2, size);
        for (cl_uint stride = size / 2; stride > 0; stride /= 2) {
            program_set_uint(kernel, 3, stride);
            host_launch(&p->host, kernel, pairs, group);
        }
    }
}

/* The map alone: links as they stand in the text. */
static size_t check_map(struct program *p, const struct pages *g)
{
    cl_mem text = program_buffer(p, g->text.n, g->text.at), emitted = map(p, g, text);
    const struct link *got = program_read(p, emitted, g->links * (size_t)PAIR);
    size_t wrong = 0;
    for (cl_uint i = 0; i < g->links; i++)
        wrong += got[i].address != g->link[i].address || got[i].page != g->link[i].page;
    return wrong;
}

static struct index make_index(struct program *p, const struct pages *g)
{
    size_t bytes = (g->links + 1) * (size_t)WORD;
    cl_mem text = program_buffer(p, g->text.n, g->text.at), emitted = map(p, g, text);
    cl_mem mark = program_buffer(p, bytes, NULL), place = program_buffer(p, bytes, NULL);
    cl_mem group = program_buffer(p, bytes, program_array(p, bytes, 1));
    sort(p, g, text, emitted);
    program_launch(p, program_kernel(p, "mark_groups", "bbbu", text, emitted, mark, g->links),
                   g->links);
    program_launch(p, program_kernel(p, "scan", "bbu", mark, place, g->links), 1);
    program_launch(p, program_kernel(p, "write_groups", "bbbu", mark, place, group, g->links),
                   g->links);
    const cl_uint *places = program_read(p, place, bytes);
    return (struct index){program_read(p, emitted, g->room * (size_t)PAIR),
                          program_read(p, group, bytes), places + g->links};
}

static bool same_address(const struct pages *g, cl_uint a, cl_uint b)
{
    const char *s = g->text.at + a, *t = g->text.at + b;
    size_t last = text_compared(s, t, '"') - 1;
    return s[last] == t[last];
}

/* Sorts the links of g. */
static size_t check(const struct pages *g, const struct index *got, struct counts *c)
{
    size_t wrong = 0;
    cl_uint groups = 0;
    qsort(g->link, g->links, sizeof *g->link, by_address);
    for (cl_uint i = 0; i < g->links; i++) {
        const struct link *want = &g->link[i], *found = &got->link[i];
        bool first = i == 0 || !same_address(g, want[-1].address, want->address);
        wrong += found->address >= g->text.n || found->page != want->page ||
                 !same_address(g, found->address, want->address);
        if (first) wrong += got->group[groups++] != i;
        if (i > 0) c->grouping += letters_between(want - 1, want);
    }
    return wrong + (*got->groups != groups);
}

int main(int argc, char **argv)
{
    struct program p;
    struct pages g = {0};
    struct counts c = {0};
    program_open(&p, "invertedindex",
                 "invertedindex [PAGES [WORDS [ADDRESSES [SORTED]]]], WORDS from 8", argc, argv);
    g.n = program_number(&p, 128, 1, 1 << 20);
    g.words = program_number(&p, 32, 8, 1 << 16);
    cl_uint addresses = program_number(&p, 256, 1, 1 << 20);
    cl_uint sorted = program_number(&p, 1, 0, 1);
    program_demand(&p, (size_t)g.n * g.words <= 1u << 25);
    program_start(&p);
    write_pages(&g, &p, addresses);
    compared_in = g.text.at;
    if (!sorted)
        return program_end(&p, check_map(&p, &g), "%u pages, %zu bytes, %u links", g.n, g.text.n,
                           g.links);
    struct index got = make_index(&p, &g);
    count_sort(&g, &p, &c);
    size_t wrong = check(&g, &got, &c);
    return program_end(&p, wrong,
                       "%u pages, %zu bytes, %u links, %u groups, %zu + %zu letters, %zu exchanges",
                       g.n, g.text.n, g.links, *got.groups, c.letters, c.grouping, c.swaps);
}

/* pageview.c - page views counted from a log, in a hash table filled by atomics.
 *
 * Usage: pageview [LINES [PAGES]]      4096 512 if not given
 * Pages come by Zipf's law.  Each page's slot must hold what the host counted; what the work-items
 * had to read to find it is counted from the finished table. */
#include "common/graph.h"
#include "common/text.h"

enum { WORD = sizeof(cl_uint), LINE = 64 };

struct log {
    struct text text;
    cl_uint lines, pages, slots;
    const cl_uint *page; /* [lines] */
    cl_uint *line;       /* [lines] where it begins */
};

struct counts {
    size_t letters, probes; /* letters read of addresses, slots tried */
};

static void write_log(struct log *l, struct program *p)
{
    struct data_random r = {31};
    l->text = text_new(p, (size_t)l->lines * LINE);
    l->page = zipf_keys(p, l->lines, l->pages, 32);
    l->line = program_array(p, l->lines, WORD);
    for (cl_uint i = 0; i < l->lines; i++) {
        l->line[i] = (cl_uint)l->text.n;
        text_url(&l->text, l->page[i]);
        for (unsigned k = 0; k < 4; k++) {
            text_put(&l->text, k == 0 ? "\t" : ".");
            text_number(&l->text, data_next(&r) & 255);
        }
        text_put(&l->text, "\n");
    }
}

static cl_uint hash(const char *address)
{
    cl_uint h = 2166136261u;
    for (; *address != '\t'; address++)
        h = (h ^ (unsigned char)*address) * 16777619u;
    return h;
}

/* The slot of the line's page, or the end of its chain; what was read on the way. */
static cl_uint find(const struct log *l, const cl_uint *slot, cl_uint line, struct counts *c)
{
    const char *own = l->text.at + line;
    cl_uint at = hash(own) & (l->slots - 1);
    c->letters += text_compared(own, own, '\t');
    for (;; at = (at + 1) & (l->slots - 1)) {
        c->probes++;
        if (slot[at] == 0 || slot[at] == line + 1) return at; /* the line's own: nothing compared */
        const char *other = l->text.at + slot[at] - 1;
        size_t n = text_compared(own, other, '\t');
        c->letters += 2 * n;
        if (own[n - 1] == other[n - 1]) return at;
    }
}

static size_t check(struct program *p, const struct log *l, const cl_uint *slot,
                    const cl_uint *views, struct counts *c)
{
    cl_uint *expected = program_array(p, l->pages, WORD);
    size_t wrong = 0, total = 0;
    for (cl_uint i = 0; i < l->lines; i++)
        expected[l->page[i]]++;
    for (cl_uint i = 0; i < l->lines; i++) {
        cl_uint at = find(l, slot, l->line[i], c);
        wrong += slot[at] == 0 || views[at] != expected[l->page[i]];
    }
    for (cl_uint i = 0; i < l->slots; i++)
        total += views[i];
    return wrong + (total != l->lines);
}

int main(int argc, char **argv)
{
    struct program p;
    struct log l = {.slots = 2};
    struct counts c = {0};
    program_open(&p, "pageview", "pageview [LINES [PAGES]]", argc, argv);
    l.lines = program_number(&p, 4096, 1, 1 << 24);
    l.pages = program_number(&p, 512, 1, 1 << 24);
    program_start(&p);
    while (l.slots < 2 * l.pages)
        l.slots *= 2;
    write_log(&l, &p);
    size_t bytes = l.slots * (size_t)WORD;
    const void *empty = program_array(&p, l.slots, WORD);
    cl_mem text = program_buffer(&p, l.text.n, l.text.at);
    cl_mem line = program_buffer(&p, l.lines * (size_t)WORD, l.line);
    cl_mem slot = program_buffer(&p, bytes, empty), views = program_buffer(&p, bytes, empty);
    program_launch(
        &p,
        program_kernel(&p, "count_views", "bbbbuu", text, line, slot, views, l.lines, l.slots - 1),
        l.lines);
    const cl_uint *slots = program_read(&p, slot, bytes), *seen = program_read(&p, views, bytes);
    size_t wrong = check(&p, &l, slots, seen, &c);
    return program_end(&p, wrong, "%u lines, %zu bytes, %zu letters, %zu probes", l.lines, l.text.n,
                       c.letters, c.probes);
}

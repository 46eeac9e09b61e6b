/* way_list.h - one doubly linked list of ways per set, for replacement_lru.c, which includes this
 * file once for each width of a way's number: WAY is its type, NIL the number that no way has, and
 * LIST(name) the name of that width's `name`. */

struct LIST(link) {
    WAY older, newer;
};

struct LIST(ends) {
    WAY oldest, newest;
};

struct LIST(state) {
    struct LIST(link) * link; /* [sets * ways] */
    struct LIST(ends) * ends; /* [sets] */
};

static void LIST(clear)(struct repl *r)
{
    struct LIST(state) *l = r->state;
    for (uint32_t s = 0; s < r->sets; s++) {
        struct LIST(link) *link = l->link + (uint64_t)s * r->ways;
        uint32_t ways = repl_ways(r, s);
        for (uint32_t w = 0; w < ways; w++) {
            link[w].older = w ? (WAY)(w - 1) : NIL;
            link[w].newer = w + 1 < ways ? (WAY)(w + 1) : NIL;
        }
        if (ways < r->ways) link[ways] = (struct LIST(link)){NIL, NIL};
        l->ends[s] = (struct LIST(ends)){.oldest = 0, .newest = (WAY)(ways - 1)};
    }
}

static void LIST(fini)(struct repl *r)
{
    struct LIST(state) *l = r->state;
    if (!l) return;
    mem_free(l->link);
    mem_free(l->ends);
    mem_free(l);
    r->state = NULL;
}

static bool LIST(init)(struct repl *r)
{
    struct LIST(state) *l = r->state = mem_new(1, sizeof *l);
    if (!l) return false;
    l->link = mem_new_unset((size_t)r->sets * r->ways, sizeof *l->link);
    l->ends = mem_new_unset(r->sets, sizeof *l->ends);
    if (!l->link || !l->ends) {
        LIST(fini)(r);
        return false;
    }
    LIST(clear)(r);
    return true;
}

static void LIST(unlink)(struct LIST(ends) * ends, struct LIST(link) * link, uint32_t way)
{
    struct LIST(link) at = link[way];
    if (at.older == NIL)
        ends->oldest = at.newer;
    else
        link[at.older].newer = at.newer;
    if (at.newer == NIL)
        ends->newest = at.older;
    else
        link[at.newer].older = at.older;
}

static void LIST(expect)(const struct repl *r, uint32_t set, uint32_t way)
{
    const struct LIST(state) *l = r->state;
    prefetch_line(&l->ends[set]);
    prefetch_line(&l->link[(uint64_t)set * r->ways + way]);
}

static void LIST(touch)(struct repl *r, uint32_t set, uint32_t way)
{
    const struct LIST(state) *l = r->state;
    struct LIST(ends) *ends = &l->ends[set];
    if (ends->newest == way) return;
    struct LIST(link) *link = l->link + (uint64_t)set * r->ways;
    LIST(unlink)(ends, link, way);
    link[ends->newest].newer = (WAY)way;
    link[way] = (struct LIST(link)){.older = ends->newest, .newer = NIL};
    ends->newest = (WAY)way;
}

static void LIST(retire)(struct repl *r, uint32_t set, uint32_t way)
{
    const struct LIST(state) *l = r->state;
    struct LIST(ends) *ends = &l->ends[set];
    if (ends->oldest == way) return;
    struct LIST(link) *link = l->link + (uint64_t)set * r->ways;
    LIST(unlink)(ends, link, way);
    link[ends->oldest].older = (WAY)way;
    link[way] = (struct LIST(link)){.older = NIL, .newer = ends->oldest};
    ends->oldest = (WAY)way;
}

static uint32_t LIST(first)(const struct repl *r, uint32_t set)
{
    const struct LIST(state) *l = r->state;
    struct LIST(ends) ends = l->ends[set];
    const struct LIST(link) *link = l->link + (uint64_t)set * r->ways;
    prefetch_line(&link[ends.oldest]); /* replacing this way will write it */
    prefetch_line(&link[ends.newest]);
    return ends.oldest;
}

static uint32_t LIST(next)(const struct repl *r, uint32_t set, uint32_t way)
{
    const struct LIST(state) *l = r->state;
    WAY newer = l->link[(uint64_t)set * r->ways + way].newer;
    return newer == NIL ? WAY_NONE : newer;
}

static void LIST(serialize)(struct repl *r, struct serializer *t)
{
    const struct LIST(state) *l = r->state;
    serialize_data(t, l->link, (size_t)r->sets * r->ways * sizeof *l->link);
    serialize_data(t, l->ends, r->sets * sizeof *l->ends);
}

static void LIST(stay)(struct repl *r, uint32_t set, uint32_t way)
{
    (void)r;
    (void)set;
    (void)way;
}

#define ORDER_OPS                                                                          \
    .fini = LIST(fini), .clear = LIST(clear), .claim = LIST(touch), .insert = LIST(touch), \
    .retire = LIST(retire), .first = LIST(first), .next = LIST(next), .serialize = LIST(serialize)
static const struct repl_ops LIST(lru) = {ORDER_OPS, .init = lru_init, .touch = LIST(touch),
                                          .expect = LIST(expect)};
static const struct repl_ops LIST(fifo) = {ORDER_OPS, .init = fifo_init, .touch = LIST(stay)};
#undef ORDER_OPS

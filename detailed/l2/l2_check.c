/* l2_check.c - whether a slice is idle or consistent, and what it still has to do; see l2.h. */
#include "detailed/l2/directory.h"
#include "detailed/l2/l2_home.h"
#include "detailed/l2/l2_side.h"

bool l2_idle(const struct l2_slice *s)
{
    return !s->pipe.n && !s->returns.n && !s->woken.n && !s->replies.n && !s->waiting &&
           !s->c.mshr.used && !s->side_lookup.n && l2_side_is_idle(s) &&
           (!s->directory || directory_idle(s->directory)) && (!s->home || s->home->is_idle(s)) &&
           (!s->copies || directory_idle(s->copies));
}

bool l2_check(const struct l2_slice *s)
{
    const struct l2_stats *t = &s->s;
    return cache_check(&s->c) && l2_side_check(s) && (!s->home || s->home->check(s)) &&
           t->reads + t->writes == t->read_hits + t->write_hits + t->merges + t->misses;
}

void l2_stuck(const struct l2_slice *s, struct text *out)
{
    if (l2_idle(s)) return;
    text_add(out,
             "l2 slice %u: %u in the look-up, %u to look at again, %u wait at lines, %u replies, "
             "%u MSHRs in use",
             s->id, s->pipe.n + s->side_lookup.n, s->woken.n, s->waiting, s->replies.n,
             s->c.mshr.used);
    L2_EACH_SIDE(s, o)
    if (o->stuck) o->stuck(s, out);
    text_add(out, "\n");
}

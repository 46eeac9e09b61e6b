#include "tests/support/written.h"

#include <stdlib.h>
#include <unistd.h>

struct written written_begin(uint32_t width)
{
    struct written t = {.path = "/tmp/plumb-written-XXXXXX.plt", .width = width};
    struct error e = {0};
    int fd = mkstemps(t.path, 4);
    assert_true(fd >= 0);
    close(fd);
    t.w = writer_new(t.path, width, "test", &e);
    if (!t.w) fail_msg("%s", e.text);
    return t;
}

struct program *written_end(struct written *t)
{
    struct error e = {0};
    if (!writer_commit(t->w, &e)) fail_msg("%s", e.text);
    struct program *p = run_open(t->path, t->width);
    unlink(t->path);
    return p;
}

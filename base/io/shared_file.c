/* shared_file.c - see shared_file.h. */
#include "base/io/shared_file.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_new(const char *path)
{
    if (shim_fails(SHIM_OPEN)) {
        errno = EIO;
        return -1;
    }
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static bool write_text(int fd, const char *text)
{
    size_t n = strlen(text);
    while (n > 0) {
        ssize_t wrote = write(fd, text, n);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return false;
        text += wrote;
        n -= (size_t)wrote;
    }
    return true;
}

/* errno says why. */
static enum shared_made refuse_file(const char *path, struct error *e)
{
    error_run(e, "%s: cannot be created: %s", path, strerror(errno ? errno : EIO));
    return SHARED_ERROR;
}

enum shared_made shared_file_create(const char *path, const char *text, struct error *e)
{
    int fd = open_new(path);
    if (fd < 0 && errno == EEXIST) return SHARED_EXISTS;
    if (fd < 0) return refuse_file(path, e);
    bool ok = write_text(fd, text);
    ok = close(fd) == 0 && ok;
    return ok ? SHARED_MADE : refuse_file(path, e);
}

/* The answer of link may be lost on the way and its repetition told that the name exists: then the
 * file has two names all the same. */
static bool link_new(const char *from, const char *to)
{
    struct stat st;
    if (shim_fails(SHIM_RENAME)) {
        errno = EIO;
        return false;
    }
    if (link(from, to) == 0) return true;
    int why = errno;
    bool made = stat(from, &st) == 0 && st.st_nlink == 2;
    errno = why;
    return made;
}

enum shared_made shared_file_publish(const char *path, const char *text, struct error *e)
{
    char host[64] = "", temporary[1200];
    (void)gethostname(host, sizeof host - 1);
    snprintf(temporary, sizeof temporary, "%s.%s.%ld.tmp", path, host, (long)getpid());
    unlink(temporary);
    int fd = open_new(temporary);
    if (fd < 0) return refuse_file(path, e);
    bool ok = write_text(fd, text) && fsync(fd) == 0;
    ok = close(fd) == 0 && ok;
    bool linked = ok && link_new(temporary, path);
    int why = errno;
    unlink(temporary);
    if (linked) return SHARED_MADE;
    errno = why;
    return ok && why == EEXIST ? SHARED_EXISTS : refuse_file(path, e);
}

static bool time_of(int fd, shared_time *t)
{
    struct stat st;
    if (fstat(fd, &st) != 0) return false;
    *t = (shared_time)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    return true;
}

bool shared_file_clock(const char *path, shared_time *now, struct error *e)
{
    shared_time t = 0;
    int fd = shim_fails(SHIM_OPEN) ? -1 : open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    bool ok = fd >= 0 && futimens(fd, NULL) == 0 && time_of(fd, &t);
    if (!ok) error_run(e, "%s: cannot be touched: %s", path, strerror(errno ? errno : EIO));
    if (fd >= 0) close(fd);
    if (ok && now) *now = t;
    return ok;
}

bool shared_file_touch(const char *path)
{
    return utimensat(AT_FDCWD, path, NULL, 0) == 0;
}

bool shared_file_expire(const char *path)
{
    static const struct timespec never[2];
    return utimensat(AT_FDCWD, path, never, 0) == 0;
}

bool shared_file_time(const char *path, shared_time *t)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool ok = fd >= 0 && time_of(fd, t);
    if (fd >= 0) close(fd);
    return ok;
}

bool shared_file_list(const char *dir, shared_entry_fn *each, void *ctx, struct error *e)
{
    DIR *d = shim_fails(SHIM_OPEN) ? NULL : opendir(dir);
    if (!d) return error_run(e, "%s: cannot be read: %s", dir, strerror(errno ? errno : EIO));
    for (struct dirent *x; (x = readdir(d));)
        if (x->d_name[0] != '.' && !each(x->d_name, ctx)) break;
    closedir(d);
    return true;
}

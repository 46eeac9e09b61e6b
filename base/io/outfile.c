/* outfile.c - see file.h: writing. Bytes go through a buffer into an unnamed file (or into
 * TARGET.PID.N.tmp, if the file system has none); commit flushes, fsyncs, gives it that name and
 * renames it onto the target, so that a killed program leaves nothing behind.
 *
 * A target that is no regular file (a terminal, a pipe, /dev/null) cannot be replaced: it is
 * written directly, without fsync. A symbolic link is followed, and the file that it points to is
 * replaced. */
#include "base/io/file.h"

#include "base/memory/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 64 * 1024 };

struct outfile {
    char *path;      /* as the user gave it, for messages */
    char *target;    /* after following symbolic links */
    char *temporary; /* NULL: written directly */
    int fd;
    bool nameless;      /* the file has no name yet; `temporary` is its future one */
    int error;          /* errno of the first failure, 0: none */
    const char *failed; /* what failed first */
    uint64_t written;
    size_t used;
    unsigned char buffer[BUFFER_BYTES];
};

static void give_up(struct outfile *f, const char *what)
{
    if (f->error) return;
    f->error = errno ? errno : EIO;
    f->failed = what;
}

static void release_file(struct outfile *f)
{
    if (f->fd >= 0) close(f->fd);
    mem_free(f->path);
    mem_free(f->target);
    mem_free(f->temporary);
    mem_free(f);
}

static char *real_target(const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0 || !S_ISLNK(st.st_mode)) return mem_strdup(path);
    char *real = realpath(path, NULL), *copy;
    copy = mem_strdup(real ? real : path);
    free(real);
    return copy;
}

static char *temporary_name(const char *target)
{
    static _Atomic unsigned serial;
    size_t n = strlen(target) + 48;
    char *name = mem_new(n, 1);
    if (name)
        snprintf(name, n, "%s.%ld.%u.tmp", target, (long)getpid(), atomic_fetch_add(&serial, 1));
    return name;
}

static char *directory_of(const char *target)
{
    const char *slash = strrchr(target, '/');
    char *dir = mem_strdup(slash ? target : ".");
    if (slash && dir) dir[slash == target ? 1 : slash - target] = '\0';
    return dir;
}

static void open_temporary(struct outfile *f)
{
#ifdef O_TMPFILE
    char *dir = directory_of(f->target);
    bool can_name = dir && access("/proc/self/fd", X_OK) == 0;
    if (can_name) f->fd = open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    f->nameless = f->fd >= 0;
    mem_free(dir);
#endif
    if (f->fd < 0) f->fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static bool name_temporary(struct outfile *f)
{
    char link[40];
    if (!f->nameless) return true;
    snprintf(link, sizeof link, "/proc/self/fd/%d", f->fd);
    f->nameless = linkat(AT_FDCWD, link, AT_FDCWD, f->temporary, AT_SYMLINK_FOLLOW) != 0;
    return !f->nameless;
}

static void remove_temporary(const struct outfile *f)
{
    if (f->temporary && !f->nameless) unlink(f->temporary);
}

static bool open_target(struct outfile *f, struct error *e)
{
    struct stat st;
    bool there = stat(f->target, &st) == 0, direct = there && !S_ISREG(st.st_mode);
    if (!direct && !(f->temporary = temporary_name(f->target))) return error_no_memory(e);
    if (shim_fails(SHIM_OPEN)) {
        errno = EIO;
    } else if (direct) {
        f->fd = open(f->target, O_WRONLY | O_CLOEXEC);
    } else {
        open_temporary(f);
    }
    if (f->fd < 0) return error_run(e, "%s: cannot be created: %s", f->path, strerror(errno));
    if (there && !direct && fchmod(f->fd, st.st_mode & 07777) != 0) give_up(f, "keeping its mode");
    return true;
}

struct outfile *outfile_open(const char *path, struct error *e)
{
    struct outfile *f = mem_new(1, sizeof *f);
    if (!f) {
        error_no_memory(e);
        return NULL;
    }
    f->fd = -1;
    f->path = mem_strdup(path);
    f->target = real_target(path);
    if (!f->path || !f->target) {
        error_no_memory(e);
    } else if (open_target(f, e)) {
        return f;
    }
    release_file(f);
    return NULL;
}

static void write_all(struct outfile *f, const unsigned char *bytes, size_t n)
{
    while (n > 0 && !f->error) {
        ssize_t put = -1;
        if (shim_fails(SHIM_WRITE))
            errno = ENOSPC;
        else
            put = write(f->fd, bytes, n);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) {
            give_up(f, "writing");
            return;
        }
        bytes += put;
        n -= (size_t)put;
    }
}

static void flush_buffer(struct outfile *f)
{
    write_all(f, f->buffer, f->used);
    f->used = 0;
}

void outfile_write(struct outfile *f, const void *bytes, size_t n)
{
    f->written += n;
    if (n > BUFFER_BYTES - f->used) flush_buffer(f);
    if (n >= BUFFER_BYTES) {
        write_all(f, bytes, n);
    } else if (n) {
        memcpy(f->buffer + f->used, bytes, n);
        f->used += n;
    }
}

void outfile_printf(struct outfile *f, const char *fmt, ...)
{
    char small[512], *big = NULL;
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(small, sizeof small, fmt, args);
    if (n >= (int)sizeof small && (big = mem_new((size_t)n + 1, 1)))
        vsnprintf(big, (size_t)n + 1, fmt, again);
    va_end(again);
    va_end(args);
    if (n < 0 || (n >= (int)sizeof small && !big)) {
        errno = ENOMEM;
        give_up(f, "formatting");
        return;
    }
    outfile_write(f, big ? big : small, (size_t)n);
    mem_free(big);
}

uint64_t outfile_tell(const struct outfile *f)
{
    return f->written;
}

/* A rename is durable only when the directory is on disk, too. The target has been replaced by
 * then, so a failure here is not reported (some file systems refuse fsync on directories). */
static void sync_directory(const char *target)
{
    char *dir = directory_of(target);
    if (!dir) return;
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    mem_free(dir);
    if (fd < 0) return;
    if (!shim_fails(SHIM_FSYNC)) (void)fsync(fd);
    close(fd);
}

static int sync_file(int fd)
{
    if (!shim_fails(SHIM_FSYNC)) return fsync(fd);
    errno = EIO;
    return -1;
}

static int rename_file(const char *from, const char *to)
{
    if (!shim_fails(SHIM_RENAME)) return rename(from, to);
    errno = EIO;
    return -1;
}

bool outfile_commit(struct outfile *f, struct error *e)
{
    flush_buffer(f);
    if (!f->error && f->temporary && sync_file(f->fd) != 0) give_up(f, "fsync");
    if (!f->error && f->temporary && !name_temporary(f)) give_up(f, "naming the temporary file");
    int closed = close(f->fd);
    f->fd = -1;
    if (closed != 0) give_up(f, "closing");
    if (!f->error && f->temporary && rename_file(f->temporary, f->target) != 0)
        give_up(f, "renaming the temporary file");
    bool ok = !f->error;
    if (!ok) {
        error_run(e, "%s: %s failed: %s", f->path, f->failed, strerror(f->error));
        remove_temporary(f);
    } else if (f->temporary) {
        sync_directory(f->target);
    }
    release_file(f);
    return ok;
}

void outfile_abort(struct outfile *f)
{
    if (!f) return;
    remove_temporary(f);
    release_file(f);
}

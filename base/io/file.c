/* file.c - see file.h: reading whole files, maps, directories, paths. */
#include "base/io/file.h"

#include "base/io/plain_text.h"
#include "base/memory/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Whether the kernel makes the file's contents up: its size is not known, and reading it may wait
 * (/proc/kmsg) or have effects. */
static bool is_made_up(const struct statfs *fs)
{
    return fs->f_type == PROC_SUPER_MAGIC || fs->f_type == SYSFS_MAGIC;
}

/* Why a file must not be read; NULL: it may. Reads of a pipe then block until its writers write. */
static const char *refusal_of(int fd, enum file_kinds kinds)
{
    struct stat st;
    struct statfs fs;
    if (fstat(fd, &st) != 0 || fstatfs(fd, &fs) != 0) return strerror(errno);
    if (S_ISREG(st.st_mode)) return is_made_up(&fs) ? "it is a file of the kernel's" : NULL;
    if (S_ISDIR(st.st_mode)) return strerror(EISDIR);
    if (kinds == FILE_REGULAR) return "it is no regular file";
    if (!S_ISFIFO(st.st_mode)) return "it is neither a regular file nor a pipe";
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0 ? NULL : strerror(errno);
}

int file_open_to_read(const char *path, enum file_kinds kinds, struct error *e)
{
    int fd = -1;
    if (shim_fails(SHIM_OPEN))
        errno = EIO;
    else
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const char *why = fd < 0 ? strerror(errno) : refusal_of(fd, kinds);
    if (!why) return fd;
    error_input(e, "%s: cannot be opened: %s", path, why);
    if (fd >= 0) close(fd);
    return -1;
}

bool file_may_be_empty(int fd, const char *path, struct error *e)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISFIFO(st.st_mode)) return true;
    return error_input(e, "%s: a pipe into which nobody writes; a regular file is needed", path);
}

bool filemap_open(struct filemap *m, const char *path, struct error *e)
{
    struct stat st;
    *m = (struct filemap){0};
    int fd = file_open_to_read(path, FILE_REGULAR, e);
    if (fd < 0) return false;
    bool ok = fstat(fd, &st) == 0;
    if (ok && st.st_size > 0) {
        void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        ok = p != MAP_FAILED;
        if (ok) *m = (struct filemap){.bytes = p, .n = (size_t)st.st_size};
    }
    if (!ok) error_run(e, "%s: cannot be mapped: %s", path, strerror(errno));
    close(fd);
    return ok;
}

void filemap_close(struct filemap *m)
{
    if (m->n) munmap((void *)(uintptr_t)m->bytes, m->n);
    *m = (struct filemap){0};
}

/* What of a file is read whole. */
struct whole {
    const char *path;
    int fd;
    size_t most; /* bytes */
    bool text;   /* stop behind the first NUL */
};

static bool tell_large(const struct whole *w, struct error *e)
{
    return error_input(e, "%s: more than %zu MiB; no file of its kind is so large", w->path,
                       w->most >> 20);
}

/* Reads the rest of the file into new memory, with room for a NUL. */
static bool read_rest(const struct whole *w, char **bytes, size_t *n, struct error *e)
{
    struct stat st;
    size_t cap = 0;
    bool known = fstat(w->fd, &st) == 0 && st.st_size > 0;
    if (known && (uint64_t)st.st_size > w->most) return tell_large(w, e);
    if (known) {
        cap = (size_t)st.st_size + 4096; /* the room that shows the end of the file */
        *bytes = mem_new_unset(cap, 1);
        if (!*bytes) return error_no_memory(e);
    }
    for (;;) {
        if (!mem_grow(bytes, &cap, *n + 4096, 1)) return error_no_memory(e);
        ssize_t got = read(w->fd, *bytes + *n, cap - *n - 1);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return error_run(e, "%s: cannot be read: %s", w->path, strerror(errno));
        if (got == 0) break;
        bool no_text = w->text && memchr(*bytes + *n, 0, (size_t)got);
        *n += (size_t)got;
        if (no_text) break;
        if (*n > w->most) return tell_large(w, e);
    }
    (*bytes)[*n] = '\0';
    return true;
}

static bool read_whole(struct whole *w, char **bytes, size_t *n, struct error *e)
{
    *bytes = NULL;
    *n = 0;
    w->fd = file_open_to_read(w->path, FILE_OR_PIPE, e);
    if (w->fd < 0) return false;
    bool ok = read_rest(w, bytes, n, e) && (*n > 0 || file_may_be_empty(w->fd, w->path, e));
    close(w->fd);
    if (!ok) {
        mem_free(*bytes);
        *bytes = NULL;
        *n = 0;
    }
    return ok;
}

bool file_read_bytes(const char *path, char **bytes, size_t *n, struct error *e)
{
    struct whole w = {.path = path, .most = FILE_TABLE_MAX};
    return read_whole(&w, bytes, n, e);
}

bool file_read_upto(const char *path, size_t most, char **bytes, size_t *n, struct error *e)
{
    struct whole w = {.path = path, .most = most, .text = true};
    if (!read_whole(&w, bytes, n, e)) return false;
    const char *why = plain_text_refusal(*bytes, *n);
    if (why) {
        mem_free(*bytes);
        *bytes = NULL;
        *n = 0;
        return error_input(e, "%s: %s", path, why);
    }
    *n = plain_text_clean(*bytes, *n);
    (*bytes)[*n] = '\0';
    return true;
}

bool file_read(const char *path, char **bytes, size_t *n, struct error *e)
{
    return file_read_upto(path, FILE_READ_MAX, bytes, n, e);
}

bool file_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

bool file_may_exist(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0) return true;
    /* in a current folder that may not be searched, every relative path would be one that may */
    bool untold = errno == EACCES || errno == ELOOP;
    return untold && (*path == '/' || access(".", X_OK) == 0);
}

bool file_is_regular(const char *path)
{
    struct stat st;
    struct statfs fs;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && statfs(path, &fs) == 0 &&
           !is_made_up(&fs);
}

bool file_same(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool file_is_dir(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

uint64_t file_stamp(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) return 0;
    uint64_t ns = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
    return ns * 31 + (uint64_t)st.st_size;
}

static bool make_dir(const char *path, struct error *e)
{
    if (mkdir(path, 0777) == 0) return true;
    int why = errno; /* asking whether it is there changes errno */
    return file_is_dir(path) || error_run(e, "%s: cannot be created: %s", path, strerror(why));
}

bool file_make_dirs(const char *path, struct error *e)
{
    char *part = mem_strdup(path);
    if (!part) return error_no_memory(e);
    bool ok = true;
    for (char *p = part; ok && (p = strchr(p + 1, '/'));) {
        *p = '\0';
        ok = file_is_dir(part) || make_dir(part, e);
        *p = '/';
    }
    ok = ok && make_dir(part, e);
    mem_free(part);
    return ok;
}

char *file_join(const char *dir, const char *name)
{
    size_t n = strlen(dir), m = strlen(name);
    bool slash = n > 0 && dir[n - 1] != '/';
    char *path = mem_new(n + m + 2, 1);
    if (!path) return NULL;
    memcpy(path, dir, n);
    if (slash) path[n] = '/';
    memcpy(path + n + slash, name, m);
    return path;
}

char *file_cache_dir(void)
{
    const char *root = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *base, *dir;
    if (root && root[0] == '/') {
        base = mem_strdup(root); /* the XDG specification ignores relative paths */
    } else {
        base = home && home[0] ? file_join(home, ".cache") : NULL;
    }
    if (!base) return NULL;
    dir = file_join(base, "plumb");
    mem_free(base);
    if (dir && file_make_dirs(dir, NULL)) return dir;
    mem_free(dir);
    return NULL;
}

/* cache_trim.c - file_trim: bounds the size of folders whose files can be made again. */
#include "base/io/file.h"
#include "base/memory/alloc.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool ends_in(const char *name, const char *suffix)
{
    size_t n = strlen(name), m = strlen(suffix);
    return n > m && strcmp(name + n - m, suffix) == 0;
}

static bool is_before(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

/* The total size of the files with that suffix; *oldest: the path of the oldest, to be freed with
 * mem_free; NULL: there is none. */
static uint64_t find_oldest(const char *dir, const char *suffix, char **oldest)
{
    struct timespec when = {0};
    uint64_t sum = 0;
    DIR *d = opendir(dir);
    *oldest = NULL;
    for (struct dirent *entry; d && (entry = readdir(d));) {
        struct stat st;
        char *path = ends_in(entry->d_name, suffix) ? file_join(dir, entry->d_name) : NULL;
        bool counts = path && stat(path, &st) == 0 && S_ISREG(st.st_mode);
        if (counts) sum += (uint64_t)st.st_size;
        if (!counts || (*oldest && !is_before(&st.st_mtim, &when))) {
            mem_free(path);
            continue;
        }
        mem_free(*oldest);
        *oldest = path;
        when = st.st_mtim;
    }
    if (d) closedir(d);
    return sum;
}

void file_trim(const char *dir, const char *suffix, uint64_t bytes)
{
    char *oldest;
    while (find_oldest(dir, suffix, &oldest) > bytes && oldest && unlink(oldest) == 0)
        mem_free(oldest);
    mem_free(oldest);
}

/* available.c - see available.h. */
#include "base/memory/available.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The host's available memory, including reclaimable memory (page cache). */
static uint64_t of_host(void)
{
    char line[128];
    uint64_t kb, bytes = UINT64_MAX;
    FILE *f = fopen("/proc/meminfo", "re");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %" SCNu64 " kB", &kb) == 1) bytes = kb * 1024;
    if (f) fclose(f);
    return bytes;
}

/* Reads a limit; false: no such file, or "max". */
static bool number_in(const char *folder, const char *name, uint64_t *v)
{
    char path[512];
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = n > 0 && (size_t)n < sizeof path ? fopen(path, "re") : NULL;
    bool ok = f && fscanf(f, "%" SCNu64, v) == 1;
    if (f) fclose(f);
    return ok;
}

static uint64_t of_folder(const char *folder, const char *limit, const char *usage)
{
    uint64_t most, used = 0;
    if (!number_in(folder, limit, &most)) return UINT64_MAX;
    number_in(folder, usage, &used);
    return most > used ? most - used : 0;
}

/* The limit of the control groups. Version 2: of the group and all its ancestors; version 1: of the
 * memory controller, as containers mount it. */
static uint64_t of_groups(void)
{
    char line[384], folder[448];
    uint64_t bytes =
        of_folder("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes");
    FILE *f = fopen("/proc/self/cgroup", "re");
    while (f && fgets(line, sizeof line, f)) {
        if (strncmp(line, "0::/", 4) != 0) continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(folder, sizeof folder, "/sys/fs/cgroup%s", line + 3);
        for (char *end; (end = strrchr(folder, '/')) > folder + strlen("/sys/fs"); *end = '\0')
            bytes = least(bytes, of_folder(folder, "memory.max", "memory.current"));
    }
    if (f) fclose(f);
    return bytes;
}

uint64_t memory_available(void)
{
    struct rlimit own;
    uint64_t bytes = least(of_host(), of_groups());
    if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY)
        bytes = least(bytes, own.rlim_cur);
    return bytes;
}

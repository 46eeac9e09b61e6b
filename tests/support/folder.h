/* folder.h - a temporary folder for tests that need files; removed at the end. */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

static inline int folder_make(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/plumb-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int folder_remove(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* FOLDER/name; eight of them are valid at a time. */
static inline const char *in_folder(const char *name)
{
    static char path[8][512];
    static unsigned next;
    char *p = path[next++ % 8];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static inline const char *folder_file(const char *name, const char *bytes, size_t n)
{
    const char *path = in_folder(name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0) abort();
    return path;
}

static inline const char *folder_text(const char *name, const char *text)
{
    return folder_file(name, text, strlen(text));
}

/* How many entries the folder has. */
static inline int folder_entries(void)
{
    int n = 0;
    DIR *d = opendir(folder);
    if (!d) abort();
    for (struct dirent *e; (e = readdir(d));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return n;
}

#include "tests/support/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char folder_path[64];

int folder_make(void **state)
{
    (void)state;
    snprintf(folder_path, sizeof folder_path, "/tmp/plumb-test-XXXXXX");
    return mkdtemp(folder_path) ? 0 : -1;
}

int folder_remove(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder_path);
    return system(command);
}

const char *in_folder(const char *name)
{
    static char path[8][512];
    static unsigned next;
    char *p = path[next++ % 8];
    snprintf(p, sizeof path[0], "%s/%s", folder_path, name);
    return p;
}

const char *folder_file(const char *name, const char *bytes, size_t n)
{
    const char *path = in_folder(name);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0) abort();
    return path;
}

const char *folder_text(const char *name, const char *text)
{
    return folder_file(name, text, strlen(text));
}

int folder_entries(void)
{
    int n = 0;
    DIR *d = opendir(folder_path);
    if (!d) abort();
    for (struct dirent *e; (e = readdir(d));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return n;
}

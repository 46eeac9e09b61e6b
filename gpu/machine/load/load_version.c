/* load_version.c - versions of files that others build on, and the values of earlier ones; see
 * loader.h. A preset's version goes up when its values change:
 *
 *   version = 2;
 *   before  : ( { version = 1; l2 : { slice_hash = "xor"; }; } );
 *
 * and base_version = 1 beside base in a file that builds on it takes the values of version 1. */
#include "gpu/machine/load/loader.h"

#include <stdio.h>
#include <string.h>

uint32_t loader_version(struct loader *l, const struct conf_node *group, const char *name)
{
    const struct conf_node *n = conf_find(group, name);
    int64_t v = 0;
    if (!n) return 0;
    if (conf_int(n, &v) && v >= 1 && v <= UINT32_MAX) return (uint32_t)v;
    errors_add(l->all, "%s:%u: %s: this does not fit; allowed: a whole number from 1", conf_file(n),
               conf_line(n), name);
    return 0;
}

/* What `before` says of a version; NULL: nothing. */
static const struct conf_node *entry_of(const struct conf_node *before, uint32_t version)
{
    for (uint32_t i = 0; before && i < conf_count(before); i++) {
        int64_t v = 0;
        const struct conf_node *entry = conf_child(before, i);
        const struct conf_node *n = conf_find(entry, "version");
        if (n && conf_int(n, &v) && v == version) return entry;
    }
    return NULL;
}

uint32_t loader_restore(struct loader *l, const struct conf_node *root, uint32_t version,
                        uint32_t wanted)
{
    const struct conf_node *before = conf_find(root, "before");
    if (before && conf_type(before) != CONF_LIST)
        errors_add(l->all, "%s:%u: before: this does not fit; allowed: a list ( ... )",
                   conf_file(before), conf_line(before));
    while (wanted > 0 && version > wanted) {
        const struct conf_node *entry = entry_of(before, version - 1);
        l->layer++; /* its choices end settings of the versions behind it */
        for (uint32_t i = 0; entry && i < conf_count(entry); i++)
            if (strcmp(conf_name(conf_child(entry, i)), "version") != 0)
                loader_top(l, conf_child(entry, i));
        if (!entry) return version;
        version--;
    }
    return version;
}

void loader_compare_versions(struct loader *l, const struct conf_node *root, uint32_t stated)
{
    const struct conf_node *n = conf_find(root, "base_version"), *base = conf_find(root, "base");
    const char *name = base ? conf_text(base) : NULL;
    if (!n) return;
    if (!base)
        errors_add(l->all, "%s:%u: base_version: there is no base; allowed: beside base",
                   conf_file(n), conf_line(n));
    if (stated == 0 || !name || stated == l->version) return;
    char why[96];
    if (l->version == 0)
        snprintf(why, sizeof why, "which states no version; its values may have changed");
    else if (l->version > stated)
        snprintf(why, sizeof why, "which does not keep them; these are those of version %u",
                 l->version);
    else
        snprintf(why, sizeof why, "which is at version %u and may lack what was there", l->version);
    snprintf(l->m->moved, sizeof l->m->moved,
             "%s:%u: written for the values of version %u of %s, %s", conf_file(n), conf_line(n),
             stated, name, why);
}

/* A value of the newest earlier version that has another one; *version: which. NULL: none. */
const struct conf_node *loader_earlier(const struct loader *l, const char *path, uint32_t *version)
{
    const struct conf_node *found = NULL;
    *version = 0;
    for (uint32_t i = 0; l->before && i < conf_count(l->before); i++) {
        const struct conf_node *n = conf_child(l->before, i), *v = conf_find(n, "version");
        char word[PATH_MAX_LENGTH];
        int64_t number = 0;
        for (const char *s = path; n && *s; s += *s == '.') {
            size_t length = strcspn(s, ".");
            snprintf(word, sizeof word, "%.*s", (int)length, s);
            n = conf_find(n, word);
            s += length;
        }
        if (!n || !v || !conf_int(v, &number) || number <= (int64_t)*version) continue;
        *version = (uint32_t)number;
        found = n;
    }
    return found;
}

/* bank_place.c - see bank_place.h. */
#include "calibration/bank/bank_place.h"

#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "base/text/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* A file of that name in the cache directory, to be freed with mem_free; NULL: *e. */
static char *in_cache(const char *name, struct error *e)
{
    char *dir = file_cache_dir();
    char *path = dir ? file_join(dir, name) : NULL;
    if (!dir)
        error_run(e, "there is no cache directory; set XDG_CACHE_HOME or PLUMB_BANK");
    else if (!path)
        error_no_memory(e);
    mem_free(dir);
    return path;
}

bool bank_place_is_off(void)
{
    char *marker = in_cache("bank.off", NULL);
    bool off = marker && access(marker, F_OK) == 0;
    mem_free(marker);
    return off;
}

bool bank_place_switch(bool on, struct error *e)
{
    char *marker = in_cache("bank.off", e);
    if (!marker) return false;
    bool ok = true;
    if (on) {
        ok = unlink(marker) == 0 || errno == ENOENT ||
             error_run(e, "%s: cannot be removed: %s", marker, strerror(errno));
    } else {
        struct outfile *f = outfile_open(marker, e);
        if (f) outfile_printf(f, "'plumb bank off' made this file; 'plumb bank on' removes it\n");
        ok = f && outfile_commit(f, e);
    }
    mem_free(marker);
    return ok;
}

char *bank_place_default(struct error *e)
{
    return in_cache("bank.db", e);
}

static bool says_none(const char *word)
{
    return strcasecmp(word, "none") == 0 || strcasecmp(word, "off") == 0;
}

bool bank_place(const char *option, char **path, struct error *e)
{
    const char *word = option ? option : getenv("PLUMB_BANK");
    *path = NULL;
    if (word && word[0]) {
        if (says_none(word)) return true;
        *path = mem_strdup(word);
        return *path || error_no_memory(e);
    }
    if (bank_place_is_off()) return true;
    *path = bank_place_default(e);
    return *path != NULL;
}

bool bank_place_bound(uint64_t *bytes, struct error *e)
{
    const char *word = getenv("PLUMB_BANK_MB"), *s = word;
    uint64_t mb = BANK_MB;
    bool ok = !word || !word[0] ||
              (text_whole(&s, 10, &mb) && !*s && mb >= 1 && mb <= (uint64_t)BANK_MB_MAX);
    *bytes = mb << 20;
    return ok || error_input(e, "PLUMB_BANK_MB=%.40s: expected a whole number of 1 to %d", word,
                             BANK_MB_MAX);
}

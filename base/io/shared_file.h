/* shared_file.h - small files by which processes on several hosts agree, in a directory that they
 * share, also over NFS.
 *
 * Two operations are atomic there: creating a file that must not exist (O_CREAT | O_EXCL), and
 * giving a complete file a name that must not exist (link).  Times are those of the disk's server,
 * never of the host: they are compared only with each other.  A host may serve a look at a file
 * from its cache, so the looks here open the file, which makes an NFS client ask the server.
 *
 * Source: open(2), link(2), nfs(5) ("Data and metadata coherence"). */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum shared_made { SHARED_MADE, SHARED_EXISTS, SHARED_ERROR };
/* Creates the file and writes the text, which a reader may see later than the file; exactly one of
 * several callers gets SHARED_MADE. */
enum shared_made shared_file_create(const char *path, const char *text, struct error *e);
/* The same, but nobody sees the file before its text is complete. */
enum shared_made shared_file_publish(const char *path, const char *text, struct error *e);

/* Nanoseconds of the server's clock. */
typedef int64_t shared_time;
/* Creates the file if it does not exist and sets its time to now, which *now gets (NULL: not
 * wanted). */
bool shared_file_clock(const char *path, shared_time *now, struct error *e);
/* Sets the time of a file that exists to now; false: it does not, or cannot be reached. */
bool shared_file_touch(const char *path);
/* Sets its time to 0, which no touch does. */
bool shared_file_expire(const char *path);
/* Its time; false: it does not exist, or cannot be reached. */
bool shared_file_time(const char *path, shared_time *t);

/* Called with the name of each entry of a directory; returning false ends the list. */
typedef bool shared_entry_fn(const char *name, void *ctx);
bool shared_file_list(const char *dir, shared_entry_fn *each, void *ctx, struct error *e);

/* file.h - the only module that opens files.
 *
 * Writing is atomic: a temporary file next to the target, fsync, rename. A killed or failed run
 * leaves the old file unchanged. Reading: whole files, memory maps, and line streams that unpack
 * .xz, .gz and .zst by content (magic bytes), not by name. Errors name the path and the system's
 * reason. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct outfile; /* heap, opaque */
struct outfile *outfile_open(const char *path, struct error *e);
/* Write errors are sticky: they surface at commit. */
void outfile_write(struct outfile *f, const void *bytes, size_t n);
void outfile_printf(struct outfile *f, const char *fmt, ...) PLUMB_PRINTF(2, 3);
uint64_t outfile_tell(const struct outfile *f);
/* Frees f in either case; false: the target is unchanged. */
bool outfile_commit(struct outfile *f, struct error *e);
void outfile_abort(struct outfile *f); /* frees f, removes the temporary */

struct filemap {
    const unsigned char *bytes;
    size_t n;
};
/* An empty file maps to n = 0. */
bool filemap_open(struct filemap *m, const char *path, struct error *e);
void filemap_close(struct filemap *m);

/* Reads a whole text, NUL-terminated, to be freed with mem_free. For files written by people: byte
 * order mark and carriage returns are taken away (plain_text.h); a device, more than FILE_READ_MAX
 * bytes (of a pipe that never ends, as well), and what is no text, is refused. */
enum { FILE_READ_MAX = 16 << 20, FILE_TABLE_MAX = 256 << 20 };
bool file_read(const char *path, char **bytes, size_t *n, struct error *e);
/* The same for at most so many bytes: FILE_TABLE_MAX for what other programs write. */
bool file_read_upto(const char *path, size_t most, char **bytes, size_t *n, struct error *e);
/* The same for any bytes, as they are, up to FILE_TABLE_MAX. */
bool file_read_bytes(const char *path, char **bytes, size_t *n, struct error *e);
/* Opens a file for reading; -1: *e says why. Devices, terminals and folders are refused.
 * FILE_OR_PIPE allows pipes for files that are read once from their beginning (a shell's process
 * substitution, /dev/stdin): opening never waits for a writer, and a pipe without a writer is
 * empty. */
enum file_kinds { FILE_REGULAR, FILE_OR_PIPE };
int file_open_to_read(const char *path, enum file_kinds kinds, struct error *e);
/* Called for a file that was read to its end and was empty: false, with *e, if it is a pipe. */
bool file_may_be_empty(int fd, const char *path, struct error *e);
bool file_exists(const char *path);
/* The same, or it cannot be told, because a folder on the way may not be searched or links lead
 * round in a circle: for a file that the user named, so that opening it says the reason, and not
 * that there is none. */
bool file_may_exist(const char *path);
bool file_is_regular(const char *path); /* what FILE_REGULAR opens */
/* Whether both paths lead to one file. */
bool file_same(const char *a, const char *b);
bool file_is_dir(const char *path);
/* A number that changes when the file is written; 0: it is not there. */
uint64_t file_stamp(const char *path);
bool file_make_dirs(const char *path, struct error *e); /* like mkdir -p */
/* $XDG_CACHE_HOME/plumb (else ~/.cache/plumb), created; NULL without one.  mem_free it. */
char *file_cache_dir(void);
/* Removes the oldest of the files in `dir` whose names end in `suffix` until the rest take at most
 * `bytes` together. */
void file_trim(const char *dir, const char *suffix, uint64_t bytes);
/* "dir/name", mem_free it; NULL: no memory. */
char *file_join(const char *dir, const char *name);

/* Unpacking byte stream. */
struct instream;
struct instream *instream_open(const char *path, struct error *e);
/* The next line without its end ("\n" or "\r\n"; the first one without a byte order mark),
 * NUL-terminated, valid until the next call; NULL at the end or on an error (*e set: truncated or
 * corrupt archive, line longer than 1 MiB, no text: plain_text.h, INSTREAM_IDLE_MAX bytes of lines
 * of which none was useful: a few kilobytes of an archive can hold gigabytes of empty lines). */
enum { INSTREAM_IDLE_MAX = 2 << 20 };
char *instream_line(struct instream *s, size_t *len, struct error *e);
/* To be called when the last line has something to be run: not for an empty line, a comment, or a
 * line of a header. */
void instream_useful(struct instream *s);
uint64_t instream_line_number(const struct instream *s); /* of the last line returned, from 1 */
void instream_close(struct instream *s);

/* zstd_frame.h - zstd frames in memory, for trace segments and profiles. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct zstd_frame;                       /* reusable contexts; one per thread */
struct zstd_frame *zstd_frame_new(void); /* NULL: no memory */
void zstd_frame_free(struct zstd_frame *c);
size_t zstd_frame_bound(size_t n);
/* Bytes written, 0 on failure. */
size_t zstd_frame_pack(struct zstd_frame *c, void *out, size_t cap, const void *in, size_t n,
                       int level);
/* Packs bytes that are much like others, `like`, which whoever unpacks the frame must have: only
 * what differs takes room. */
size_t zstd_frame_pack_like(struct zstd_frame *c, void *out, size_t cap, const void *in, size_t n,
                            const void *like, size_t like_n, int level);
/* Whether the frame's header gives n unpacked bytes; to be checked before n bytes are allocated. */
bool zstd_frame_holds(const void *in, size_t packed, size_t n);
/* Unpacks a frame; true if and only if it is complete and unpacks to n bytes. */
bool zstd_frame_unpack(struct zstd_frame *c, void *out, size_t n, const void *in, size_t packed);
/* Unpacks what zstd_frame_pack_like packed. */
bool zstd_frame_unpack_like(struct zstd_frame *c, void *out, size_t n, const void *in,
                            size_t packed, const void *like, size_t like_n);

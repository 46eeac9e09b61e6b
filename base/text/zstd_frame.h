/* zstd_frame.h - zstd frames in memory, for trace segments and profiles. */
#ifndef PLUMB_BASE_TEXT_ZSTD_FRAME_H
#define PLUMB_BASE_TEXT_ZSTD_FRAME_H

#include <stdbool.h>
#include <stddef.h>

struct codec;                  /* reusable contexts; one per thread */
struct codec *codec_new(void); /* NULL: no memory */
void codec_free(struct codec *c);
size_t codec_bound(size_t n);
/* Bytes written, 0 on failure. */
size_t codec_pack(struct codec *c, void *out, size_t cap, const void *in, size_t n, int level);
/* Whether the frame says that it unpacks to n bytes: asked before n bytes are taken. */
bool codec_holds(const void *in, size_t packed, size_t n);
/* true exactly when the frame is whole and unpacks to n bytes. */
bool codec_unpack(struct codec *c, void *out, size_t n, const void *in, size_t packed);

#endif

/* storegpu.c - MD5 sums of blocks of data, as a content-addressed store needs them.
 *
 * Usage: storegpu [BLOCKS [BYTES]]      256 256 if not given; multiples of 64
 * Compared with the host's sums (RFC 1321); the first block is zeros, and its sum is printed. */
#include "common/program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GROUP = 64, CHUNK = 64, DIGEST = 16, WORD = sizeof(cl_uint) };

static cl_uint turn_left(cl_uint x, unsigned n)
{
    return x << n | x >> (32 - n);
}

/* One of the four functions of RFC 1321 and the word that goes with it. */
static cl_uint step(unsigned i, const cl_uint s[4], const cl_uint *word)
{
    cl_uint b = s[1], c = s[2], d = s[3];
    switch (i / 16) {
    case 0: return (d ^ (b & (c ^ d))) + word[i];
    case 1: return (c ^ (d & (b ^ c))) + word[(5 * i + 1) % 16];
    case 2: return (b ^ c ^ d) + word[(3 * i + 5) % 16];
    default: return (c ^ (b | ~d)) + word[7 * i % 16];
    }
}

static void add_chunk(cl_uint state[4], const cl_uint *word, const cl_uint *sine)
{
    static const unsigned turn[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    cl_uint s[4];
    memcpy(s, state, sizeof s);
    for (unsigned i = 0; i < 64; i++) {
        cl_uint sum = s[0] + step(i, s, word) + sine[i];
        cl_uint next[4] = {s[3], s[1] + turn_left(sum, turn[i / 16][i % 4]), s[1], s[2]};
        memcpy(s, next, sizeof s);
    }
    for (unsigned k = 0; k < 4; k++)
        state[k] += s[k];
}

static void md5(const cl_uint *data, cl_uint chunks, const cl_uint *sine, cl_uint out[4])
{
    static const cl_uint start[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    const cl_uint end[16] = {[0] = 0x80, [14] = chunks * CHUNK * 8};
    memcpy(out, start, sizeof start);
    for (cl_uint i = 0; i < chunks; i++)
        add_chunk(out, data + i * (CHUNK / WORD), sine);
    add_chunk(out, end, sine);
}

static void name_digest(const cl_uint *digest, char out[2 * DIGEST + 1])
{
    for (unsigned i = 0; i < DIGEST; i++)
        snprintf(out + 2 * i, 3, "%02x", digest[i / WORD] >> 8 * (i % WORD) & 255);
}

int main(int argc, char **argv)
{
    struct program p;
    program_open(&p, "storegpu", "storegpu [BLOCKS [BYTES]], multiples of 64", argc, argv);
    cl_uint blocks = program_step(&p, 256, GROUP, 1 << 20, GROUP);
    cl_uint bytes = program_step(&p, 256, CHUNK, 1 << 20, CHUNK), chunks = bytes / CHUNK;
    size_t words = (size_t)blocks * bytes / WORD;
    program_demand(&p, words <= 1u << 28);
    program_start(&p);
    struct data_random r = {1};
    cl_uint *data = program_array(&p, words, WORD), sine[64];
    for (size_t i = bytes / WORD; i < words; i++)
        data[i] = data_next(&r);
    for (unsigned i = 0; i < 64; i++)
        sine[i] = (cl_uint)floor(fabs(sin(i + 1)) * 0x1p32);
    cl_uint *want = program_array(&p, blocks, DIGEST);
    for (size_t i = 0; i < blocks; i++)
        md5(data + i * bytes / WORD, chunks, sine, want + i * (DIGEST / WORD));
    cl_mem in = program_buffer(&p, words * WORD, data);
    cl_mem table = program_buffer(&p, sizeof sine, sine);
    cl_mem out = program_buffer(&p, blocks * (size_t)DIGEST, NULL);
    cl_kernel kernel = program_kernel(&p, "md5_blocks", "bbbu", in, table, out, chunks);
    host_launch(&p.host, kernel, blocks, GROUP);
    const cl_uint *got = program_read(&p, out, blocks * (size_t)DIGEST);
    char first[2 * DIGEST + 1];
    name_digest(got, first);
    return program_end(&p, data_wrong_bytes(got, want, blocks, DIGEST), "%u blocks, first %s",
                       blocks, first);
}

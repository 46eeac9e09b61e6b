/* MD5 of each of many blocks of data, a block per work-item.  A group brings 64 bytes of each of
 * its blocks into local memory at a time, in rows; a work-item's words are a column there, one word
 * longer than the group so that rows and columns both spread over the banks. */
enum { GROUP = 64, COLUMN = GROUP + 1, WORDS = 16 };

__constant uchar turns[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

uint4 md5_chunk(uint4 state, __local const uint *word, __constant const uint *sine)
{
    uint a = state.x, b = state.y, c = state.z, d = state.w;
    for (uint i = 0; i < 64; i++) {
        uint round = i / 16, mix, at;
        if (round == 0) {
            mix = (b & c) | (~b & d);
            at = i;
        } else if (round == 1) {
            mix = (d & b) | (~d & c);
            at = 5 * i + 1;
        } else if (round == 2) {
            mix = b ^ c ^ d;
            at = 3 * i + 5;
        } else {
            mix = c ^ (b | ~d);
            at = 7 * i;
        }
        uint sum = a + mix + sine[i] + word[(at & 15) * COLUMN];
        a = d;
        d = c;
        c = b;
        b += rotate(sum, (uint)turns[4 * round + (i & 3)]);
    }
    return state + (uint4)(a, b, c, d);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
md5_blocks(__global const uint *data, __constant const uint *sine, __global uint4 *digest,
           uint chunks)
{
    __local uint tile[WORDS * COLUMN];
    uint item = get_local_id(0), first = get_group_id(0) * GROUP;
    uint4 state = (uint4)(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
    for (uint chunk = 0; chunk < chunks; chunk++) {
        for (uint i = item; i < GROUP * WORDS; i += GROUP) {
            uint block = i / WORDS, word = i % WORDS;
            tile[word * COLUMN + block] = data[((first + block) * chunks + chunk) * WORDS + word];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        state = md5_chunk(state, tile + item, sine);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint word = 0; word < WORDS; word++)
        tile[word * COLUMN + item] = word == 0 ? 0x80 : word == 14 ? chunks * 512 : 0;
    digest[first + item] = md5_chunk(state, tile + item, sine);
}

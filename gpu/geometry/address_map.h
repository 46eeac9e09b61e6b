/* address_map.h - the place of a physical address: L2 slice, memory channel, bank, row, column.
 *
 * Slices: the address space is cut into blocks of `interleave_bytes`; `slices` consecutive blocks
 * make a stripe; the blocks of a stripe are distributed over all slices, one each:
 *
 *   modulo  slice = block mod slices.
 *   xor     Slices a power of two: the XOR of all digits of the block number to the base `slices`,
 *           so that any run of `slices` blocks a power of two apart visits all slices.
 *           Any other number: the stripe is rotated by a multiplicative (Fibonacci) hash of its
 *           number; power-of-two strides spread nearly evenly.  (Hashing the whole block number
 *           before the modulo, instead, would map two addresses to one place.)
 *           So the bits above the interleave, of row and bank alike, all take part (Khairy II).
 *           Strides of an odd number of blocks stay within 25 % of even over the rotated stripes;
 *           the XOR has its own bad strides (slices + 1 blocks: two equal digits cancel).
 *   ipoly   A power of two of slices: the remainder of the block number, read as a polynomial over
 *           GF(2), by an irreducible one (gpu/geometry/set_index.h; Rau 1991).
 *   ipoly_modulo
 *           The same over the next power of two (stripe and place in it are its digits), modulo the
 *           number of slices (Accel-Sim over 24, 48 or 80 slices).
 *   random
 *           A hash of the block's number that mixes all its bits (Steele 2014), as Accel-Sim's
 *           random partitions.
 *
 * The last two do not give each slice one block of a stripe: blocks of one stripe may have the same
 * place in a slice's channel, as they have in Accel-Sim. Places there are for the timing of rows
 * alone.
 *
 * Channels: if there are more slices than channels, consecutive slices share a channel (slice /
 * (slices / channels)); if there are fewer, a slice's stripes are distributed over its channels by
 * the same hash. Either number must divide the other. With dram.channel_deal = hash, the blocks are
 * dealt to the channels as `xor` deals them to slices, whatever their slices: in a stripe of as
 * many blocks as channels, each has one, so that channel-local addresses have no gaps.
 *
 * Inside a channel the remaining address (channel-local, without gaps) is cut into the fields of
 * dram.mapping (gpu/machine/params/dram/dram_mapping.h). Addresses beyond the capacity wrap.
 *
 * If dram.mapping names the channel, it cuts the whole address instead. Then the slices are either
 * distributed as above, and each reaches every channel; or they follow from the channel (slice_hash
 * = channel): each channel has slices / channels consecutive slices, to which the address bits
 * above the channel's distribute its blocks in turn; with fewer slices than channels, slice =
 * channel mod slices.
 *
 * bank_hash = xor: the flat bank inside the rank is XORed with the low bits of the row (Khairy II);
 * bits: with those of a list. channel_hash: the mapping's channel is XORed with bits of the row and
 * of the mapping's bank (gpu/geometry/xor_hash.h). Row, and then bank, determine what was XORed, so
 * that the map stays one to one.
 *
 * A second memory (dram[1]) has addresses from MAP_SECOND_MEMORY on and a map of its own; its
 * blocks are distributed over the slices by their number (Mao 5.5.1.1; [A] which slice).
 *
 * Partitions of the L2 (l2.partitions): what is above gives the home slice of an address; each
 * partition has slices / partitions consecutive slices, and the one that serves the address to its
 * SMs is the home slice modulo that number among them.
 *
 * All functions are pure; map_init precomputes shifts. Equal maps are equal byte by byte, so that
 * they can serve as keys. */
#pragma once

#include "base/error.h"
#include "gpu/geometry/xor_hash.h"
#include "gpu/machine/params/dram/dram.h"
#include "gpu/machine/params/dram/dram_mapping.h"
#include "gpu/machine/params/l2.h"

#define MAP_SECOND_MEMORY (UINT64_C(1) << 40)

struct coord {
    uint32_t slice, channel;
    /* rank: counted over the pseudo-channels; bank: within its group. */
    uint32_t rank, bankgroup, bank;
    uint32_t flat_bank;   /* 0..ranks*bankgroups*banks_per_group-1, with ranks counted as above */
    uint32_t row, column; /* column: byte offset in the row */
};

/* Distribution of blocks to n places. */
struct map_deal {
    uint32_t n;
    uint32_t shift;  /* log2(n) if n is a power of two, else 0 */
    uint32_t above;  /* ipoly_modulo: log2 of the next power of two above n */
    uint32_t widest; /* xor: the widest fold in bits, a power of two of digits, below 64 */
    bool pow2;
    enum slice_hash hash;
};

struct map {
    uint32_t slices, channels, interleave_bytes;
    uint32_t interleave_shift;
    /* channel_deal: over a slice's channels; n = 1 if it has only one. */
    struct map_deal slice_deal, channel_deal;
    uint32_t slices_per_channel; /* slices that share a channel; 1 if there are fewer slices than
                                    channels */
    bool named;                  /* the mapping names the channel */
    bool second;                 /* set by the owner: there is a second memory */
    bool follows;                /* slice_hash = channel: the slice follows from the channel */
    uint32_t above_channel;      /* follows: lowest address bit above the channel's */
    struct {
        uint32_t mask;
        /* enum mapping_field; its lowest bit in the local address, and in the field. */
        uint8_t field, from, at;
    } part[MAPPING_PARTS_MAX]; /* low to high */
    uint32_t n_parts;
    bool flat_bank;                    /* the bank field includes the bank group */
    bool sharing_pow2;                 /* slices_per_channel is a power of two: */
    uint32_t sharing_shift;            /* its log2 */
    uint32_t banks_shift, group_shift; /* log2 of a rank's banks, of a group's */
    uint32_t pseudo_shift;             /* log2 of a pseudo-channel's ranks */
    enum bank_hash bank_hash;
    struct xor_hash bank_bits, channel_bits;
    uint32_t partitions, near_slices; /* of the L2, and slices of each */
    uint32_t lanes;                   /* slices that send operations to one channel, at most */
    bool hashed;                      /* channel_deal is of all blocks over all channels */
    bool several;                     /* each partition sends to all channels (map_lane) */
    bool sms_in_turn;                 /* consecutive SMs are of different partitions */
    uint32_t ranks, bankgroups, banks_per_group, rows, row_bytes; /* ranks: of a channel */
};

/* false: the mapping string does not fit the geometry (names the field and what is allowed). */
bool map_init(struct map *m, const struct l2_params *l2, const struct dram_params *d,
              struct error *e);
/* The map of a second memory. */
bool map_init_second(struct map *m, const struct l2_params *l2, const struct dram_params *d,
                     struct error *e);
/* The slice alone, for the network's hot path. */
uint32_t map_slice(const struct map *m, uint64_t addr);
struct coord map_addr(const struct map *m, uint64_t addr);
uint32_t map_channel(const struct map *m, uint64_t addr); /* only the channel */
/* The address of a place: the inverse of map_addr, for mappings that name the channel. Reads
 * channel, flat_bank, row and column of *at. */
uint64_t map_inverse(const struct map *m, const struct coord *at);
/* The partition of an SM, one of `sms`: SMs in a row belong together or take turns, and partitions
 * differ by one SM at most. */
static inline uint32_t map_partition(const struct map *m, uint32_t sms, uint32_t sm)
{
    if (m->partitions <= 1) return 0;
    return m->sms_in_turn ? sm % m->partitions : sm * m->partitions / sms;
}
/* The slice of a partition that serves what has that home slice, as map_slice says. */
static inline uint32_t map_near_slice(const struct map *m, uint32_t home, uint32_t partition)
{
    return partition * m->near_slices + home % m->near_slices;
}
/* Whether a slice fetches the address from memory for its SMs. */
static inline bool map_slice_fetches(const struct map *m, uint32_t slice, uint64_t addr)
{
    uint32_t home = map_slice(m, addr);
    return (m->several ? map_near_slice(m, home, slice / m->near_slices) : home) == slice;
}
/* Blocks of which one channel's part of a memory-side cache gets an equal share: its sets are
 * numbered without them. */
static inline uint32_t map_part_blocks(const struct map *m)
{
    return m->slices > m->channels && !m->hashed ? m->slices : m->channels;
}
/* Whether all addresses of a slice lie in one channel. */
static inline bool map_slice_tells_channel(const struct map *m)
{
    if (m->several) return false;
    return m->named ? m->follows && m->slices >= m->channels : m->channel_deal.n == 1;
}
/* Where slices share channels: the slice's channel; *index: its number among the channel's slices.
 */
static inline uint32_t map_shared_channel(const struct map *m, uint32_t slice)
{
    return m->sharing_pow2 ? slice >> m->sharing_shift : slice / m->slices_per_channel;
}
static inline uint32_t map_share(const struct map *m, uint32_t slice)
{
    return slice - map_shared_channel(m, slice) * m->slices_per_channel;
}
/* Bytes within which blocks may lie side by side in one channel: as many as its slices, which have
 * neighbouring numbers. */
static inline uint64_t map_shared_bytes(const struct map *m)
{
    uint32_t blocks = map_slice_tells_channel(m) ? m->slices_per_channel : 1;
    return (uint64_t)blocks << m->interleave_shift;
}
/* The channel of an address of that slice. The address must be decoded only if a slice reaches
 * several channels. */
static inline uint32_t map_channel_of_slice(const struct map *m, uint32_t slice, uint64_t addr)
{
    return map_slice_tells_channel(m) ? map_shared_channel(m, slice) : map_channel(m, addr);
}
/* The number of a slice among those that send operations for the address to its channel, below
 * m->lanes. Where partitions are L2s of their own, the slices of each partition do. */
uint32_t map_lane_of_partition(const struct map *m, uint32_t slice, uint64_t addr);
static inline uint32_t map_lane(const struct map *m, uint32_t slice, uint64_t addr)
{
    return m->several ? map_lane_of_partition(m, slice, addr) : map_share(m, slice);
}
/* Splits a channel-local address into fields; coord.slice = 0. Precondition: the mapping does not
 * name the channel. */
struct coord map_local(const struct map *m, uint32_t channel, uint64_t local);

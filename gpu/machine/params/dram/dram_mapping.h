/* dram_mapping.h - the text of dram.mapping: how an address is cut into fields.
 *
 * Fields are listed from high to low, separated by colons: row, pseudo, rank, bankgroup, bank,
 * column, channel. Without a channel the text describes the address inside a channel, and the
 * channel follows from the slice; with one, it describes the whole physical address. A field may be
 * split: "name[bits]" takes that many bits; a "name" alone takes the rest of its total and must be
 * the last of its name.
 *
 *     totals   row        log2(rows)
 *              pseudo     log2(pseudo_channels)
 *              rank       log2(ranks)
 *              bankgroup  log2(bankgroups)
 *              bank       log2(banks_per_group); where no bankgroup is named, log2(bankgroups)
 *                         more: the flat bank, whose group is flat / banks_per_group
 *              column     log2(row_bytes * lockstep): columns count bytes
 *              channel    log2(channels), if it is named; then a power of two
 *
 * Every field with a total above 0 must occur and be covered exactly. The parts of a field are
 * joined in the order in which they occur. Example (Accel-Sim's QV100,
 * RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS): "row:bank[3]:column[3]:bank[1]:column".
 *
 * Page colouring (Mao 2016, 5.1.2): pages that must lie in one bank have only column bits below the
 * page size; the colour, channel, rank and bank, is above: "row:rank:bank:channel:column". The bits
 * of the paper's figure 30(c) are lost. */
#pragma once

#include "base/text/text.h"
#include "gpu/machine/params/dram/dram.h"

enum mapping_field {
    MAP_ROW,
    MAP_PSEUDO,
    MAP_RANK,
    MAP_BANKGROUP,
    MAP_BANK,
    MAP_COLUMN,
    MAP_CHANNEL,
    MAP_FIELDS
};

enum { MAPPING_PARTS_MAX = 12 };

struct mapping {
    struct {
        enum mapping_field field;
        uint32_t bits;         /* may be 0 */
    } part[MAPPING_PARTS_MAX]; /* high to low */
    uint32_t n;
};

/* Precondition: d's counts are powers of two. false: `why` says what is wrong and what is allowed.
 */
bool mapping_parse(struct mapping *m, const struct dram_params *d, struct text *why);
bool dram_mapping_names_channel(const struct dram_params *d);
/* The lowest address bit that belongs to the channel; *parts: into how many parts the channel field
 * is split. */
uint32_t mapping_channel_bit(const struct mapping *m, uint32_t *parts);
/* The number of low address bits that are all column bits: aligned blocks of 2^that bytes (for
 * example pages) lie in one row of one bank. */
uint32_t mapping_low_columns(const struct mapping *m);

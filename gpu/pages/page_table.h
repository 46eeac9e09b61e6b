/* page_table.h - the page table: the frame of each page, chosen when the page is touched for the
 * first time.
 *
 * Memory: the first one (the dram part) has the lowest physical addresses; those of the second
 * (dram[1]) begin at MAP_SECOND_MEMORY. Policies: gpu/machine/params/translation/pages.h.
 *
 * Frames in order: a memory's frames by their addresses. Frames of an SM's banks: the banks of a
 * memory are numbered with the channel as the lowest digit, and an SM owns as many consecutive ones
 * as there are for each SM (fewer banks than SMs: SMs share them). A page goes to the SM's banks in
 * turn, to a row's pages one after the other; when all of them are full, to the next bank [A]. CPUs
 * own no banks: they take all in turn, and the memories by their bandwidths, whatever the GPU's
 * policy is [A: Mao 5.5.2 says only that CPUs' and GPU's pages share banks]. When all memory is
 * given away, frames are used again from the first.
 *
 * Units: bytes; frames by their number in both memories (page_table.c). Ownership: all memory is
 * the table's. State to save: page_table_serialize. Source: Mao 2016, 5.1 and 5.2. */
#pragma once

#include "base/memory/hash_map.h"
#include "gpu/geometry/address_map.h"
#include "gpu/machine/params/translation/pages.h"
#include "gpu/pages/placement.h"

enum { PAGE_MEMORIES = 2 };

/* The frames of a bank (or of a whole memory, in order) that have been given away. */
struct page_frames_used {
    uint32_t low, high; /* from the lowest address up; from the highest one down */
};

/* The frames of one memory. */
struct page_memory {
    const struct map *map;
    uint32_t frames, row_pages;    /* of the memory; of a row */
    uint32_t banks, bank_frames;   /* over its channels; frames of each */
    double weight;                 /* its peak bandwidth */
    struct page_frames_used order; /* FRAMES_IN_ORDER */
    struct page_frames_used *bank; /* [banks] FRAMES_SM_BANKS */
    uint32_t *next_bank;           /* [sms + 1] number of pages placed; the last: CPUs' */
};

struct page_table {
    struct pages_params p;
    struct placement placement; /* as others see it */
    uint32_t shift, sms, memories;
    struct page_memory memory[PAGE_MEMORIES];
    /* Pages dealt to each memory: the GPU's, the CPUs'. */
    uint32_t dealt[2][PAGE_MEMORIES];
    struct hash_map frame_of; /* by page */
    uint64_t last_page;       /* the last look-up's */
    uint32_t last_frame;
    bool no_memory;
};

/* maps, weights: of each memory; outlive the table. Call page_table_fini even if it fails. false:
 * no memory. */
bool page_table_init(struct page_table *t, const struct pages_params *p, uint32_t sms,
                     const struct map *const maps[PAGE_MEMORIES], const double *gbps);
void page_table_fini(struct page_table *t);
void page_table_clear(struct page_table *t); /* no page has a frame */
/* The physical address; a page without a frame gets one. client: an SM by its number, a CPU by sms
 * and more. */
uint64_t page_table_touch(struct page_table *t, uint64_t addr, uint32_t client);
/* false: its page has no frame. */
bool page_table_find(const struct page_table *t, uint64_t addr, uint64_t *physical);
/* Whether a memory's address lies in a bank that the SM, one of `sms`, owns, whatever the policy.
 */
bool page_table_owns(const struct map *map, uint32_t sms, uint64_t addr, uint32_t sm);
/* The same of a physical address. */
bool page_table_is_local(const struct page_table *t, uint64_t physical, uint32_t sm);
struct serializer;
bool page_table_serialize(struct page_table *t, struct serializer *s); /* false: no memory */

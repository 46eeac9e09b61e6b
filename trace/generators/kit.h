/* kit.h - functions that the generators of synthetic kernels share.
 *
 * A generated warp runs a prologue, `iterations` equal steps (the body of its loop) and an
 * epilogue. Because a step is computed from its number alone, any range of steps can be generated
 * separately: that makes random access to any CTA and segment possible. Everything random is a hash
 * of (seed, access number).
 *
 * Static instructions are in the order prologue, step, epilogue; register numbers are those that a
 * compiler might assign, so that dependences are real: the next instruction that needs a loaded
 * value reads its register.
 *
 * Units: bytes; arrays begin every GEN_ALIGN bytes from GEN_BASE on. */
#pragma once

#include "base/error.h"
#include "trace/program/program.h"
#include "trace/stream/segment.h"

#define GEN_BASE UINT64_C(0x1000000000)
enum { GEN_ALIGN = 2 << 20, GEN_MAX_UNROLL = 16, GEN_ADDRESS_BYTES = 8 };

/* Registers while the code is built; gen_number_registers removes the gaps. Those from GEN_R_OWN on
 * are for a generator to use as it likes. */
enum {
    GEN_R_THREAD = 0,
    GEN_R_CTA = 1,
    GEN_R_ADDRESS = 2, /* address of array k: 2 + 2 k */
    GEN_R_COUNT = 10,
    GEN_R_SUM = 12,
    GEN_R_DATA = 16,  /* data of access u: + 4 u */
    GEN_R_DATA2 = 80, /* second operand, or the address computed from an index */
    GEN_R_INDEX = 144,
    GEN_R_OWN = GEN_R_INDEX + GEN_MAX_UNROLL,
    GEN_REGISTERS = 512
};
enum { GEN_MAX_TENSORS = 16, GEN_MAX_OWN = 16 };
/* Arrays end below this address: 48 bits, as GPUs have them. */
#define GEN_MAX_PLACED (UINT64_C(1) << 48)
/* What hardware takes as gridDim.x (CUDA C++ Programming Guide, "Compute Capabilities"). */
#define GEN_MAX_CTAS INT64_C(0x7fffffff)

struct gen_config {
    int64_t ctas, warps_per_cta, warp_width, launches, iterations, unroll, element_bytes;
    int64_t seed, registers, block_threads;
    /* Rings of pointers. */
    int64_t footprint, stride, order, arithmetic;
    double exponent;
    /* Sizes that several operators share. */
    int64_t type, batch, M, N, K, rows, width, vector;
    /* Matrix products and convolutions (ml/gemm_tiles.h); window: 0 for a product. */
    int64_t layout, tile_m, tile_n, tile_k, warps_m, warps_n, raster, swizzle, split_k, warpgroup;
    int64_t cluster_m, cluster_n;
    int64_t height, channels, filters, window, padding, stages;
    /* Reductions of rows. */
    int64_t method;
    /* Mixtures of experts, sparse matrices. */
    int64_t tokens, experts, top_k, columns, degrees, band;
    double degree, locality, popularity;
    int64_t own[GEN_MAX_OWN]; /* of kernels that are written as text */
};

enum gen_type { GEN_INT, GEN_SIZE, GEN_REAL, GEN_CHOICE };

struct gen_param {
    const char *name, *meaning;
    enum gen_type type;
    size_t offset;
    double def, lo, hi;
    const char *const *choices; /* NULL-terminated; the value is the position */
};

#define GEN_PARAM(field, type, def, lo, hi, choices, meaning)                           \
    {                                                                                   \
#field, meaning, type, offsetof(struct gen_config, field), def, lo, hi, choices \
    }

/* A warp that is being generated. */
struct gen_warp;
struct index_map;
/* What nest.h's functions have said of instructions. */
struct nest_remarks {
    struct nest_remark *remark;
    uint32_t n;
    size_t cap;
};

struct generator {
    const struct generator_ops *ops;
    struct gen_config c;
    struct code_table code;
    struct program_card card;    /* that the program is made for */
    bool follows_card;           /* whether the card decides what is generated */
    uint32_t width, warps;       /* as generated */
    uint32_t cta_threads;        /* warps * width, or fewer: the last warp lacks lanes */
    uint64_t threads;            /* of the whole launch: ctas * cta_threads */
    uint32_t n_prologue, n_step; /* static instructions, each executed once per warp and step */
    uint32_t shared_bytes;
    bool even_ctas; /* set by shape: all CTAs have c.iterations steps, whatever cta_steps is */
    uint64_t items; /* elements, regions or nodes, as the generator counts */
    uint64_t array_at[GEN_MAX_TENSORS], tensor_bytes[GEN_MAX_TENSORS];
    uint32_t n_tensors; /* as gen_place_tensors placed them */
    uint64_t jump;
    void *own; /* what setup or shape has put on the heap, freed at the end; NULL: nothing */
    struct index_map *map; /* index maps of nest.h; owned by the kernel, as remarks */
    struct nest_remarks remarks;
    uint32_t steps_form; /* of kernels that are written as text: the steps of a CTA */
};

struct gen_warp {
    const struct generator *g;
    struct segment_encoder *out;
    uint64_t cta, thread; /* thread: number of lane 0 in the launch */
    uint32_t warp;        /* in its CTA */
    uint64_t mask;
};

/* What a generator is. Those that derive their grid from sizes have `shape`: of the parameters that
 * all generators share they take warp_width, launches, registers and seed only; whatever else they
 * want of them stands among their own. Members behind `epilogue` may be NULL. */
struct generator_ops {
    const char *name;
    const char *text; /* the whole generator as nest_file.h reads it, or NULL */
    /* Of a text: defines the functions that it calls, once the grid is known; NULL: it has none. */
    bool (*prepare)(struct generator *g, struct error *e);
    const char *parts; /* lists of rows that it shares with others, or NULL */
    const struct gen_param *params;
    uint32_t n_params;
    /* Adds code, sets n_prologue, n_step and whatever else step needs.  path is for messages. */
    bool (*setup)(struct generator *g, const char *path, struct error *e);
    /* Makes a step; not called where setup has said where accesses go (nest.h). Then streams follow
     * from that, and this is NULL where setup always does. */
    void (*step)(struct gen_warp *w, uint64_t iteration);
    void (*epilogue)(struct gen_warp *w); /* NULL: the rest of the code, without addresses */
    /* Sets c.ctas (at most GEN_MAX_CTAS), c.iterations and either c.block_threads, the threads of a
     * CTA, or c.warps_per_cta, its warps of g->width lanes; refuses sizes that it cannot do. Called
     * once the parameters are read and g->width is known. */
    bool (*shape)(struct generator *g, const char *path, struct error *e);
    /* The steps of a CTA where CTAs differ: at least 1, at most c.iterations, in O(1) or O(log).
     * NULL: c.iterations. A step, the prologue and the epilogue have as many instructions in every
     * CTA (those of lanes that are off included). */
    uint64_t (*cta_steps)(const struct generator *g, uint64_t cta);
    /* The instructions of a warp in its steps below `step`, where steps or warps differ and CTAs do
     * not, in O(1). NULL: n_step in each; otherwise cta_steps and warp_steps are
     * NULL. */
    uint64_t (*warp_before)(const struct generator *g, uint32_t warp, uint64_t step);
    /* The steps of a warp where warps of a CTA differ, in the same bounds: its stream ends behind
     * them. Given instead of cta_steps; the epilogue then has as many instructions in every warp.
     */
    uint64_t (*warp_steps)(const struct generator *g, uint64_t cta, uint32_t warp);
    /* NULL-terminated names of its arrays in the order of gen_array's k, so that layers can say
     * which is which. */
    const char *const *tensors;
    /* Adds what the card decided, in words; NULL: no card decides anything. */
    void (*chosen)(const struct gen_config *c, struct text *out);
};

/* All of them, NULL-terminated. */
extern const struct generator_ops *const generator_list[];
extern const struct generator_ops generator_stream, generator_stride, generator_gather,
    generator_pointer_chase, generator_reduction, generator_transpose, generator_stencil,
    generator_matmul, generator_tiled_matmul, generator_partial, generator_handoff,
    generator_synchronize, generator_elementwise, generator_block_read, generator_offset_read;
/* ml/: operators of machine learning. */
extern const struct generator_ops generator_gemm, generator_convolution, generator_vectorized,
    generator_softmax, generator_layernorm, generator_rmsnorm, generator_attention,
    generator_attention_decode, generator_attention_combine, generator_embedding,
    generator_embedding_bag, generator_moe_gather, generator_moe_scatter, generator_spmm;

/* --- code --- */
void gen_op(struct generator *g, uint8_t cls, uint16_t dst, uint16_t src0, uint16_t src1,
            const char *mnemonic);
void gen_load(struct generator *g, uint16_t dst, uint16_t address, int64_t bytes, uint16_t buffer);
void gen_store(struct generator *g, uint16_t value, uint16_t address, int64_t bytes,
               uint16_t buffer);
/* Adds an asynchronous copy to shared memory, in the warp's open group. */
void gen_copy(struct generator *g, uint16_t address, int64_t bytes, uint16_t buffer);
/* The same past the L1, as PTX cp.async.cg of 16 bytes goes. */
void gen_copy_past_l1(struct generator *g, uint16_t address, int64_t bytes, uint16_t buffer);
/* Adds a wait for all groups of copies but the youngest `open`. */
void gen_copy_wait(struct generator *g, uint32_t open);
/* Adds an access to shared memory, addressed by the thread number; `value` is the stored or loaded
 * register. */
void gen_shared_bytes(struct generator *g, uint8_t cls, uint16_t value, int64_t bytes);
/* Adds a matrix instruction dst += a b: of 32 lanes 16 x 8 x 16 multiply-adds of 16-bit inputs (PTX
 * mma.m16n8k16) or 16 x 8 x 8 of TF32, which is as much work; of 64 lanes 16 x 16 x 16 (CDNA
 * V_MFMA_F32_16X16X16). GEN_TENSOR_* are the 4-byte registers that each lane holds of its parts. */
enum { GEN_TENSOR_SUM = 4, GEN_TENSOR_A = 4, GEN_TENSOR_A_64 = 2, GEN_TENSOR_B = 2 };
void gen_matrix(struct generator *g, enum op_class cls, uint16_t dst, uint16_t a, uint16_t b);
/* Adds a multiply-add dst += a b of fp32. */
void gen_fma(struct generator *g, uint16_t dst, uint16_t a, uint16_t b);
/* Adds code for the thread number and the addresses of n arrays. */
void gen_prologue(struct generator *g, uint32_t arrays);
/* Addresses, counter, branch; closes the step. */
void gen_loop_end(struct generator *g, uint32_t arrays);
void gen_exit(struct generator *g);
/* Renumbers the registers without gaps, each as wide as its value, so that occupancy is that of
 * compiled code. */
void gen_number_registers(struct generator *g);

/* --- streams --- */
void gen_plain(struct gen_warp *w, uint32_t code);
/* Instructions without addresses; the last one may be an exit. */
void gen_plain_range(struct gen_warp *w, uint32_t from, uint32_t to);
/* Whether only the addresses of accesses to global memory are wanted. All others may then be given
 * by gen_plain_range, with any mask. */
bool gen_global_only(const struct gen_warp *w);
void gen_strided(struct gen_warp *w, uint32_t code, uint64_t base, int64_t stride);

/* --- numbers --- */
/* Where array k begins; GEN_BASE if none was placed. */
uint64_t gen_array(const struct generator *g, uint32_t k);
uint64_t gen_hash_below(const struct generator *g, uint64_t access, uint64_t n);
double gen_hash_unit(const struct generator *g, uint64_t access); /* [0, 1) */
/* A rank of 0..items-1 by Zipf's law, drawn by the access's hash: with density about
 * (rank + 1)^-exponent, the continuous bounded form, inverted in closed form; exponent 0: uniform.
 */
uint64_t gen_zipf_rank(const struct generator *g, uint64_t access, uint64_t items, double exponent);
/* The item of that rank where the ranks are spread over the items by steps of `jump`
 * (gen_golden_jump), so that popular items are not next to each other. */
uint64_t gen_zipf_item(const struct generator *g, uint64_t access, uint64_t items, double exponent,
                       uint64_t jump);
/* A pseudo-random permutation of 0..n-1 that the seed fixes: where it takes i < n. */
uint64_t gen_permuted(const struct generator *g, uint64_t i, uint64_t n);
/* A step of about the golden section of a ring of n nodes, coprime to n: it visits every node, and
 * consecutive nodes are far apart. */
uint64_t gen_golden_jump(uint64_t nodes);
static inline uint64_t gen_divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}
/* Refuses more CTAs than a launch can have, before their number is a whole one. */
bool gen_check_ctas(double ctas, const char *path, struct error *e);
/* Sets the threads of a CTA and of the launch: with block_threads, as many warps as hold them. */
bool gen_choose_threads(struct generator *g, const char *path, struct error *e);
/* Places n <= GEN_MAX_TENSORS arrays of these sizes one behind another, each from a multiple of
 * GEN_ALIGN on; gen_array(g, k) is then the k-th one's address. A layer may put them elsewhere. */
void gen_place_tensors(struct generator *g, uint32_t n, const uint64_t *bytes);
/* The same of sizes that may be too large: false, *e, if together they are. Products of whole
 * numbers are exact below that. */
bool gen_place_checked(struct generator *g, const char *path, uint32_t n, const double *bytes,
                       struct error *e);

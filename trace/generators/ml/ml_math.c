/* ml_math.c - see ml_math.h. */
#include "trace/generators/ml/ml_math.h"

/* FADD (the difference), FFMA.SAT, FFMA.RM, FADD, 2 FFMA, FMUL; SHF; MUFU.EX2 */
const struct ml_cost ml_exp = {7, 1, 1, 0};
/* FCHK, 5 FFMA; 3 moves; MUFU.RCP; BSSY, BRA, BSYNC */
const struct ml_cost ml_divide = {6, 3, 1, 3};
/* FADD, FSETP, 2 FMUL; MUFU.RSQ */
const struct ml_cost ml_reciprocal_root = {4, 0, 1, 0};
/* 4 FADD, 4 FFMA; IADD3, LOP3, ISETP; MUFU.RCP; BSSY, BRA, BSYNC */
const struct ml_cost ml_welford = {8, 3, 1, 3};
/* 4 FADD, 5 FMUL, 4 FFMA, FSETP; IADD3, LOP3, ISETP; MUFU.RCP; 2 BSSY, 2 BRA, 2 BSYNC */
const struct ml_cost ml_combine = {14, 3, 1, 6};

const char *const ml_type_names[] = {"fp32", "fp16", "bf16", NULL};

uint32_t ml_type_bytes(int64_t type)
{
    return type == ML_FP32 ? 4 : 2;
}

struct ml_cost ml_cost_with(struct ml_cost c, uint32_t fp32)
{
    c.fp32 += fp32;
    return c;
}

static void add_each(struct generator *g, uint8_t cls, uint32_t n, uint32_t elements, uint16_t dst,
                     const char *mnemonic)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < elements; k++) {
            uint16_t r = (uint16_t)(dst + k);
            gen_op(g, cls, cls == OP_BRANCH ? REG_NONE : r, r, REG_NONE, mnemonic);
        }
}

void ml_add_function(struct generator *g, const struct ml_cost *c, uint32_t elements, uint16_t dst,
                     uint16_t a, uint16_t b)
{
    uint32_t behind = c->fp32 > 1 && c->sfu, before = c->fp32 ? c->fp32 - behind - 1 : 0;
    for (uint32_t k = 0; k < elements && c->fp32; k++)
        gen_op(g, OP_FP32, (uint16_t)(dst + k), a, b, "FFMA");
    add_each(g, OP_FP32, before, elements, dst, "FFMA");
    add_each(g, OP_INT, c->int32, elements, dst, "LOP3");
    add_each(g, OP_SFU, c->sfu, elements, dst, "MUFU");
    add_each(g, OP_FP32, behind, elements, dst, "FMUL");
    add_each(g, OP_BRANCH, c->branch, elements, dst, "BRA");
}

/* Opcodes of NVIDIA's machine code: classes, spaces, widths, hints. */
#include "tests/support/check.h"
#include "trace/accelsim/sass_opcodes.h"

#include <string.h>

static const struct {
    const char *opcode;
    struct sass want;
} known_ops[] = {
    {"LDG.E.128.SYS", {OP_LOAD, SPACE_GLOBAL, 0, 16, true, false, SASS_TOLD, false}},
    {"LDG.E.STRONG.GPU", {OP_LOAD, SPACE_GLOBAL, HINT_BYPASS_L1, 4, true, false, SASS_TOLD, false}},
    {"LDG.E.STRONG.SYS", {OP_LOAD, SPACE_GLOBAL, 0, 4, true, false, SASS_TOLD, false}},
    {"LD.E.U8", {OP_LOAD, SPACE_GLOBAL, 0, 1, true, true, SASS_TOLD, false}},
    {"STS.U16", {OP_SHARED_STORE, SPACE_SHARED, 0, 2, true, false, SASS_TOLD, false}},
    {"ATOMS.ADD", {OP_SHARED_STORE, SPACE_SHARED, 0, 4, true, false, SASS_TOLD, false}},
    {"RED.E.ADD.F32.FTZ.RN", {OP_ATOMIC, SPACE_GLOBAL, 0, 4, true, true, SASS_TOLD, false}},
    {"LDL.LU.64", {OP_LOAD, SPACE_LOCAL, 0, 8, true, false, SASS_TOLD, false}},
    {"LDC.64", {OP_INT, SPACE_CONST, 0, 8, true, false, SASS_TOLD, false}},
    {"BAR.SYNC.DEFER_BLOCKING", {OP_BARRIER, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
    {"MEMBAR.SC.GPU", {OP_FENCE, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
    {"EXIT", {OP_EXIT, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
    {"WARPSYNC", {OP_BRANCH, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
    {"MUFU.RCP", {OP_SFU, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
    {"HMMA.884.F32.F32.STEP0", {OP_TENSOR, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
    {"DFMA", {OP_FP64, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
    {"HFMA2.MMA", {OP_FP32, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
    {"IADD3.X", {OP_INT, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
    {"IAD", {OP_INT, SPACE_NONE, 0, 4, false, false, SASS_TOLD, false}},
    {"IADD3000", {OP_INT, SPACE_NONE, 0, 4, false, false, SASS_TOLD, false}},
    {"XMAD.PSL.CBCC", {OP_INT, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
    {"AL2P", {OP_INT, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
    {"RED.E.ADD.F64.RN.STRONG.GPU", {OP_ATOMIC, SPACE_GLOBAL, 0, 8, true, true, SASS_TOLD, false}},
    {"ATOMG.E.ADD.F16x2.RN", {OP_ATOMIC, SPACE_GLOBAL, 0, 4, true, false, SASS_TOLD, false}},
    {"REDG.E.ADD.F32x4.RN", {OP_ATOMIC, SPACE_GLOBAL, 0, 16, true, false, SASS_TOLD, false}},
    {"LDG.E.ENL2.256", {OP_LOAD, SPACE_GLOBAL, 0, 32, true, false, SASS_TOLD, false}},
    {"REDG.E.ADD.STRONG.GPU", {OP_ATOMIC, SPACE_GLOBAL, 0, 4, true, false, SASS_TOLD, false}},
    {"REDS.ADD", {OP_SHARED_STORE, SPACE_SHARED, 0, 4, true, false, SASS_TOLD, false}},
    {"LDCU.64", {OP_INT, SPACE_CONST, 0, 8, true, false, SASS_TOLD, false}},
    {"STSM.16.M88.4", {OP_SHARED_STORE, SPACE_SHARED, 0, 16, true, false, SASS_TOLD, false}},
    {"FENCE.VIEW.ASYNC.S", {OP_FENCE, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
    {"QMMA.16832.F32.E4M3.E4M3", {OP_TENSOR, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
    {"HGMMA.64x128x16.F32", {OP_WGMMA, SPACE_NONE, 0, 4, true, false, SASS_MATRIX, false}},
    {"UTCHMMA.2CTA", {OP_WGMMA, SPACE_NONE, 0, 4, true, false, SASS_MATRIX, false}},
    {"LDTM.x32", {OP_INT, SPACE_NONE, 0, 4, true, false, SASS_MATRIX, false}},
    {"UTMALDG.2D", {OP_INT, SPACE_NONE, 0, 4, true, false, SASS_BULK, false}},
    {"UBLKCP.S.G", {OP_INT, SPACE_NONE, 0, 4, true, false, SASS_BULK, false}},
    {"SYNCS.PHASECHK.TRANS64.TRYWAIT", {OP_INT, SPACE_NONE, 0, 4, true, false, SASS_WAIT, false}},
    {"UCGABAR_WAIT", {OP_INT, SPACE_NONE, 0, 4, true, false, SASS_WAIT, false}},
    {"PREEXIT", {OP_INT, SPACE_NONE, 0, 4, true, false, SASS_DEPENDENT, false}},
    {"TEX.SCR.LL", {OP_INT, SPACE_NONE, 0, 4, true, false, SASS_TEXTURE, false}},
    {"CCTL.IVALL", {OP_INT, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
    {"CCTL.E.PF2", {OP_INT, SPACE_NONE, 0, 4, true, false, SASS_CACHE, false}},
    {"LDZ.E", {OP_INT, SPACE_NONE, 0, 4, false, false, SASS_TOLD, true}},
    {"USTQ", {OP_INT, SPACE_NONE, 0, 4, false, false, SASS_TOLD, true}},
    {"XGMMA.64", {OP_INT, SPACE_NONE, 0, 4, false, false, SASS_TOLD, true}},
    {"YIELD", {OP_BRANCH, SPACE_NONE, 0, 4, true, false, SASS_TOLD, false}},
};

static void opcodes_decode(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known_ops / sizeof *known_ops; i++) {
        struct sass got = sass_decode(known_ops[i].opcode, strlen(known_ops[i].opcode));
        const struct sass *want = &known_ops[i].want;
        if (got.cls != want->cls || got.space != want->space || got.hint != want->hint ||
            got.width != want->width || got.known != want->known || got.generic != want->generic ||
            got.untold != want->untold || got.memory != want->memory)
            fail_msg("%s", known_ops[i].opcode);
    }
}

/* Parts of names, names with more behind them, two names: none of them is an opcode. */
static void other_words_are_unknown(void **state)
{
    static const char *const word[] = {"",   "L",       "LDGX",
                                       "DG", "BFE BFI", "A-LONG-WORD-OF-NO-MEANING"};
    (void)state;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (sass_decode(word[i], strlen(word[i])).known) fail_msg("%s", word[i]);
    assert_true(sass_decode("LDG", 3).known && sass_decode("BFI", 3).known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opcodes_decode),
        cmocka_unit_test(other_words_are_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

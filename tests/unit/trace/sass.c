/* Opcodes of NVIDIA's machine code: classes, spaces, widths, hints. */
#include "tests/support/check.h"
#include "trace/accelsim/sass_opcodes.h"

#include <string.h>

static void opcodes_decode(void **state)
{
    (void)state;
    static const struct {
        const char *opcode;
        struct sass want;
    } known_ops[] = {
        {"LDG.E.128.SYS", {OP_LOAD, SPACE_GLOBAL, 0, 16, true, false}},
        {"LDG.E.STRONG.GPU", {OP_LOAD, SPACE_GLOBAL, HINT_BYPASS_L1, 4, true, false}},
        {"LDG.E.STRONG.SYS", {OP_LOAD, SPACE_GLOBAL, 0, 4, true, false}},
        {"LD.E.U8", {OP_LOAD, SPACE_GLOBAL, 0, 1, true, true}},
        {"STS.U16", {OP_SHARED_STORE, SPACE_SHARED, 0, 2, true, false}},
        {"ATOMS.ADD", {OP_SHARED_STORE, SPACE_SHARED, 0, 4, true, false}},
        {"RED.E.ADD.F32.FTZ.RN", {OP_ATOMIC, SPACE_GLOBAL, 0, 4, true, false}},
        {"LDL.LU.64", {OP_LOAD, SPACE_LOCAL, 0, 8, true, false}},
        {"LDC.64", {OP_INT, SPACE_CONST, 0, 8, true, false}},
        {"BAR.SYNC.DEFER_BLOCKING", {OP_BARRIER, SPACE_NONE, 0, 4, true, false}},
        {"MEMBAR.SC.GPU", {OP_FENCE, SPACE_NONE, 0, 4, true, false}},
        {"EXIT", {OP_EXIT, SPACE_NONE, 0, 4, true, false}},
        {"WARPSYNC", {OP_BRANCH, SPACE_NONE, 0, 4, true, false}},
        {"MUFU.RCP", {OP_SFU, SPACE_NONE, 0, 4, true, false}},
        {"HMMA.884.F32.F32.STEP0", {OP_TENSOR, SPACE_NONE, 0, 4, true, false}},
        {"DFMA", {OP_FP64, SPACE_NONE, 0, 4, true, false}},
        {"HFMA2.MMA", {OP_FP32, SPACE_NONE, 0, 4, true, false}},
        {"IADD3.X", {OP_INT, SPACE_NONE, 0, 4, true, false}},
        {"IAD", {OP_INT, SPACE_NONE, 0, 4, false, false}},
        {"IADD3000", {OP_INT, SPACE_NONE, 0, 4, false, false}},
        {"XMAD.PSL.CBCC", {OP_INT, SPACE_NONE, 0, 4, true, false}},
        {"AL2P", {OP_INT, SPACE_NONE, 0, 4, true, false}},
        {"YIELD", {OP_BRANCH, SPACE_NONE, 0, 4, true, false}},
    };
    for (size_t i = 0; i < sizeof known_ops / sizeof *known_ops; i++) {
        struct sass got = sass_decode(known_ops[i].opcode, strlen(known_ops[i].opcode));
        const struct sass *want = &known_ops[i].want;
        if (got.cls != want->cls || got.space != want->space || got.hint != want->hint ||
            got.width != want->width || got.known != want->known || got.generic != want->generic)
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

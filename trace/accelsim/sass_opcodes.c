#include "trace/accelsim/sass_opcodes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opcodes {
    const char *names; /* a space before and behind each */
    uint8_t cls, space;
    bool generic;
};

static const struct opcodes groups[] = {
    {" AL2P B2R BFE BFI BMSK BREV CCTL CCTLL CCTLT CS2R CSET CSETP DEPBAR FLO GETLMEMBASE I2I "
     "I2IP IABS IADD IADD3 IADD32I ICMP IDP IDP4A IMAD IMADSP IMNMX IMUL IMUL32I ISCADD "
     "ISCADD32I ISET ISETP LEA LEPC LOP LOP3 LOP32I MATCH MOV MOV32I MOVM NOP P2R "
     "PLOP3 PMTRIG POPC PRMT PSET PSETP QSPC R2B R2P R2UR REDUX S2R S2UR SEL SETCTAID "
     "SETLMEMBASE SGXT SHF SHFL SHL SHR SUATOM SULD SURED SUST TEX TEXDEPBAR TEXS TLD TLD4 "
     "TLD4S TLDS TMML TXD TXQ UBMSK UBREV UCLEA UF2FP UFLO UIADD3 UIMAD UISETP ULEA ULOP "
     "ULOP3 UMOV UP2UR UPLOP3 UPOPC UPRMT UPSETP UR2UP USEL USGXT USHF USHL USHR VABSDIFF "
     "VABSDIFF4 VMAD VOTE VOTEU XMAD ",
     OP_INT, SPACE_NONE, false},
    {" BMOV BPT BRA BREAK BRK BRX BRXU BSSY BSYNC CAL CALL CONT JCAL JMP JMX JMXU KILL "
     "NANOSLEEP NANOTRAP PBK PCNT PEXIT PRET RET RPCMOV RTT SSY SYNC WARPSYNC YIELD ",
     OP_BRANCH, SPACE_NONE, false},
    {" F2F F2FP F2I FADD FADD32I FCHK FCMP FFMA FFMA32I FMNMX FMUL FMUL32I FRND FSEL FSET "
     "FSETP FSWZ FSWZADD HADD2 HADD2_32I HFMA2 HFMA2_32I HMNMX2 HMUL2 HMUL2_32I HSET2 HSETP2 "
     "I2F RRO ",
     OP_FP32, SPACE_NONE, false},
    {" DADD DFMA DMNMX DMUL DSET DSETP ", OP_FP64, SPACE_NONE, false},
    {" BMMA DMMA HMMA IMMA ", OP_TENSOR, SPACE_NONE, false},
    {" ATOMS STS STSUL ", OP_SHARED_STORE, SPACE_SHARED, false},
    {" LDS LDSLK LDSM ", OP_SHARED_LOAD, SPACE_SHARED, false},
    {" ATOMG RED ", OP_ATOMIC, SPACE_GLOBAL, false},
    {" ERRBAR MEMBAR ", OP_FENCE, SPACE_NONE, false},
    {" LD ", OP_LOAD, SPACE_GLOBAL, true},
    {" LDGDEPBAR ", OP_COPY_COMMIT, SPACE_NONE, false},
    {" LDGSTS ", OP_LOAD, SPACE_GLOBAL, false},
    {" LDC ULDC ", OP_INT, SPACE_CONST, false},
    {" LDG LDU ", OP_LOAD, SPACE_GLOBAL, false},
    {" ATOM ", OP_ATOMIC, SPACE_GLOBAL, true},
    {" BAR ", OP_BARRIER, SPACE_NONE, false},
    {" EXIT ", OP_EXIT, SPACE_NONE, false},
    {" LDL ", OP_LOAD, SPACE_LOCAL, false},
    {" MUFU ", OP_SFU, SPACE_NONE, false},
    {" ST ", OP_STORE, SPACE_GLOBAL, true},
    {" STG ", OP_STORE, SPACE_GLOBAL, false},
    {" STL ", OP_STORE, SPACE_LOCAL, false},
};

static const struct opcodes *find_opcode(const char *name, size_t n)
{
    char word[16];
    if (n > sizeof word - 3 || memchr(name, ' ', n)) return NULL;
    snprintf(word, sizeof word, " %.*s ", (int)n, name);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strstr(groups[i].names, word)) return &groups[i];
    return NULL;
}

static bool token_is(const char *t, size_t n, const char *word)
{
    return n == strlen(word) && memcmp(t, word, n) == 0;
}

/* The width in bits that a token gives: a number, possibly after U or S; 0: none. */
static unsigned width_bits(const char *t, size_t n)
{
    if (n > 1 && (*t == 'U' || *t == 'S')) t++, n--;
    unsigned bits = 0;
    for (size_t i = 0; i < n; i++) {
        if (t[i] < '0' || t[i] > '9' || bits > 128) return 0;
        bits = bits * 10 + (unsigned)(t[i] - '0');
    }
    return bits;
}

struct modifiers {
    unsigned bits;
    bool strong, gpu, cg, bypass;
};

static struct modifiers read_modifiers(const char *s, const char *end)
{
    struct modifiers m = {0};
    while (s < end) {
        const char *dot = memchr(s, '.', (size_t)(end - s));
        size_t n = (size_t)((dot ? dot : end) - s);
        unsigned bits = width_bits(s, n);
        if (bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128) m.bits = bits;
        m.strong |= token_is(s, n, "STRONG");
        m.gpu |= token_is(s, n, "GPU");
        m.cg |= token_is(s, n, "CG");
        m.bypass |= token_is(s, n, "BYPASS");
        s += n + 1;
    }
    return m;
}

struct sass sass_decode(const char *opcode, size_t n)
{
    const char *end = opcode + n, *dot = memchr(opcode, '.', n);
    size_t stem = (size_t)((dot ? dot : end) - opcode);
    const struct opcodes *o = stem ? find_opcode(opcode, stem) : NULL;
    if (!o) return (struct sass){.cls = OP_INT, .width = 4};
    struct modifiers m = read_modifiers(opcode + stem + (dot != NULL), end);
    struct sass s = {.cls = o->cls, .space = o->space, .known = true, .generic = o->generic};
    s.width = (uint8_t)(m.bits ? m.bits / 8 : 4);
    if (token_is(opcode, stem, "LDSM")) s.width = 16; /* each lane names a matrix row of 16 bytes */
    if (o->cls == OP_LOAD && ((m.strong && m.gpu) || m.cg || m.bypass)) s.hint = HINT_BYPASS_L1;
    if (token_is(opcode, stem, "LDGSTS")) s.hint |= HINT_ASYNC;
    return s;
}

static const char *const representative[OP_N] = {
    [OP_INT] = "IADD3",
    [OP_FP32] = "FFMA",
    [OP_FP64] = "DFMA",
    [OP_SFU] = "MUFU.RCP",
    [OP_TENSOR] = "HMMA.1688.F32",
    [OP_BRANCH] = "BRA",
    [OP_LOAD] = "LDG.E",
    [OP_STORE] = "STG.E",
    [OP_ATOMIC] = "ATOMG.E.ADD",
    [OP_SHARED_LOAD] = "LDS",
    [OP_SHARED_STORE] = "STS",
    [OP_BARRIER] = "BAR.SYNC",
    [OP_FENCE] = "MEMBAR.SC.GPU",
    [OP_ACQUIRE] = "MEMBAR.SC.GPU",
    [OP_RELEASE] = "MEMBAR.SC.GPU",
    [OP_EXIT] = "EXIT",
    [OP_COPY_COMMIT] = "LDGDEPBAR",
    [OP_COPY_WAIT] = "DEPBAR.LE",
};

static const char *width_token(uint8_t width)
{
    switch (width) {
    case 1: return ".U8";
    case 2: return ".U16";
    case 8: return ".64";
    case 16: return ".128";
    default: return "";
    }
}

const char *sass_encode(const struct static_inst *si, char out[40])
{
    const char *stem = representative[si->cls];
    if (si->space == SPACE_LOCAL) stem = si->cls == OP_STORE ? "STL" : "LDL";
    if (si->space == SPACE_CONST) stem = si->cls == OP_LOAD ? "LDG.E" : "LDC";
    bool copies = inst_is_copy(si), bypass = si->cls == OP_LOAD && si->hint & HINT_BYPASS_L1;
    const char *width = si->space == SPACE_NONE ? "" : width_token(si->width);
    if (copies) stem = "LDGSTS.E";
    snprintf(out, 40, "%s%s%s", stem, width, !bypass ? "" : copies ? ".BYPASS" : ".STRONG.GPU");
    return out;
}

/* sass_opcodes.c - the table of NVIDIA's mnemonics by class, and what the modifiers behind them
 * say: width, bypass of the L1, asynchronous copies. An unknown mnemonic is integer arithmetic, and
 * its name tells whether it may access memory; what a trace cannot tell is named
 * (sass_untold_text). sass_encode gives each class one mnemonic back. Source: CUDA Binary Utilities
 * manual, 11.1 and 13.1. */
#include "trace/accelsim/sass_opcodes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opcodes {
    const char *names; /* a space before and behind each */
    uint8_t cls, space;
    bool generic;
    uint8_t untold; /* enum sass_untold */
};

#define PLAIN SPACE_NONE, false, SASS_TOLD

static const struct opcodes groups[] = {
    {" AL2P ALD AST B2R BFE BFI BMSK BREV CCTL CCTLL CCTLT CREDUX CS2R CS2UR CSET CSETP CSMTEST "
     "DEPBAR ELECT FLO GETLMEMBASE I2I I2IP IABS IADD IADD3 IADD32I ICMP IDE IDP IDP4A IMAD "
     "IMAD32I "
     "IMADSP IMNMX IMUL IMUL32I IPA ISAD ISBERD ISCADD ISCADD32I ISET ISETP LEA LEPC LOP LOP3 "
     "LOP32I MATCH MOV MOV32I MOV64IUR MOVM NOP OUT P2R P2UR PIXLD PLOP3 PMTRIG POPC PRMT PSET "
     "PSETP "
     "QSPC R2B R2P R2UR REDUX S2R S2UR SEL SETCTAID SETLMEMBASE SGXT SHF SHFL SHL SHR SPARSIFY "
     "TEXDEPBAR UBMSK UBREV UCLEA UFLO UGETNEXTWORKID UI2I UI2IP UIABS UIADD3 UIMAD UIMNMX "
     "UISETP ULEA ULEPC ULOP ULOP3 ULOP32I UMOV UP2UR UPLOP3 UPOPC UPRMT UPSETP UR2UP USEL "
     "USETMAXREG USETSHMSZ USGXT USHF USHL USHR UVIADD UVIMNMX UVIRTCOUNT VABSDIFF VABSDIFF4 VADD "
     "VIADD VIADDMNMX VIMNMX VIMNMX3 VISET VMAD VMNMX VOTE VOTEU VOTE_VTG VSET VSETP VSHL VSHR "
     "WARPGROUPSET XMAD ",
     OP_INT, PLAIN},
    {" BMOV BPT BRA BREAK BRK BRX BRXU BSSY BSYNC CAL CALL CONT ENDCOLLECTIVE JCAL JMP JMX "
     "JMXU "
     "KILL LONGJMP NANOSLEEP NANOTRAP PBK PCNT PEXIT PLONGJMP PRET RAM RET RPCMOV RTT SAM SSY SYNC "
     "WARPSYNC YIELD ",
     OP_BRANCH, PLAIN},
    {" F2F F2FP F2I F2IP FADD FADD2 FADD32I FCHK FCMP FFMA FFMA2 FFMA32I FHADD FHFMA FMNMX FMNMX3 "
     "FMUL FMUL2 FMUL32I FRND FSEL FSET FSETP FSWZ FSWZADD HADD2 HADD2_32I HFMA2 HFMA2_32I HMNMX2 "
     "HMUL2 HMUL2_32I HSET2 HSETP2 I2F I2FP RRO UF2F UF2FP UF2I UF2IP UFADD UFFMA UFMNMX UFMUL "
     "UFRND UFSEL UFSET UFSETP UI2F UI2FP VHMNMX ",
     OP_FP32, PLAIN},
    {" DADD DFMA DMNMX DMUL DSET DSETP ", OP_FP64, PLAIN},
    {" BMMA DMMA HMMA IMMA OMMA QMMA ", OP_TENSOR, PLAIN},
    {" BGMMA HGMMA IGMMA QGMMA UTCHMMA UTCIMMA UTCOMMA UTCQMMA ", OP_WGMMA, SPACE_NONE, false,
     SASS_MATRIX},
    {" LDT LDTM STT STTM UTCATOMSWS UTCCP UTCSHIFT ", OP_INT, SPACE_NONE, false, SASS_MATRIX},
    {" UBLKCP UBLKL2CCTL UBLKPF UBLKRED UTMACCTL UTMACMDFLUSH UTMAL2CCTL UTMALDG UTMAPF UTMAREDG "
     "UTMASTG ",
     OP_INT, SPACE_NONE, false, SASS_BULK},
    {" ACQSHMINIT ARRIVES SYNCS SYNCSU UCGABAR_ARV UCGABAR_WAIT USYNCS UTCBAR WARPGROUP ", OP_INT,
     SPACE_NONE, false, SASS_WAIT},
    {" ACQBULK PREEXIT ", OP_INT, SPACE_NONE, false, SASS_DEPENDENT},
    {" SUATOM SUBFM SUCLAMP SUEAU SULD SULDGA SULEA SUQ SUQUERY SURED SUST SUSTGA TEX TEXS TLD "
     "TLD4 "
     "TLD4S TLDS TMML TXA TXD TXQ ",
     OP_INT, SPACE_NONE, false, SASS_TEXTURE},
    {" ATOMS REDAS REDS STAS STS STSCUL STSM STSUL UMEMSETS ", OP_SHARED_STORE, SPACE_SHARED, false,
     SASS_TOLD},
    {" LDS LDSLK LDSM ", OP_SHARED_LOAD, SPACE_SHARED, false, SASS_TOLD},
    {" ATOMG REDG UREDGR ", OP_ATOMIC, SPACE_GLOBAL, false, SASS_TOLD},
    {" ATOM RED ", OP_ATOMIC, SPACE_GLOBAL, true, SASS_TOLD},
    {" CGAERRBAR ERRBAR FENCE MEMBAR ", OP_FENCE, PLAIN},
    {" LD ", OP_LOAD, SPACE_GLOBAL, true, SASS_TOLD},
    {" LDGDEPBAR ", OP_COPY_COMMIT, PLAIN},
    {" LDGSTS ", OP_LOAD, SPACE_GLOBAL, false, SASS_TOLD},
    {" LDC LDCU ULDC ", OP_INT, SPACE_CONST, false, SASS_TOLD},
    {" LDG LDGMC LDU ", OP_LOAD, SPACE_GLOBAL, false, SASS_TOLD},
    {" BAR ", OP_BARRIER, PLAIN},
    {" EXIT ", OP_EXIT, PLAIN},
    {" LDL ", OP_LOAD, SPACE_LOCAL, false, SASS_TOLD},
    {" MUFU ", OP_SFU, PLAIN},
    {" ST ", OP_STORE, SPACE_GLOBAL, true, SASS_TOLD},
    {" STG USTGR ", OP_STORE, SPACE_GLOBAL, false, SASS_TOLD},
    {" STL ", OP_STORE, SPACE_LOCAL, false, SASS_TOLD},
};

static const struct opcodes *find_opcode(const char *name, size_t n)
{
    char word[24];
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

/* The width in bits that a token gives: a number, possibly after a type (U8, F64, BF16) and with a
 * count behind it (F16x2); 0: none. */
static unsigned width_bits(const char *t, size_t n)
{
    unsigned bits = 0, count = 0;
    bool counts = false;
    for (; n > 1 && strchr("BFSU", *t); n--)
        t++;
    for (size_t i = 0; i < n; i++) {
        unsigned *v = counts ? &count : &bits;
        if (t[i] == 'x' && bits && !counts) {
            counts = true;
            continue;
        }
        if (t[i] < '0' || t[i] > '9' || *v > 128) return 0;
        *v = *v * 10 + (unsigned)(t[i] - '0');
    }
    return counts ? bits * count : bits;
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
        if (bits >= 8 && bits <= 256 && (bits & (bits - 1)) == 0) m.bits = bits;
        m.strong |= token_is(s, n, "STRONG");
        m.gpu |= token_is(s, n, "GPU");
        m.cg |= token_is(s, n, "CG");
        m.bypass |= token_is(s, n, "BYPASS");
        s += n + 1;
    }
    return m;
}

static bool begins(const char *name, size_t n, const char *with)
{
    size_t m = strlen(with);
    return n >= m && memcmp(name, with, m) == 0;
}

/* Whether a name is one that NVIDIA would give to an instruction for memory or matrices, with a U
 * before it or without. */
static bool sounds_like_memory(const char *name, size_t n)
{
    static const char *const start[] = {"LD",  "ST",  "ATOM", "RED", "SUA", "SUL", "SUR",
                                        "SUS", "TEX", "TLD",  "TXD", "TMA", "BLK", "TC"};
    for (size_t i = 0; i + 3 <= n; i++)
        if (memcmp(name + i, "MMA", 3) == 0) return true;
    if (n > 1 && *name == 'U') name++, n--;
    for (size_t i = 0; i < sizeof start / sizeof *start; i++)
        if (begins(name, n, start[i])) return true;
    return false;
}

/* What a cache control does that the fence before it does not: all but invalidating. */
static bool controls_cache(const char *opcode, size_t n)
{
    static const char word[] = "IV"; /* IV, IVALL and the like */
    if (!begins(opcode, n, "CCTL")) return false;
    for (size_t i = 1; i + 2 <= n; i++)
        if (opcode[i - 1] == '.' && memcmp(opcode + i, word, 2) == 0) return false;
    return true;
}

struct sass sass_decode(const char *opcode, size_t n)
{
    const char *end = opcode + n, *dot = memchr(opcode, '.', n);
    size_t stem = (size_t)((dot ? dot : end) - opcode);
    const struct opcodes *o = stem ? find_opcode(opcode, stem) : NULL;
    if (!o)
        return (struct sass){.cls = OP_INT, .width = 4, .memory = sounds_like_memory(opcode, stem)};
    struct modifiers m = read_modifiers(opcode + stem + (dot != NULL), end);
    struct sass s = {.cls = o->cls, .space = o->space, .known = true, .generic = o->generic};
    s.untold = controls_cache(opcode, n) ? SASS_CACHE : o->untold;
    s.width = (uint8_t)(m.bits ? m.bits / 8 : 4);
    if (token_is(opcode, stem, "LDSM") || token_is(opcode, stem, "STSM"))
        s.width = 16; /* each lane names a matrix row of 16 bytes */
    if (o->cls == OP_LOAD && ((m.strong && m.gpu) || m.cg || m.bypass)) s.hint = HINT_BYPASS_L1;
    if (token_is(opcode, stem, "LDGSTS")) s.hint |= HINT_ASYNC;
    return s;
}

const char *const sass_untold_text[SASS_UNTOLD_N] = {
    [SASS_TOLD] = "",
    [SASS_UNKNOWN] = "unknown opcodes, taken as integer arithmetic",
    [SASS_UNKNOWN_MEMORY] = "unknown opcodes of memory or matrices, taken as integer arithmetic; "
                            "their accesses are missing",
    [SASS_NO_ADDRESS] = "the trace names no addresses; their accesses are missing",
    [SASS_BULK] = "the trace does not say what bulk copies (TMA) move; their accesses are missing",
    [SASS_TEXTURE] = "the trace has no addresses of textures and surfaces; their accesses are "
                     "missing",
    [SASS_MATRIX] = "counted as single instructions; what they read and write of shared and tensor "
                    "memory, and their size, is missing",
    [SASS_WAIT] = "the trace does not say for whom they wait; they wait for nobody",
    [SASS_DEPENDENT] = "launches do not overlap here as programmatic dependent launches do",
    [SASS_CACHE] = "cache control other than invalidation has no effect here",
};

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
    [OP_WGMMA] = "HGMMA.64x8x16.F32",
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

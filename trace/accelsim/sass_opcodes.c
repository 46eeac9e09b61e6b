#include "trace/accelsim/sass_opcodes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opcode {
    const char *name;
    uint8_t cls, space;
    bool generic;
};

/* Sorted by name: looked up by bisection (a test checks the order). */
static const struct opcode opcodes[] = {
    {"AL2P", OP_INT, SPACE_NONE, false},
    {"ATOM", OP_ATOMIC, SPACE_GLOBAL, true},
    {"ATOMG", OP_ATOMIC, SPACE_GLOBAL, false},
    {"ATOMS", OP_SHARED_STORE, SPACE_SHARED, false},
    {"B2R", OP_INT, SPACE_NONE, false},
    {"BAR", OP_BARRIER, SPACE_NONE, false},
    {"BFE", OP_INT, SPACE_NONE, false},
    {"BFI", OP_INT, SPACE_NONE, false},
    {"BMMA", OP_TENSOR, SPACE_NONE, false},
    {"BMOV", OP_BRANCH, SPACE_NONE, false},
    {"BMSK", OP_INT, SPACE_NONE, false},
    {"BPT", OP_BRANCH, SPACE_NONE, false},
    {"BRA", OP_BRANCH, SPACE_NONE, false},
    {"BREAK", OP_BRANCH, SPACE_NONE, false},
    {"BREV", OP_INT, SPACE_NONE, false},
    {"BRK", OP_BRANCH, SPACE_NONE, false},
    {"BRX", OP_BRANCH, SPACE_NONE, false},
    {"BRXU", OP_BRANCH, SPACE_NONE, false},
    {"BSSY", OP_BRANCH, SPACE_NONE, false},
    {"BSYNC", OP_BRANCH, SPACE_NONE, false},
    {"CAL", OP_BRANCH, SPACE_NONE, false},
    {"CALL", OP_BRANCH, SPACE_NONE, false},
    {"CCTL", OP_INT, SPACE_NONE, false},
    {"CCTLL", OP_INT, SPACE_NONE, false},
    {"CCTLT", OP_INT, SPACE_NONE, false},
    {"CONT", OP_BRANCH, SPACE_NONE, false},
    {"CS2R", OP_INT, SPACE_NONE, false},
    {"CSET", OP_INT, SPACE_NONE, false},
    {"CSETP", OP_INT, SPACE_NONE, false},
    {"DADD", OP_FP64, SPACE_NONE, false},
    {"DEPBAR", OP_INT, SPACE_NONE, false},
    {"DFMA", OP_FP64, SPACE_NONE, false},
    {"DMMA", OP_TENSOR, SPACE_NONE, false},
    {"DMNMX", OP_FP64, SPACE_NONE, false},
    {"DMUL", OP_FP64, SPACE_NONE, false},
    {"DSET", OP_FP64, SPACE_NONE, false},
    {"DSETP", OP_FP64, SPACE_NONE, false},
    {"ERRBAR", OP_FENCE, SPACE_NONE, false},
    {"EXIT", OP_EXIT, SPACE_NONE, false},
    {"F2F", OP_FP32, SPACE_NONE, false},
    {"F2FP", OP_FP32, SPACE_NONE, false},
    {"F2I", OP_FP32, SPACE_NONE, false},
    {"FADD", OP_FP32, SPACE_NONE, false},
    {"FADD32I", OP_FP32, SPACE_NONE, false},
    {"FCHK", OP_FP32, SPACE_NONE, false},
    {"FCMP", OP_FP32, SPACE_NONE, false},
    {"FFMA", OP_FP32, SPACE_NONE, false},
    {"FFMA32I", OP_FP32, SPACE_NONE, false},
    {"FLO", OP_INT, SPACE_NONE, false},
    {"FMNMX", OP_FP32, SPACE_NONE, false},
    {"FMUL", OP_FP32, SPACE_NONE, false},
    {"FMUL32I", OP_FP32, SPACE_NONE, false},
    {"FRND", OP_FP32, SPACE_NONE, false},
    {"FSEL", OP_FP32, SPACE_NONE, false},
    {"FSET", OP_FP32, SPACE_NONE, false},
    {"FSETP", OP_FP32, SPACE_NONE, false},
    {"FSWZ", OP_FP32, SPACE_NONE, false},
    {"FSWZADD", OP_FP32, SPACE_NONE, false},
    {"GETLMEMBASE", OP_INT, SPACE_NONE, false},
    {"HADD2", OP_FP32, SPACE_NONE, false},
    {"HADD2_32I", OP_FP32, SPACE_NONE, false},
    {"HFMA2", OP_FP32, SPACE_NONE, false},
    {"HFMA2_32I", OP_FP32, SPACE_NONE, false},
    {"HMMA", OP_TENSOR, SPACE_NONE, false},
    {"HMNMX2", OP_FP32, SPACE_NONE, false},
    {"HMUL2", OP_FP32, SPACE_NONE, false},
    {"HMUL2_32I", OP_FP32, SPACE_NONE, false},
    {"HSET2", OP_FP32, SPACE_NONE, false},
    {"HSETP2", OP_FP32, SPACE_NONE, false},
    {"I2F", OP_FP32, SPACE_NONE, false},
    {"I2I", OP_INT, SPACE_NONE, false},
    {"I2IP", OP_INT, SPACE_NONE, false},
    {"IABS", OP_INT, SPACE_NONE, false},
    {"IADD", OP_INT, SPACE_NONE, false},
    {"IADD3", OP_INT, SPACE_NONE, false},
    {"IADD32I", OP_INT, SPACE_NONE, false},
    {"ICMP", OP_INT, SPACE_NONE, false},
    {"IDP", OP_INT, SPACE_NONE, false},
    {"IDP4A", OP_INT, SPACE_NONE, false},
    {"IMAD", OP_INT, SPACE_NONE, false},
    {"IMADSP", OP_INT, SPACE_NONE, false},
    {"IMMA", OP_TENSOR, SPACE_NONE, false},
    {"IMNMX", OP_INT, SPACE_NONE, false},
    {"IMUL", OP_INT, SPACE_NONE, false},
    {"IMUL32I", OP_INT, SPACE_NONE, false},
    {"ISCADD", OP_INT, SPACE_NONE, false},
    {"ISCADD32I", OP_INT, SPACE_NONE, false},
    {"ISET", OP_INT, SPACE_NONE, false},
    {"ISETP", OP_INT, SPACE_NONE, false},
    {"JCAL", OP_BRANCH, SPACE_NONE, false},
    {"JMP", OP_BRANCH, SPACE_NONE, false},
    {"JMX", OP_BRANCH, SPACE_NONE, false},
    {"JMXU", OP_BRANCH, SPACE_NONE, false},
    {"KILL", OP_BRANCH, SPACE_NONE, false},
    {"LD", OP_LOAD, SPACE_GLOBAL, true},
    {"LDC", OP_INT, SPACE_CONST, false},
    {"LDG", OP_LOAD, SPACE_GLOBAL, false},
    {"LDGDEPBAR", OP_INT, SPACE_NONE, false},
    {"LDGSTS", OP_LOAD, SPACE_GLOBAL, true},
    {"LDL", OP_LOAD, SPACE_LOCAL, false},
    {"LDS", OP_SHARED_LOAD, SPACE_SHARED, false},
    {"LDSLK", OP_SHARED_LOAD, SPACE_SHARED, false},
    {"LDSM", OP_SHARED_LOAD, SPACE_SHARED, false},
    {"LDU", OP_LOAD, SPACE_GLOBAL, false},
    {"LEA", OP_INT, SPACE_NONE, false},
    {"LEPC", OP_INT, SPACE_NONE, false},
    {"LOP", OP_INT, SPACE_NONE, false},
    {"LOP3", OP_INT, SPACE_NONE, false},
    {"LOP32I", OP_INT, SPACE_NONE, false},
    {"MATCH", OP_INT, SPACE_NONE, false},
    {"MEMBAR", OP_FENCE, SPACE_NONE, false},
    {"MOV", OP_INT, SPACE_NONE, false},
    {"MOV32I", OP_INT, SPACE_NONE, false},
    {"MOVM", OP_INT, SPACE_NONE, false},
    {"MUFU", OP_SFU, SPACE_NONE, false},
    {"NANOSLEEP", OP_BRANCH, SPACE_NONE, false},
    {"NANOTRAP", OP_BRANCH, SPACE_NONE, false},
    {"NOP", OP_INT, SPACE_NONE, false},
    {"P2R", OP_INT, SPACE_NONE, false},
    {"PBK", OP_BRANCH, SPACE_NONE, false},
    {"PCNT", OP_BRANCH, SPACE_NONE, false},
    {"PEXIT", OP_BRANCH, SPACE_NONE, false},
    {"PLOP3", OP_INT, SPACE_NONE, false},
    {"PMTRIG", OP_INT, SPACE_NONE, false},
    {"POPC", OP_INT, SPACE_NONE, false},
    {"PRET", OP_BRANCH, SPACE_NONE, false},
    {"PRMT", OP_INT, SPACE_NONE, false},
    {"PSET", OP_INT, SPACE_NONE, false},
    {"PSETP", OP_INT, SPACE_NONE, false},
    {"QSPC", OP_INT, SPACE_NONE, false},
    {"R2B", OP_INT, SPACE_NONE, false},
    {"R2P", OP_INT, SPACE_NONE, false},
    {"R2UR", OP_INT, SPACE_NONE, false},
    {"RED", OP_ATOMIC, SPACE_GLOBAL, false},
    {"REDUX", OP_INT, SPACE_NONE, false},
    {"RET", OP_BRANCH, SPACE_NONE, false},
    {"RPCMOV", OP_BRANCH, SPACE_NONE, false},
    {"RRO", OP_FP32, SPACE_NONE, false},
    {"RTT", OP_BRANCH, SPACE_NONE, false},
    {"S2R", OP_INT, SPACE_NONE, false},
    {"S2UR", OP_INT, SPACE_NONE, false},
    {"SEL", OP_INT, SPACE_NONE, false},
    {"SETCTAID", OP_INT, SPACE_NONE, false},
    {"SETLMEMBASE", OP_INT, SPACE_NONE, false},
    {"SGXT", OP_INT, SPACE_NONE, false},
    {"SHF", OP_INT, SPACE_NONE, false},
    {"SHFL", OP_INT, SPACE_NONE, false},
    {"SHL", OP_INT, SPACE_NONE, false},
    {"SHR", OP_INT, SPACE_NONE, false},
    {"SSY", OP_BRANCH, SPACE_NONE, false},
    {"ST", OP_STORE, SPACE_GLOBAL, true},
    {"STG", OP_STORE, SPACE_GLOBAL, false},
    {"STL", OP_STORE, SPACE_LOCAL, false},
    {"STS", OP_SHARED_STORE, SPACE_SHARED, false},
    {"STSUL", OP_SHARED_STORE, SPACE_SHARED, false},
    {"SUATOM", OP_INT, SPACE_NONE, false},
    {"SULD", OP_INT, SPACE_NONE, false},
    {"SURED", OP_INT, SPACE_NONE, false},
    {"SUST", OP_INT, SPACE_NONE, false},
    {"SYNC", OP_BRANCH, SPACE_NONE, false},
    {"TEX", OP_INT, SPACE_NONE, false},
    {"TEXDEPBAR", OP_INT, SPACE_NONE, false},
    {"TEXS", OP_INT, SPACE_NONE, false},
    {"TLD", OP_INT, SPACE_NONE, false},
    {"TLD4", OP_INT, SPACE_NONE, false},
    {"TLD4S", OP_INT, SPACE_NONE, false},
    {"TLDS", OP_INT, SPACE_NONE, false},
    {"TMML", OP_INT, SPACE_NONE, false},
    {"TXD", OP_INT, SPACE_NONE, false},
    {"TXQ", OP_INT, SPACE_NONE, false},
    {"UBMSK", OP_INT, SPACE_NONE, false},
    {"UBREV", OP_INT, SPACE_NONE, false},
    {"UCLEA", OP_INT, SPACE_NONE, false},
    {"UF2FP", OP_INT, SPACE_NONE, false},
    {"UFLO", OP_INT, SPACE_NONE, false},
    {"UIADD3", OP_INT, SPACE_NONE, false},
    {"UIMAD", OP_INT, SPACE_NONE, false},
    {"UISETP", OP_INT, SPACE_NONE, false},
    {"ULDC", OP_INT, SPACE_CONST, false},
    {"ULEA", OP_INT, SPACE_NONE, false},
    {"ULOP", OP_INT, SPACE_NONE, false},
    {"ULOP3", OP_INT, SPACE_NONE, false},
    {"UMOV", OP_INT, SPACE_NONE, false},
    {"UP2UR", OP_INT, SPACE_NONE, false},
    {"UPLOP3", OP_INT, SPACE_NONE, false},
    {"UPOPC", OP_INT, SPACE_NONE, false},
    {"UPRMT", OP_INT, SPACE_NONE, false},
    {"UPSETP", OP_INT, SPACE_NONE, false},
    {"UR2UP", OP_INT, SPACE_NONE, false},
    {"USEL", OP_INT, SPACE_NONE, false},
    {"USGXT", OP_INT, SPACE_NONE, false},
    {"USHF", OP_INT, SPACE_NONE, false},
    {"USHL", OP_INT, SPACE_NONE, false},
    {"USHR", OP_INT, SPACE_NONE, false},
    {"VABSDIFF", OP_INT, SPACE_NONE, false},
    {"VABSDIFF4", OP_INT, SPACE_NONE, false},
    {"VMAD", OP_INT, SPACE_NONE, false},
    {"VOTE", OP_INT, SPACE_NONE, false},
    {"VOTEU", OP_INT, SPACE_NONE, false},
    {"WARPSYNC", OP_BRANCH, SPACE_NONE, false},
    {"XMAD", OP_INT, SPACE_NONE, false},
    {"YIELD", OP_BRANCH, SPACE_NONE, false},
};

enum { N_OPCODES = sizeof opcodes / sizeof *opcodes };

const char *sass_opcode(uint32_t i)
{
    return i < N_OPCODES ? opcodes[i].name : NULL;
}

static const struct opcode *find_opcode(const char *name, size_t n)
{
    size_t low = 0, high = N_OPCODES;
    while (low < high) {
        size_t mid = (low + high) / 2;
        int order = strncmp(name, opcodes[mid].name, n);
        if (order == 0 && opcodes[mid].name[n]) order = -1; /* ours is a prefix of the entry */
        if (order == 0) return &opcodes[mid];
        if (order < 0)
            high = mid;
        else
            low = mid + 1;
    }
    return NULL;
}

static bool token_is(const char *t, size_t n, const char *word)
{
    return n == strlen(word) && memcmp(t, word, n) == 0;
}

/* Bits of an access: a number, or a number behind U or S; 0: the token is none. */
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
    const struct opcode *o = stem ? find_opcode(opcode, stem) : NULL;
    if (!o) return (struct sass){.cls = OP_INT, .width = 4};
    struct modifiers m = read_modifiers(opcode + stem + (dot != NULL), end);
    struct sass s = {.cls = o->cls, .space = o->space, .known = true, .generic = o->generic};
    s.width = (uint8_t)(m.bits ? m.bits / 8 : 4);
    if (strcmp(o->name, "LDSM") == 0) s.width = 16; /* each lane names a matrix row of 16 bytes */
    if (o->cls == OP_LOAD && ((m.strong && m.gpu) || m.cg || m.bypass)) s.hint = HINT_BYPASS_L1;
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
    bool bypass = si->cls == OP_LOAD && si->hint & HINT_BYPASS_L1;
    const char *width = si->space == SPACE_NONE ? "" : width_token(si->width);
    snprintf(out, 40, "%s%s%s", stem, width, bypass ? ".STRONG.GPU" : "");
    return out;
}

/* matrix.c - products of matrices of which the lanes of a warp hold parts (nvcuda::wmma).
 *
 * Which lane holds what, the programming guide leaves open. Here element e of lane i is element i n
 * + e of the matrix, of which each lane holds n, in the order in which it lies in memory; an
 * accumulator's in rows. mma.h loads and stores by the same rule. */
#include "trace/cuda/include/plumb/half_bits.h"
#include "trace/cuda/runtime/cta.h"
#include "trace/cuda/runtime/meet.h"

#include <string.h>

/* The fields of the word that says what is multiplied; mma.h makes it. */
enum element {
    HALF_TO_FLOAT,
    HALF_TO_HALF,
    BFLOAT_TO_FLOAT,
    TF32_TO_FLOAT,
    INT8_TO_INT32,
    UINT8_TO_INT32,
    DOUBLE
};
struct product {
    uint32_t element; /* enum element */
    bool a_columns, b_columns;
    uint32_t m, n, k;
};

enum { RESULT, A, B, C, WORD, OPERANDS, LANES = 32 };

static struct product read_word(uint32_t w)
{
    return (struct product){w & 15,      w >> 4 & 1,   w >> 5 & 1,
                            w >> 8 & 63, w >> 14 & 63, w >> 20 & 63};
}

static double element_at(const void *fragment, uint32_t e, uint32_t kind)
{
    switch (kind) {
    case HALF_TO_FLOAT:
    case HALF_TO_HALF: return (double)plumb_half_to_float(((const unsigned short *)fragment)[e]);
    case BFLOAT_TO_FLOAT:
        return (double)plumb_bfloat_to_float(((const unsigned short *)fragment)[e]);
    case TF32_TO_FLOAT: return (double)((const float *)fragment)[e];
    case INT8_TO_INT32: return ((const signed char *)fragment)[e];
    case UINT8_TO_INT32: return ((const unsigned char *)fragment)[e];
    default: return ((const double *)fragment)[e];
    }
}

/* Element (row, column) of an operand of `rows` by `columns`. */
static double operand(const struct lane *warp, const struct product *p, uint32_t which,
                      uint32_t row, uint32_t column)
{
    uint32_t rows = which == A ? p->m : p->k, columns = which == A ? p->k : p->n;
    bool turned = which == A ? p->a_columns : p->b_columns;
    uint32_t at = turned ? column * rows + row : row * columns + column;
    uint32_t each = rows * columns / LANES;
    void *const *of = (void *const *)(uintptr_t)warp[at / each].value;
    return element_at(of[which], at % each, p->element);
}

static double accumulated(const void *c, uint32_t e, uint32_t kind)
{
    switch (kind) {
    case HALF_TO_HALF: return (double)plumb_half_to_float(((const unsigned short *)c)[e]);
    case INT8_TO_INT32:
    case UINT8_TO_INT32: return ((const int32_t *)c)[e];
    case DOUBLE: return ((const double *)c)[e];
    default: return (double)((const float *)c)[e];
    }
}

static void keep_sum(void *result, uint32_t e, uint32_t kind, double sum)
{
    switch (kind) {
    case HALF_TO_HALF: ((unsigned short *)result)[e] = plumb_float_to_half((float)sum); break;
    case INT8_TO_INT32:
    case UINT8_TO_INT32: ((int32_t *)result)[e] = (int32_t)(int64_t)sum; break;
    case DOUBLE: ((double *)result)[e] = sum; break;
    default: ((float *)result)[e] = (float)sum; break;
    }
}

void matrix_multiply(struct lane *warp, uint64_t there, uint32_t i)
{
    void *const *own = (void *const *)(uintptr_t)warp[i].value;
    uint32_t word;
    memcpy(&word, own[WORD], sizeof word);
    struct product p = read_word(word);
    uint32_t each = p.m * p.n / LANES;
    if (there != UINT32_MAX)
        cta_fail(&warp[i], meet_line(&warp[i], 0),
                 "a product of matrices lacks threads of its warp");
    for (uint32_t e = 0; e < each; e++) {
        uint32_t at = i * each + e, row = at / p.n, column = at % p.n;
        double sum = accumulated(own[C], e, p.element);
        for (uint32_t k = 0; k < p.k; k++)
            sum += operand(warp, &p, A, row, k) * operand(warp, &p, B, k, column);
        keep_sum(own[RESULT], e, p.element, sum);
    }
}

__attribute__((visibility("default"))) void plumb_cuda_mma_by_memory(void *result, void *a, void *b,
                                                                     void *c, void *word);
void plumb_cuda_mma_by_memory(void *result, void *a, void *b, void *c, void *word)
{
    void *all[OPERANDS] = {[RESULT] = result, [A] = a, [B] = b, [C] = c, [WORD] = word};
    meet_wait(MEET_MMA, 0, UINT32_MAX, (uint64_t)(uintptr_t)all);
}

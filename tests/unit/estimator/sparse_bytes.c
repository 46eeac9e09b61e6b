/* Bytes without those that are 0: what comes back is what went in, and a damaged pack is refused.
 */
#include "estimator/profile/sparse_bytes.h"

#include "base/memory/rng.h"
#include "tests/support/check.h"

#include <string.h>

enum { MOST = 20 * SPARSE_PIECE };

struct pack {
    unsigned char in[MOST], packed[2 * MOST], out[MOST];
    size_t n, bytes;
};

/* Every `one_in`-th piece, by chance, has a byte that is not 0, at any place. */
static void fill(struct pack *p, size_t n, uint32_t one_in)
{
    struct rng r;
    memset(p, 0, sizeof *p);
    rng_seed(&r, n, one_in);
    p->n = n;
    for (size_t at = 0; at < n; at += SPARSE_PIECE) {
        size_t room = n - at < SPARSE_PIECE ? n - at : SPARSE_PIECE;
        if (rng_below(&r, one_in) == 0) p->in[at + rng_below(&r, room)] = 7;
    }
    p->bytes = sparse_bytes_pack(p->packed, p->in, n);
    assert_true(p->bytes <= sparse_bytes_bound(n));
}

static void what_was_packed_comes_back(void **state)
{
    static struct pack p;
    static const size_t length[] = {1, SPARSE_PIECE, 8 * SPARSE_PIECE, 9 * SPARSE_PIECE + 5, MOST};
    (void)state;
    for (size_t i = 0; i < sizeof length / sizeof *length; i++)
        for (uint32_t one_in = 1; one_in <= 16; one_in *= 4) {
            fill(&p, length[i], one_in);
            assert_true(sparse_bytes_unpack(p.out, p.n, p.packed, p.bytes));
            assert_memory_equal(p.in, p.out, p.n);
        }
}

static void zeros_take_a_bit_a_piece(void **state)
{
    static struct pack p;
    (void)state;
    memset(&p, 0, sizeof p);
    assert_int_equal(sparse_bytes_pack(p.packed, p.in, 16 * SPARSE_PIECE), 2);
}

static void a_pack_of_another_length_is_refused(void **state)
{
    static struct pack p;
    (void)state;
    fill(&p, MOST, 2);
    assert_false(sparse_bytes_unpack(p.out, p.n, p.packed, p.bytes - 1));
    assert_false(sparse_bytes_unpack(p.out, p.n, p.packed, p.bytes + 1));
    assert_false(sparse_bytes_unpack(p.out, p.n, p.packed, 1));
}

/* Equal bytes have one digest; another byte, another place and another length have another. */
static void digests_tell_bytes_apart(void **state)
{
    static struct pack p;
    static const size_t moved[] = {1, SPARSE_PIECE, 8 * SPARSE_PIECE};
    (void)state;
    memset(&p, 0, sizeof p);
    p.in[3] = p.out[3] = 7;
    struct digest d = sparse_bytes_digest(p.in, MOST);
    assert_true(digest_equal(d, sparse_bytes_digest(p.out, MOST)));
    assert_false(digest_equal(d, sparse_bytes_digest(p.out, MOST - 1)));
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        memset(p.out, 0, MOST);
        p.out[3 + moved[i]] = 7;
        assert_false(digest_equal(d, sparse_bytes_digest(p.out, MOST)));
    }
    p.out[3] = 8;
    assert_false(digest_equal(d, sparse_bytes_digest(p.out, MOST)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_packed_comes_back),
        cmocka_unit_test(zeros_take_a_bit_a_piece),
        cmocka_unit_test(a_pack_of_another_length_is_refused),
        cmocka_unit_test(digests_tell_bytes_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

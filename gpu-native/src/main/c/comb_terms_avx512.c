#include "comb_terms.h"

#include <immintrin.h>

typedef __m512i v8;

/* Limbs of B (signed_windows.h) of eight scalars, and the lanes whose digits change their signs. */
typedef struct {
    v8 w[6];
    __mmask8 negated;
} windows8;

static inline v8 v8_of(uint64_t a) {
    return _mm512_set1_epi64((long long)a);
}

/* Recodes as signed_windows_of: an even k gives way to n - k, whose borrows are the lanes of a mask. */
static void recode(windows8 *r, const u256 *const k[8], const u256 *n, int bits) {
    _Alignas(64) uint64_t words[4][8];
    v8 odd[4], borrow = _mm512_setzero_si512();
    for (int lane = 0; lane < 8; lane++) {
        for (int i = 0; i < 4; i++) {
            words[i][lane] = k[lane]->w[i];
        }
    }
    r->negated = _mm512_testn_epi64_mask(_mm512_load_si512(words[0]), v8_of(1));
    for (int i = 0; i < 4; i++) {
        v8 own = _mm512_load_si512(words[i]), limb = v8_of(n->w[i]);
        v8 less = _mm512_sub_epi64(limb, own), opposite = _mm512_sub_epi64(less, borrow);
        __mmask8 borrows = _mm512_cmplt_epu64_mask(limb, own) | _mm512_cmplt_epu64_mask(less, borrow);
        borrow = _mm512_maskz_mov_epi64(borrows, v8_of(1));
        odd[i] = _mm512_mask_mov_epi64(own, r->negated, opposite);
    }
    for (int i = 0; i < 3; i++) {
        r->w[i] = _mm512_shrdi_epi64(odd[i], odd[i + 1], 1);
    }
    r->w[3] = _mm512_srli_epi64(odd[3], 1);
    r->w[4] = r->w[5] = _mm512_setzero_si512();
    int bias_bit = bits * signed_windows_count(bits) - 1;
    r->w[bias_bit / 64] = _mm512_or_si512(r->w[bias_bit / 64], v8_of((uint64_t)1 << bias_bit % 64));
}

/* A window whose highest bit is 0 means a negative digit, and its complement is the entry's index. */
void comb_terms_of_8(
        uint64_t *terms, int stride, const u256 *const k[8], const uint64_t tables[8], const u256 *n, int bits) {
    windows8 windows;
    recode(&windows, k, n, bits);
    const v8 half = v8_of((uint64_t)1 << (bits - 1)), index_mask = v8_of(((uint64_t)1 << (bits - 1)) - 1);
    v8 table = _mm512_loadu_si512(tables);
    for (int j = 0; j < signed_windows_count(bits); j++) {
        int bit = j * bits;
        v8 window = _mm512_shrdv_epi64(windows.w[bit / 64], windows.w[bit / 64 + 1], v8_of((uint64_t)(bit % 64)));
        __mmask8 negative = _mm512_testn_epi64_mask(window, half);
        v8 index = _mm512_and_si512(_mm512_mask_xor_epi64(window, negative, window, v8_of(~(uint64_t)0)), index_mask);
        v8 term = _mm512_add_epi64(table, _mm512_slli_epi64(index, 6));
        term = _mm512_mask_or_epi64(term, negative ^ windows.negated, term, v8_of(1));
        _mm512_storeu_si512(terms + j * stride, term);
        for (int lane = 0; lane < 8; lane++) {
            __builtin_prefetch((const void *)(uintptr_t)terms[j * stride + lane], 0, 2);
        }
        table = _mm512_add_epi64(table, v8_of(COMB_ENTRY_SIZE << (bits - 1)));
    }
}

_Static_assert(COMB_ENTRY_SIZE == 1 << 6, "an index is shifted to become an address");

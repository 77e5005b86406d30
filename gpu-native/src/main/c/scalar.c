#include "scalar.h"

/* Derived numbers: python3 -c 'n=...; print(hex(pow(n,-1,2**62)), hex(-pow(n,-1,2**64)%2**64), hex(2**512%n))'. */

/* clang-format off */
const scalar_order sm2_order = {
    .n = {
        .m = {{0x53BBF40939D54123, 0x7203DF6B21C6052B, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFEFFFFFFFF}},
        .inverse62 = 0x0D8061778DCAF68B,
    },
    .negated_inverse64 = 0x327F9E8872350975,
    .r2 = {{0x901192AF7C114F20, 0x3464504ADE6FA2FA, 0x620FC84C3AFFE0D4, 0x1EB5E412A22B3D3B}},
};

const scalar_order secp256k1_order = {
    .n = {
        .m = {{0xBFD25E8CD0364141, 0xBAAEDCE6AF48A03B, 0xFFFFFFFFFFFFFFFE, 0xFFFFFFFFFFFFFFFF}},
        .inverse62 = 0x34F20099AA774EC1,
    },
    .negated_inverse64 = 0x4B0DFF665588B13F,
    .r2 = {{0x896CF21467D7D140, 0x741496C20E7CF878, 0xE697F5E45BCD07C6, 0x9D671CD581C69BC5}},
};
/* clang-format on */

void scalar_mul(u256 *r, const u256 *a, const u256 *b, const scalar_order *order) {
    const u256 *n = &order->n.m;
    uint64_t t[6] = {0};
    for (int i = 0; i < 4; i++) {
        uint64_t carry = 0, top = 0;
        for (int j = 0; j < 4; j++) {
            t[j] = u64_mul_add(a->w[i], b->w[j], t[j], &carry);
        }
        t[4] = u64_add(t[4], carry, &top);
        t[5] = top;
        uint64_t m = t[0] * order->negated_inverse64;
        carry = 0;
        (void)u64_mul_add(m, n->w[0], t[0], &carry);
        for (int j = 1; j < 4; j++) {
            t[j - 1] = u64_mul_add(m, n->w[j], t[j], &carry);
        }
        top = 0;
        t[3] = u64_add(t[4], carry, &top);
        t[4] = t[5] + top;
    }
    u256 sum = {{t[0], t[1], t[2], t[3]}}, reduced;
    uint64_t borrow = u256_sub(&reduced, &sum, n);
    u256_select(r, u64_mask(borrow & (t[4] ^ 1)), &sum, &reduced);
}

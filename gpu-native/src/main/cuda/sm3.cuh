/*
 * SM3 (GB/T 32905), one hash a thread. Message words live in sixteen registers, used in turn; the rounds are unrolled
 * by sixteen.
 */
#pragma once
#include "carry.cuh"

struct sm3_state {
    uint32_t v[8];
};

/* GB/T 32905, 4.1. */
#define SM3_INITIAL                                                                                        \
    {                                                                                                      \
        { 0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600, 0xA96F30BC, 0x163138AA, 0xE38DEE4D, 0xB0FB0E4E } \
    }

FN uint32_t sm3_rotate(uint32_t a, uint32_t bits) {
    return __funnelshift_l(a, a, bits);
}

FN uint32_t sm3_p0(uint32_t a) {
    return a ^ sm3_rotate(a, 9) ^ sm3_rotate(a, 17);
}

FN uint32_t sm3_p1(uint32_t a) {
    return a ^ sm3_rotate(a, 15) ^ sm3_rotate(a, 23);
}

/*
 * One round on the state seen from its newest word: instead of moving eight words, round j finds A in v[-j mod 4] and E
 * in v[4 + (-j mod 4)]. constant = T(j) rotated by j.
 */
FN void sm3_round(uint32_t *v, int j, bool is_early, uint32_t constant, uint32_t w, uint32_t w_ahead) {
    uint32_t &a = v[(16 - j) & 3], &b = v[(17 - j) & 3], &c = v[(18 - j) & 3], &d = v[(19 - j) & 3];
    uint32_t &e = v[4 + ((16 - j) & 3)], &f = v[4 + ((17 - j) & 3)], &g = v[4 + ((18 - j) & 3)],
             &h = v[4 + ((19 - j) & 3)];
    uint32_t a12 = sm3_rotate(a, 12);
    uint32_t ss1 = sm3_rotate(a12 + e + constant, 7);
    uint32_t ff = is_early ? a ^ b ^ c : (a & b) | (a & c) | (b & c);
    uint32_t gg = is_early ? e ^ f ^ g : (e & f) | (~e & g);
    uint32_t tt1 = ff + d + (ss1 ^ a12) + (w ^ w_ahead);
    uint32_t tt2 = gg + h + ss1 + w;
    b = sm3_rotate(b, 9);
    f = sm3_rotate(f, 19);
    d = tt1;
    h = sm3_p0(tt2);
}

/* w[j] becomes W(j + 16) of GB/T 32905, 5.3.2, for j taken modulo 16. */
FN void sm3_expand(uint32_t *w, int j) {
    uint32_t mixed = sm3_p1(w[j] ^ w[(j + 7) & 15] ^ sm3_rotate(w[(j + 13) & 15], 15));
    w[j] = mixed ^ sm3_rotate(w[(j + 3) & 15], 7) ^ w[(j + 10) & 15];
}

/* Absorbs one block of sixteen words, which are spoiled. */
FN void sm3_compress(sm3_state &state, uint32_t *w) {
    uint32_t v[8];
    UNROLL
    for (int i = 0; i < 8; i++) {
        v[i] = state.v[i];
    }
    UNROLL
    for (int j = 0; j < 16; j++) {
        /* Round j needs W(j + 4); the first four words are replaced while rounds 12 to 15 look ahead at them. */
        if (j >= 12) {
            uint32_t now = w[j];
            sm3_expand(w, j - 12);
            sm3_round(v, j, true, sm3_rotate(0x79CC4519, j), now, w[j - 12]);
        } else {
            sm3_round(v, j, true, sm3_rotate(0x79CC4519, j), w[j], w[j + 4]);
        }
    }
    NO_UNROLL
    for (int first = 16; first < 64; first += 16) {
        uint32_t constant = sm3_rotate(0x7A879D8A, first);
        UNROLL
        for (int j = 0; j < 16; j++) {
            uint32_t now = w[j];
            sm3_expand(w, (j + 4) & 15);
            sm3_round(v, j, false, sm3_rotate(constant, j), now, w[(j + 4) & 15]);
        }
    }
    UNROLL
    for (int i = 0; i < 8; i++) {
        state.v[i] ^= v[i];
    }
}

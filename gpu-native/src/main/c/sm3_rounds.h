/*
 * The compression function of SM3, GB/T 32905-2016, 5.3.2 and 5.3.3, over any type of word: uint32_t, or a vector of
 * them whose elements belong to as many messages. The including file defines SM3_WORD before.
 *
 * Words are renamed instead of moved: round j works on the eight words in the order that four rounds bring back.
 */
static inline __attribute__((always_inline)) SM3_WORD sm3_rotl(SM3_WORD x, unsigned bits) {
    return (x << bits) | (x >> (32 - bits));
}

static inline __attribute__((always_inline)) SM3_WORD sm3_p0(SM3_WORD x) {
    return x ^ sm3_rotl(x, 9) ^ sm3_rotl(x, 17);
}

static inline __attribute__((always_inline)) SM3_WORD sm3_p1(SM3_WORD x) {
    return x ^ sm3_rotl(x, 15) ^ sm3_rotl(x, 23);
}

/* T_j rotated left by j, 4.2. */
static inline __attribute__((always_inline)) uint32_t sm3_t(unsigned j) {
    uint32_t t = j < 16 ? 0x79cc4519u : 0x7a879d8au;
    unsigned bits = j % 32;
    return bits == 0 ? t : (t << bits) | (t >> (32 - bits));
}

/*
 * One round on v[0..7] = A..H; the new A is in v[3], the new E in v[7]. w: the last 16 words of the expanded
 * message, by j mod 16.
 */
#define SM3_ROUND(a, b, c, d, e, f, g, h, j)                                                                     \
    do {                                                                                                         \
        SM3_WORD a12 = sm3_rotl(a, 12);                                                                          \
        SM3_WORD ss1 = sm3_rotl(a12 + e + sm3_t(j), 7);                                                          \
        SM3_WORD ss2 = ss1 ^ a12;                                                                                \
        SM3_WORD ff = (j) < 16 ? a ^ b ^ c : (a & b) | ((a | b) & c);                                            \
        SM3_WORD gg = (j) < 16 ? e ^ f ^ g : g ^ (e & (f ^ g));                                                  \
        if ((j) >= 12) {                                                                                         \
            w[((j) + 4) % 16] = sm3_p1(w[((j) + 4) % 16] ^ w[((j) + 11) % 16] ^ sm3_rotl(w[((j) + 1) % 16], 15)) \
                              ^ sm3_rotl(w[((j) + 7) % 16], 7) ^ w[((j) + 14) % 16];                             \
        }                                                                                                        \
        d = ff + d + ss2 + (w[(j) % 16] ^ w[((j) + 4) % 16]);                                                    \
        h = sm3_p0(gg + h + ss1 + w[(j) % 16]);                                                                  \
        b = sm3_rotl(b, 9);                                                                                      \
        f = sm3_rotl(f, 19);                                                                                     \
    } while (0)

#define SM3_FOUR_ROUNDS(j)                          \
    do {                                            \
        SM3_ROUND(a, b, c, d, e, f, g, h, (j));     \
        SM3_ROUND(d, a, b, c, h, e, f, g, (j) + 1); \
        SM3_ROUND(c, d, a, b, g, h, e, f, (j) + 2); \
        SM3_ROUND(b, c, d, a, f, g, h, e, (j) + 3); \
    } while (0)

#define SM3_SIXTEEN_ROUNDS(j)      \
    do {                           \
        SM3_FOUR_ROUNDS((j));      \
        SM3_FOUR_ROUNDS((j) + 4);  \
        SM3_FOUR_ROUNDS((j) + 8);  \
        SM3_FOUR_ROUNDS((j) + 12); \
    } while (0)

/* V(i+1) = CF(V(i), B(i)): words is V, w is B as sixteen words and is spent. */
static inline __attribute__((always_inline)) void sm3_rounds(SM3_WORD *words, SM3_WORD *w) {
    SM3_WORD a = words[0], b = words[1], c = words[2], d = words[3];
    SM3_WORD e = words[4], f = words[5], g = words[6], h = words[7];
    SM3_SIXTEEN_ROUNDS(0);
    SM3_SIXTEEN_ROUNDS(16);
    SM3_SIXTEEN_ROUNDS(32);
    SM3_SIXTEEN_ROUNDS(48);
    words[0] ^= a;
    words[1] ^= b;
    words[2] ^= c;
    words[3] ^= d;
    words[4] ^= e;
    words[5] ^= f;
    words[6] ^= g;
    words[7] ^= h;
}

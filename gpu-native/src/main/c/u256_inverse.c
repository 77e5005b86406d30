/*
 * Division steps: D. J. Bernstein, B.-Y. Yang, "Fast constant-time gcd computation and modular inversion", TCHES
 * 2019(3), section 8.
 *
 *   step(delta, f, g) = (1 - delta, g, (g - f) / 2)             if delta > 0 and g is odd,
 *                       (1 + delta, f, (g + (g mod 2) f) / 2)   otherwise.
 *
 * From (1, m, a) enough steps lead to f = +-1, g = 0. 62 steps at a time depend on the low 62 bits of f and g only;
 * they are done on those, and their matrix of integers below 2^62 is then applied to the long numbers. Alongside run d
 * and e with f = d a, g = e a mod m.
 */
#include "u256_inverse.h"

#include "work.h"

#define LIMBS 5
#define STEPS 62
#define LIMB_MASK (((uint64_t)1 << STEPS) - 1)

typedef __int128 i128;

/* sum of w[i] 2^(62 i); the lower limbs are 0..2^62 - 1, the highest has the sign. */
typedef struct {
    int64_t w[LIMBS];
} signed310;

/* (f, g) becomes (u f + v g, q f + r g) / 2^62. */
typedef struct {
    int64_t u, v, q, r;
} step_matrix;

static void from_u256(signed310 *r, const u256 *a) {
    r->w[0] = (int64_t)(a->w[0] & LIMB_MASK);
    r->w[1] = (int64_t)((a->w[0] >> 62 | a->w[1] << 2) & LIMB_MASK);
    r->w[2] = (int64_t)((a->w[1] >> 60 | a->w[2] << 4) & LIMB_MASK);
    r->w[3] = (int64_t)((a->w[2] >> 58 | a->w[3] << 6) & LIMB_MASK);
    r->w[4] = (int64_t)(a->w[3] >> 56);
}

static void to_u256(u256 *r, const signed310 *a) {
    const uint64_t w[LIMBS] = {
            (uint64_t)a->w[0], (uint64_t)a->w[1], (uint64_t)a->w[2], (uint64_t)a->w[3], (uint64_t)a->w[4]};
    r->w[0] = w[0] | w[1] << 62;
    r->w[1] = w[1] >> 2 | w[2] << 60;
    r->w[2] = w[2] >> 4 | w[3] << 58;
    r->w[3] = w[3] >> 6 | w[4] << 56;
}

/* 62 division steps on the low limbs of f and g; returns the new delta. */
static int64_t steps_var(step_matrix *matrix, int64_t delta, uint64_t f, uint64_t g) {
    uint64_t u = 1, v = 0, q = 0, r = 1;
    int left = STEPS;
    for (;;) {
        int zeros = __builtin_ctzll(g | (uint64_t)1 << left);
        g >>= zeros;
        u <<= zeros;
        v <<= zeros;
        delta += zeros;
        left -= zeros;
        if (left == 0) {
            break;
        }
        if (delta > 0) {
            uint64_t old_f = f, old_u = u, old_v = v;
            delta = -delta;
            f = g, u = q, v = r;
            g = 0 - old_f, q = 0 - old_u, r = 0 - old_v;
        }
        /*
         * No exchange can come for 1 - delta steps: clear that many bits of g at once, six at most. f (f^2 - 2) = -1 /
         * f mod 64.
         */
        int64_t quiet = 1 - delta < left ? 1 - delta : left;
        uint64_t mask = quiet < 6 ? ((uint64_t)1 << quiet) - 1 : 63;
        uint64_t multiple = (g * f * (f * f - 2)) & mask;
        g += f * multiple;
        q += u * multiple;
        r += v * multiple;
    }
    *matrix = (step_matrix){(int64_t)u, (int64_t)v, (int64_t)q, (int64_t)r};
    return delta;
}

/* Returns (x a + y b + z m) / 2^62 in r, where the division is exact. r may be a or b. */
static inline void combine(
        signed310 *out, int64_t x, const signed310 *a, int64_t y, const signed310 *b, int64_t z, const signed310 *m) {
    i128 sum = (i128)x * a->w[0] + (i128)y * b->w[0] + (i128)z * m->w[0];
    sum >>= STEPS;
    signed310 r;
    for (int i = 1; i < LIMBS; i++) {
        sum += (i128)x * a->w[i] + (i128)y * b->w[i] + (i128)z * m->w[i];
        r.w[i - 1] = (int64_t)((uint64_t)sum & LIMB_MASK);
        sum >>= STEPS;
    }
    r.w[LIMBS - 1] = (int64_t)sum;
    *out = r;
}

/* Returns the multiple of m, in -2^61..2^61, that makes x a + y b divisible by 2^62. inverse is 1 / m mod 2^62. */
static inline int64_t completing_multiple(
        int64_t x, const signed310 *a, int64_t y, const signed310 *b, uint64_t inverse) {
    uint64_t low = (uint64_t)x * (uint64_t)a->w[0] + (uint64_t)y * (uint64_t)b->w[0];
    uint64_t multiple = (0 - low * inverse) & LIMB_MASK;
    return (int64_t)(multiple << 2) >> 2;
}

static int is_zero(const signed310 *a) {
    return (a->w[0] | a->w[1] | a->w[2] | a->w[3] | a->w[4]) == 0;
}

/* a += sign m, limbs brought back into their ranges. */
static void add_multiple(signed310 *a, int64_t sign, const signed310 *m) {
    int64_t carry = 0;
    for (int i = 0; i < LIMBS - 1; i++) {
        int64_t sum = a->w[i] + sign * m->w[i] + carry;
        a->w[i] = (int64_t)((uint64_t)sum & LIMB_MASK);
        carry = sum >> STEPS;
    }
    a->w[LIMBS - 1] += sign * m->w[LIMBS - 1] + carry;
}

void u256_inverse_var(u256 *r, const u256 *a, const u256 *m) {
    WORK(WORK_INVERSION);
    signed310 modulus, f, g, d = {{0}}, e = {{1}};
    from_u256(&modulus, m);
    from_u256(&g, a);
    f = modulus;
    /* Newton: each round doubles the correct low bits, of which an odd number's own value has three. */
    uint64_t inverse = m->w[0];
    for (int i = 0; i < 5; i++) {
        inverse *= 2 - m->w[0] * inverse;
    }
    int64_t delta = 1;
    while (!is_zero(&g)) {
        step_matrix t;
        /* Steps look at 62 bits; a bit above them, from the next limb, is never reached. */
        delta = steps_var(&t, delta, (uint64_t)f.w[0], (uint64_t)g.w[0]);
        signed310 old_f = f, old_d = d;
        combine(&f, t.u, &old_f, t.v, &g, 0, &modulus);
        combine(&g, t.q, &old_f, t.r, &g, 0, &modulus);
        /*
         * The multiple keeps |d| and |e| from growing by more than m / 2 each time; twelve times fit five limbs easily.
         */
        int64_t z = completing_multiple(t.u, &old_d, t.v, &e, inverse);
        combine(&d, t.u, &old_d, t.v, &e, z, &modulus);
        z = completing_multiple(t.q, &old_d, t.r, &e, inverse);
        combine(&e, t.q, &old_d, t.r, &e, z, &modulus);
    }
    /* f is 1 or -1 (or m, when a is 0 and so is d); 1 / a = d f. */
    if (f.w[LIMBS - 1] < 0) {
        signed310 zero = {{0}};
        int64_t carry = 0;
        for (int i = 0; i < LIMBS - 1; i++) {
            int64_t sum = carry - d.w[i];
            zero.w[i] = (int64_t)((uint64_t)sum & LIMB_MASK);
            carry = sum >> STEPS;
        }
        zero.w[LIMBS - 1] = carry - d.w[LIMBS - 1];
        d = zero;
    }
    while (d.w[LIMBS - 1] < 0) {
        add_multiple(&d, 1, &modulus);
    }
    for (;;) {
        signed310 less = d;
        add_multiple(&less, -1, &modulus);
        if (less.w[LIMBS - 1] < 0) {
            break;
        }
        d = less;
    }
    to_u256(r, &d);
}

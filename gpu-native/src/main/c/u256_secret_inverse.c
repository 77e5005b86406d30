#include "u256_secret_inverse.h"

/* Division steps between two updates of the long numbers, and how often they are done: 590 in all. */
#define STEPS 59
#define ROUNDS 10
#define LIMBS 5
#define LIMB_BITS 62

typedef __int128 i128;

/* A number as sum of w[i] * 2^(62 i); limbs 0..3 lie in 0..2^62 - 1, the highest has the sign. */
typedef struct {
    int64_t w[LIMBS];
} signed62;

/*
 * What 59 division steps do to (f, g): (f, g) becomes (u f + v g, q f + r g) / 2^62. Entries are multiples of 8, |u| +
 * |v| <= 2^62.
 */
typedef struct {
    int64_t u, v, q, r;
} transition;

static const uint64_t limb_mask = UINT64_MAX >> (64 - LIMB_BITS);

static signed62 from_u256(const u256 *a) {
    signed62 s = {{
            (int64_t)(a->w[0] & limb_mask),
            (int64_t)((a->w[0] >> 62 | a->w[1] << 2) & limb_mask),
            (int64_t)((a->w[1] >> 60 | a->w[2] << 4) & limb_mask),
            (int64_t)((a->w[2] >> 58 | a->w[3] << 6) & limb_mask),
            (int64_t)(a->w[3] >> 56),
    }};
    return s;
}

static u256 to_u256(const signed62 *s) {
    uint64_t w[LIMBS];
    for (int i = 0; i < LIMBS; i++) {
        w[i] = (uint64_t)s->w[i];
    }
    return (u256){{
            w[0] | w[1] << 62,
            w[1] >> 2 | w[2] << 60,
            w[2] >> 4 | w[3] << 58,
            w[3] >> 6 | w[4] << 56,
    }};
}

/* Hides from the compiler that a mask has only two values. */
static inline uint64_t opaque(uint64_t mask) {
    __asm__("" : "+r"(mask));
    return mask;
}

/*
 * STEPS division steps on the low bits of f (odd) and g; zeta = -(delta + 1/2). A step swaps when delta > 0 and g is
 * odd: (f, g) becomes (g, (g - f) / 2), otherwise (f, (g + (g mod 2) f) / 2).
 */
static int64_t division_steps(int64_t zeta, uint64_t f, uint64_t g, transition *t) {
    uint64_t u = 1 << (LIMB_BITS - STEPS), v = 0, q = 0, r = 1 << (LIMB_BITS - STEPS);
    for (int i = 0; i < STEPS; i++) {
        uint64_t is_positive = opaque((uint64_t)(zeta >> 63));
        uint64_t is_odd = opaque(0 - (g & 1));
        g += ((f ^ is_positive) - is_positive) & is_odd;
        q += ((u ^ is_positive) - is_positive) & is_odd;
        r += ((v ^ is_positive) - is_positive) & is_odd;
        uint64_t swap = is_positive & is_odd;
        zeta = (zeta ^ (int64_t)swap) - 1;
        f += g & swap;
        u += q & swap;
        v += r & swap;
        g >>= 1;
        u <<= 1;
        v <<= 1;
    }
    *t = (transition){(int64_t)u, (int64_t)v, (int64_t)q, (int64_t)r};
    return zeta;
}

/* (f, g) = t (f, g), a division by 2^62 without remainder. */
static void update_fg(signed62 *f, signed62 *g, const transition *t) {
    i128 cf = (i128)t->u * f->w[0] + (i128)t->v * g->w[0];
    i128 cg = (i128)t->q * f->w[0] + (i128)t->r * g->w[0];
    cf >>= LIMB_BITS;
    cg >>= LIMB_BITS;
    for (int i = 1; i < LIMBS; i++) {
        cf += (i128)t->u * f->w[i] + (i128)t->v * g->w[i];
        cg += (i128)t->q * f->w[i] + (i128)t->r * g->w[i];
        f->w[i - 1] = (int64_t)((uint64_t)cf & limb_mask);
        g->w[i - 1] = (int64_t)((uint64_t)cg & limb_mask);
        cf >>= LIMB_BITS;
        cg >>= LIMB_BITS;
    }
    f->w[LIMBS - 1] = (int64_t)cf;
    g->w[LIMBS - 1] = (int64_t)cg;
}

/* (d, e) = t (d, e) mod m, where a multiple of m makes the division by 2^62 exact. -2m < d, e < m before and after. */
static void update_de(signed62 *d, signed62 *e, const transition *t, const signed62 *m, uint64_t m_inverse62) {
    int64_t is_d_negative = d->w[LIMBS - 1] >> 63;
    int64_t is_e_negative = e->w[LIMBS - 1] >> 63;
    int64_t md = (t->u & is_d_negative) + (t->v & is_e_negative);
    int64_t me = (t->q & is_d_negative) + (t->r & is_e_negative);
    i128 cd = (i128)t->u * d->w[0] + (i128)t->v * e->w[0];
    i128 ce = (i128)t->q * d->w[0] + (i128)t->r * e->w[0];
    md -= (int64_t)((m_inverse62 * (uint64_t)cd + (uint64_t)md) & limb_mask);
    me -= (int64_t)((m_inverse62 * (uint64_t)ce + (uint64_t)me) & limb_mask);
    cd = (cd + (i128)m->w[0] * md) >> LIMB_BITS;
    ce = (ce + (i128)m->w[0] * me) >> LIMB_BITS;
    for (int i = 1; i < LIMBS; i++) {
        cd += (i128)t->u * d->w[i] + (i128)t->v * e->w[i] + (i128)m->w[i] * md;
        ce += (i128)t->q * d->w[i] + (i128)t->r * e->w[i] + (i128)m->w[i] * me;
        d->w[i - 1] = (int64_t)((uint64_t)cd & limb_mask);
        e->w[i - 1] = (int64_t)((uint64_t)ce & limb_mask);
        cd >>= LIMB_BITS;
        ce >>= LIMB_BITS;
    }
    d->w[LIMBS - 1] = (int64_t)cd;
    e->w[LIMBS - 1] = (int64_t)ce;
}

/* a += m where mask is all ones, then a = -a where negate is all ones. Limbs may be out of range until carried. */
static void add_negate(signed62 *a, const signed62 *m, int64_t mask, int64_t negate) {
    int64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        int64_t limb = a->w[i] + (m->w[i] & mask);
        limb = ((limb ^ negate) - negate) + carry;
        carry = limb >> LIMB_BITS;
        a->w[i] = i < LIMBS - 1 ? (int64_t)((uint64_t)limb & limb_mask) : limb;
    }
}

void u256_secret_inverse(u256 *r, const u256 *a, const u256_secret_modulus *modulus) {
    signed62 m = from_u256(&modulus->m);
    signed62 f = m, g = from_u256(a);
    signed62 d = {{0}}, e = {{1}};
    int64_t zeta = -1;
    for (int i = 0; i < ROUNDS; i++) {
        transition t;
        zeta = division_steps(zeta, (uint64_t)f.w[0] | (uint64_t)f.w[1] << LIMB_BITS,
                (uint64_t)g.w[0] | (uint64_t)g.w[1] << LIMB_BITS, &t);
        update_de(&d, &e, &t, &m, modulus->inverse62);
        update_fg(&f, &g, &t);
    }
    /* g = 0 and f = +-1 (or +-m when a = 0, with d = 0): the inverse is d with the sign of f. */
    add_negate(&d, &m, d.w[LIMBS - 1] >> 63, f.w[LIMBS - 1] >> 63);
    add_negate(&d, &m, d.w[LIMBS - 1] >> 63, 0);
    *r = to_u256(&d);
}

/*
 * Signatures whose sums are s G + t P, under keys P = d G chosen such that points meet, equal or opposite, on the way
 * of AVX-512: within a lane, where neighbours add up few sums, and behind the tree. A template: the including file
 * defines ORDER, GENERATOR_BITS, KEY_BITS and check_key(d, s, t, count), which verifies such signatures at every place
 * of a batch of count among valid ones, right and spoilt.
 */
#include "signed_windows.h"
#include "u256_inverse.h"

#define ROUNDS 6
#define GENERATOR_TERMS 20
#define TERMS 49

/* What some of a sum's terms add up to: g G + p P, mod n. */
typedef struct {
    u256 g, p;
} share;

/* *r += or -= 2^shift |digit|. */
static void add_digit(u256 *r, int digit, int shift) {
    u256 term = {{(uint64_t)(digit < 0 ? -digit : digit), 0, 0, 0}};
    for (int i = 0; i < shift; i++) {
        u256_add_mod(&term, &term, &term, &ORDER);
    }
    if (digit < 0) {
        u256_sub_mod(r, r, &term, &ORDER);
    } else {
        u256_add_mod(r, r, &term, &ORDER);
    }
}

/* The terms first, first + step, ... below end of s G + t P. */
static share share_of(const u256 *s, const u256 *t, int first, int step, int end) {
    share r = {{{0}}, {{0}}};
    signed_windows of_s, of_t;
    signed_windows_of(&of_s, s, &ORDER, GENERATOR_BITS);
    signed_windows_of(&of_t, t, &ORDER, KEY_BITS);
    for (int k = first; k < end; k += step) {
        if (k < GENERATOR_TERMS) {
            add_digit(&r.g, signed_windows_digit(&of_s, k, GENERATOR_BITS), GENERATOR_BITS * k);
        } else {
            int window = k - GENERATOR_TERMS;
            add_digit(&r.p, signed_windows_digit(&of_t, window, KEY_BITS), KEY_BITS * window);
        }
    }
    return r;
}

/* d such that two shares are the same point, or opposite ones, when P = d G. */
static u256 key_where_they_meet(const share *a, const share *b, int is_opposite) {
    u256 g, p, d;
    if (is_opposite) {
        u256 zero = {{0}};
        u256_add_mod(&g, &a->g, &b->g, &ORDER);
        u256_sub_mod(&g, &zero, &g, &ORDER);
        u256_add_mod(&p, &a->p, &b->p, &ORDER);
    } else {
        u256_sub_mod(&g, &b->g, &a->g, &ORDER);
        u256_sub_mod(&p, &a->p, &b->p, &ORDER);
    }
    u256_inverse_var(&p, &p, &ORDER);
    check_mul_mod(&d, &g, &p, &ORDER);
    return d;
}

static void check_meeting(const u256 *s, const u256 *t, const share *a, const share *b, int is_opposite, int count) {
    u256 d = key_where_they_meet(a, b, is_opposite);
    check_key(&d, s, t, count);
}

static void add_share(share *r, const share *a) {
    u256_add_mod(&r->g, &r->g, &a->g, &ORDER);
    u256_add_mod(&r->p, &r->p, &a->p, &ORDER);
}

static void random_scalars(u256 *s, u256 *t) {
    check_random_below(s, &ORDER);
    check_random_below(t, &ORDER);
    s->w[0] |= 2;
    t->w[0] |= 2;
}

/* One sum takes all eight lanes, two take four each, three and four take two each. */
static void should_survive_meetings_of_a_spread(int count) {
    const int spread = count == 1 ? 8 : count == 2 ? 4 : 2;
    for (int round = 0; round < ROUNDS; round++) {
        u256 s, t;
        int lane = round % spread, is_opposite = round / 2 % 2;
        random_scalars(&s, &t);
        /* Within a lane: what it has so far, and its next term of P. */
        int k = lane + (GENERATOR_TERMS + spread - 1 - lane) / spread * spread + round % 3 * spread;
        share before = share_of(&s, &t, lane, spread, k), next = share_of(&s, &t, k, spread, k + 1);
        check_meeting(&s, &t, &before, &next, is_opposite, count);
        /* Where neighbours at each distance add up. */
        for (int distance = spread / 2; distance > 0; distance /= 2) {
            share own = share_of(&s, &t, lane % distance, 2 * distance, TERMS);
            share other = share_of(&s, &t, lane % distance + distance, 2 * distance, TERMS);
            check_meeting(&s, &t, &own, &other, is_opposite, count);
        }
    }
}

/*
 * Nine sums make two groups, whose trees end with thirteen points: term k is paired with term k + 25, then that sum
 * with the one of k + 13. What is left is added up one after another.
 */
static void should_survive_meetings_behind_a_tree(void) {
    for (int round = 0; round < ROUNDS; round++) {
        u256 s, t;
        int last = 1 + 2 * round;
        share before = {{{0}}, {{0}}}, next = before;
        random_scalars(&s, &t);
        for (int k = 0; k <= last; k++) {
            share *sum = k < last ? &before : &next, part = share_of(&s, &t, k, 25, TERMS);
            add_share(sum, &part);
            if (k < 12) {
                part = share_of(&s, &t, k + 13, 25, k == 11 ? 25 : TERMS);
                add_share(sum, &part);
            }
        }
        check_meeting(&s, &t, &before, &next, round % 2, 9);
    }
}

static void should_survive_meetings(void) {
    for (int count = 1; count <= 5; count++) {
        should_survive_meetings_of_a_spread(count);
    }
    should_survive_meetings_behind_a_tree();
}

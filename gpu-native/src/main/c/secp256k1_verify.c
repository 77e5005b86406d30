#include "secp256k1_verify.h"

#include "scalar.h"
#include "sha256.h"
#include "u256_inverse.h"

#define CHUNK SECP256K1_SUM_COUNT_MAX

_Static_assert(sizeof(secp256k1_verify_record) == 128, "records are drawn in the header");

/* A record that passed the checks of r, s and v: it is valid when R = u G + w P is the point that r and v name. */
typedef struct {
    u256 r, s, e, u, w;
    const secp256k1_verify_record *record;
    uint8_t *state;
    uint8_t v;
} equation;

/* Part of the scratch memory of one chunk. */
typedef struct {
    uint64_t terms[SECP256K1_SUM_TERMS * CHUNK];
    equation equations[CHUNK];
    equation *known[CHUNK], *unknown[CHUNK];
    secp256k1_factors factors[CHUNK];
    secp256k1_affine sums[CHUNK];
    u256 products[CHUNK];
    uint8_t states[CHUNK];
} chunk_scratch;

_Static_assert(SECP256K1_SUM_SCRATCH_SIZE + sizeof(chunk_scratch) <= SECP256K1_VERIFY_SCRATCH_SIZE,
        "scratch memory is too small");

int secp256k1_verify_key_init(secp256k1_verify_key *key, const uint8_t point[64]) {
    u256_from_bytes(&key->point.x, point);
    u256_from_bytes(&key->point.y, point + 32);
    return secp256k1_is_on_curve_var(&key->point);
}

/* Returns 1 when r and s are in range and s is the lower one. */
static int is_in_range(const u256 *r, const u256 *s) {
    u256 opposite;
    u256_sub(&opposite, &secp256k1_order.n.m, s);
    return scalar_is_valid(r, &secp256k1_order) && scalar_is_valid(s, &secp256k1_order) && u256_is_less(s, &opposite);
}

/* Returns 1 when the record may be valid, and fills the equation but for u and w. */
static int equation_of(equation *a, const secp256k1_verify_record *record, uint8_t *state) {
    int given = *state & ((1 << SECP256K1_VERIFY_V_SHIFT) - 1);
    a->v = *state >> SECP256K1_VERIFY_V_SHIFT;
    if (given > SECP256K1_VERIFY_GIVEN_MESSAGE || a->v > 3) {
        return 0;
    }
    u256_from_bytes(&a->r, record->r);
    u256_from_bytes(&a->s, record->s);
    if (!is_in_range(&a->r, &a->s)) {
        return 0;
    }
    uint8_t digest[SHA256_DIGEST_LENGTH];
    if (given == SECP256K1_VERIFY_GIVEN_MESSAGE) {
        sha256_digest(digest, record->message, SECP256K1_VERIFY_MESSAGE_LENGTH);
    }
    u256_from_bytes(&a->e, given == SECP256K1_VERIFY_GIVEN_MESSAGE ? digest : record->message);
    scalar_reduce(&a->e, &a->e, &secp256k1_order);
    a->record = record;
    a->state = state;
    return 1;
}

/* u = e / s, w = r / s for all equations with one inversion: products in Montgomery form, the inverse last. */
static void divide_by_s(equation *equations, u256 *products, int count) {
    const scalar_order *n = &secp256k1_order;
    u256 product = {{1, 0, 0, 0}}, inverse, own;
    scalar_to_montgomery(&product, &product, n);
    for (int i = 0; i < count; i++) {
        products[i] = product;
        scalar_to_montgomery(&own, &equations[i].s, n);
        scalar_mul(&product, &product, &own, n);
    }
    static const u256 plain_one = {{1, 0, 0, 0}};
    scalar_mul(&product, &product, &plain_one, n);
    u256_inverse_var(&inverse, &product, &n->n.m);
    scalar_to_montgomery(&inverse, &inverse, n);
    for (int i = count - 1; i >= 0; i--) {
        equation *a = &equations[i];
        scalar_mul(&own, &inverse, &products[i], n);
        scalar_to_montgomery(&product, &a->s, n);
        scalar_mul(&inverse, &inverse, &product, n);
        scalar_mul(&a->u, &a->e, &own, n);
        scalar_mul(&a->w, &a->r, &own, n);
    }
}

static int settle(const equation *a, const secp256k1_affine *point) {
    u256 reduced;
    scalar_reduce(&reduced, &point->x, &secp256k1_order);
    unsigned is_reduced = u256_is_equal(&reduced, &point->x) ? 0 : 1;
    unsigned v = (unsigned)(point->y.w[0] & 1) | is_reduced << 1;
    int is_valid = u256_is_equal(&reduced, &a->r) && v == a->v;
    *a->state = is_valid ? SECP256K1_VERIFY_VALID : SECP256K1_VERIFY_INVALID;
    return is_valid;
}

static const secp256k1_verify_key *key_of(const equation *a) {
    return (const secp256k1_verify_key *)(uintptr_t)a->record->key;
}

/* Decides one equation alone; u may be 0. */
static int settle_alone(const equation *a, const secp256k1_affine *generator, const secp256k1_group *group) {
    secp256k1_affine point;
    if (!group->multiply_add_var(&point, &a->u, &a->w, &key_of(a)->point, generator)) {
        *a->state = SECP256K1_VERIFY_INVALID;
        return 0;
    }
    return settle(a, &point);
}

/* Writes the terms of u G and w P of all equations under known keys; between count and stride the last one again. */
static void recode(chunk_scratch *scratch, int count, int stride, const secp256k1_affine *generator,
        const secp256k1_group *group) {
    for (int first = 0; first < stride; first += 8) {
        const u256 *u[8], *w[8];
        uint64_t generators[8], tables[8];
        for (int i = 0; i < 8; i++) {
            const equation *a = scratch->known[first + i < count ? first + i : count - 1];
            u[i] = &a->u;
            w[i] = &a->w;
            generators[i] = (uint64_t)(uintptr_t)generator;
            tables[i] = a->record->table;
        }
        uint64_t *terms = scratch->terms + first;
        group->terms_var(terms, stride, u, generators, SECP256K1_GENERATOR_BITS);
        group->terms_var(terms + SECP256K1_GENERATOR_WINDOWS * stride, stride, w, tables, SECP256K1_KEY_BITS);
    }
}

/* Decides by complete formulas what a group left undecided. */
static void complete_sums(const secp256k1_sum_work *work, const secp256k1_group *group) {
    int indices[CHUNK], count = 0;
    for (int i = 0; i < work->count; i++) {
        if (work->states[i] == SECP256K1_SUM_UNDECIDED) {
            indices[count++] = i;
        }
    }
    if (count > 0) {
        group->sum_complete_var(work, indices, count);
    }
}

/* Writes the verdicts of equations whose points have been computed. */
static int settle_all(equation *const *equations, int count, const chunk_scratch *scratch) {
    int valid = 0;
    for (int i = 0; i < count; i++) {
        if (scratch->states[i] == SECP256K1_SUM_DONE) {
            valid += settle(equations[i], &scratch->sums[i]);
        } else {
            *equations[i]->state = SECP256K1_VERIFY_INVALID;
        }
    }
    return valid;
}

static int settle_known(chunk_scratch *scratch, int count, const secp256k1_affine *generator,
        const secp256k1_group *group, void *sum_scratch) {
    if (count == 0) {
        return 0;
    }
    const int stride = (count + 7) & ~7;
    recode(scratch, count, stride, generator, group);
    secp256k1_sum_work work = {scratch->terms, count, stride, scratch->sums, scratch->states, sum_scratch};
    group->sum_var(&work);
    complete_sums(&work, group);
    return settle_all(scratch->known, count, scratch);
}

static int settle_unknown(chunk_scratch *scratch, int count, const secp256k1_affine *generator,
        const secp256k1_group *group, void *sum_scratch) {
    if (count == 0) {
        return 0;
    }
    for (int i = 0; i < count; i++) {
        const equation *a = scratch->unknown[i];
        scratch->factors[i] = (secp256k1_factors){&a->u, &a->w, &key_of(a)->point};
    }
    secp256k1_multiply_work work = {scratch->factors, count, generator, scratch->sums, scratch->states, sum_scratch};
    group->multiply_var(&work);
    return settle_all(scratch->unknown, count, scratch);
}

static int verify_chunk(const secp256k1_verify_record *records, uint8_t *states, int count,
        const secp256k1_affine *generator, const secp256k1_group *group, chunk_scratch *scratch, void *sum_scratch) {
    int equations = 0, known = 0, unknown = 0, valid = 0;
    for (int i = 0; i < count; i++) {
        if (equation_of(&scratch->equations[equations], &records[i], &states[i])) {
            equations++;
        } else {
            states[i] = SECP256K1_VERIFY_INVALID;
        }
    }
    divide_by_s(scratch->equations, scratch->products, equations);
    for (int i = 0; i < equations; i++) {
        equation *a = &scratch->equations[i];
        /* A message may be chosen such that e = 0 mod n: windows have no zero. */
        if (u256_is_zero(&a->u)) {
            valid += settle_alone(a, generator, group);
        } else if (a->record->table != 0) {
            scratch->known[known++] = a;
        } else {
            scratch->unknown[unknown++] = a;
        }
    }
    valid += settle_known(scratch, known, generator, group, sum_scratch);
    return valid + settle_unknown(scratch, unknown, generator, group, sum_scratch);
}

int secp256k1_verify_var(const secp256k1_verify_record *records, uint8_t *states, int count,
        const secp256k1_affine *generator, const secp256k1_group *group, void *scratch) {
    chunk_scratch *chunk = (chunk_scratch *)((uint8_t *)scratch + SECP256K1_SUM_SCRATCH_SIZE);
    int valid = 0;
    for (int first = 0; first < count; first += CHUNK) {
        int size = count - first < CHUNK ? count - first : CHUNK;
        valid += verify_chunk(records + first, states + first, size, generator, group, chunk, scratch);
    }
    return valid;
}

/* The point that r and v name; returns 0 when there is none. */
static int nonce_point(secp256k1_affine *point, const u256 *r, unsigned v) {
    static const u256 seven = {{7, 0, 0, 0}};
    u256 yy, y, opposite;
    point->x = *r;
    if (v & 2 && u256_add(&point->x, r, &secp256k1_order.n.m)) {
        return 0;
    }
    if (!u256_is_less(&point->x, &secp256k1_fe_p)) {
        return 0;
    }
    secp256k1_fe_sqr(&yy, &point->x);
    secp256k1_fe_mul(&yy, &yy, &point->x);
    secp256k1_fe_add(&yy, &yy, &seven);
    if (!secp256k1_fe_sqrt(&y, &yy)) {
        return 0;
    }
    secp256k1_fe_normalize(&y, &y);
    secp256k1_fe_neg(&opposite, &y);
    point->y = (y.w[0] & 1) == (v & 1) ? y : opposite;
    return 1;
}

int secp256k1_recover_var(uint8_t point[64], const uint8_t signature[65], const uint8_t e[32],
        const secp256k1_affine *generator, const secp256k1_group *group) {
    const scalar_order *n = &secp256k1_order;
    u256 r, s, digest, inverse, u, w;
    secp256k1_affine nonce, key;
    u256_from_bytes(&r, signature);
    u256_from_bytes(&s, signature + 32);
    u256_from_bytes(&digest, e);
    unsigned v = signature[64];
    if (!is_in_range(&r, &s) || v > 3 || !nonce_point(&nonce, &r, v)) {
        return 0;
    }
    /* P = r^-1 (s R - e G). */
    static const u256 zero = {{0}};
    scalar_reduce(&digest, &digest, n);
    u256_inverse_var(&inverse, &r, &n->n.m);
    scalar_to_montgomery(&inverse, &inverse, n);
    scalar_mul(&u, &digest, &inverse, n);
    scalar_sub(&u, &zero, &u, n);
    scalar_mul(&w, &s, &inverse, n);
    if (!group->multiply_add_var(&key, &u, &w, &nonce, generator)) {
        return 0;
    }
    u256_to_bytes(point, &key.x);
    u256_to_bytes(point + 32, &key.y);
    return 1;
}

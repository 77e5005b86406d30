/*
 * Sums of table entries over the lanes of AVX-512, for the curve of the including file, which has included its
 * ge8_group.h. Two shapes: a tree that adds up many sums side by side, one a lane, with shared inversions; and a spread
 * of few sums over all lanes, without inversions.
 */

/* Most sums that are faster spread over the lanes than one a lane. */
#define SPREAD_MAX 4

/* Distance, in additions, at which table entries are asked for before their use. */
#define PREFETCH_DISTANCE 4

/* With fewer additions than this in a level its inversion costs more than Jacobian coordinates do. */
#define AFFINE_ADDITIONS_MIN 16

/* Independent chains of products: a multiplication's latency is almost twice its cost. */
#define CHAINS 2

/* What met holds for a sum of which two points have the same x; 0 for others. */
#define SUM8_MET 2

/*
 * Terms as in sm2_sum.h, groups of eight sums. met[i] becomes SUM8_MET where the tree cannot add up sum i. memory has
 * SUM8_MEMORY_SIZE bytes for each term of each group.
 */
typedef struct {
    const uint64_t *terms;
    int term_count, groups;
    uint8_t *met;
    void *memory;
} sum8_work;

/* A difference of two x, and the product of those before it in its chain. */
typedef struct {
    fe8 difference, product;
} pending;

/* Half of all terms are waiting at most. */
#define SUM8_MEMORY_SIZE (sizeof(ge8_affine) + sizeof(pending) / 2)

static inline void prefetch_terms(const uint64_t *terms) {
    for (int lane = 0; lane < 8; lane++) {
        __builtin_prefetch((const void *)(uintptr_t)terms[lane]);
    }
}

/*
 * Returns a + b, narrow, given 1 / (b.x - a.x), loose and below 2 p: lambda = (b.y - a.y) / (b.x - a.x), x = lambda^2 -
 * a.x - b.x, y = lambda (a.x - x) - a.y. All coordinates are narrow.
 */
FE8_INLINE ge8_affine add_affine(const ge8_affine *a, const ge8_affine *b, fe8 inverse) {
    fe8 lambda = FE8(mul_loose)(FE8(sub_loose)(b->y, a->y), inverse);
    fe8 x = fe8_raw_sub(fe8_raw_sub(FE8(sqr)(lambda), a->x), b->x);
    x = FE8(narrow)(FE8(raw_add_p)(x, 6));
    fe8 y = fe8_raw_sub(FE8(mul)(lambda, FE8(sub_loose)(a->x, x)), a->y);
    return (ge8_affine){x, FE8(narrow)(FE8(raw_add_p)(y, 4))};
}

FE8_INLINE void chain_difference(pending *p, int q, fe8 difference, fe8 product[CHAINS]) {
    p->difference = difference;
    p->product = product[q % CHAINS];
    product[q % CHAINS] = FE8(mul_loose)(product[q % CHAINS], difference);
}

/* Where a difference is 0, puts 1 and marks the sum; then builds the chains again. */
static __attribute__((noinline)) void divert_zeros(
        pending *pendings, int count, fe8 product[CHAINS], const sum8_work *work) {
    product[0] = product[1] = fe8_of(FE8(one));
    for (int q = 0; q < count; q++) {
        const fe8 one = fe8_of(FE8(one));
        fe8 difference = fe8_trim(pendings[q].difference);
        __mmask8 zeros = FE8(zero_lanes)(difference);
        fe8_select(&difference, zeros, &one);
        for (int lane = 0; lane < 8; lane++) {
            if (zeros >> lane & 1) {
                work->met[q % work->groups * 8 + lane] = SUM8_MET;
            }
        }
        chain_difference(&pendings[q], q, difference, product);
    }
}

/* a[q] += b[q] for q < count, once all differences are chained. */
static inline __attribute__((always_inline)) void finish_level(
        ge8_affine *a, const ge8_affine *b, int count, pending *pendings, fe8 product[CHAINS], const sum8_work *work) {
    int has_zero;
    fe8 inverse[CHAINS], both = FE8(inverse_var)(FE8(mul_loose)(product[0], product[1]), &has_zero);
    if (__builtin_expect(has_zero, 0)) {
        divert_zeros(pendings, count, product, work);
        both = FE8(inverse_var)(FE8(mul_loose)(product[0], product[1]), &has_zero);
    }
    inverse[0] = FE8(mul_loose)(both, product[1]);
    inverse[1] = FE8(mul_loose)(both, product[0]);
    for (int q = count - 1; q >= 0; q--) {
        fe8 own = FE8(mul_loose)(inverse[q % CHAINS], pendings[q].product);
        inverse[q % CHAINS] = FE8(mul_loose)(inverse[q % CHAINS], pendings[q].difference);
        a[q] = add_affine(&a[q], &b[q], own);
    }
}

/* The first level, which also reads the terms. */
static __attribute__((noinline)) void add_terms(
        ge8_affine *points, int half, pending *pendings, const sum8_work *work) {
    const int count = half * work->groups, distance = (work->term_count - half) * work->groups;
    fe8 product[CHAINS] = {fe8_of(FE8(one)), fe8_of(FE8(one))};
    const uint64_t *first = work->terms, *second = work->terms + 8 * distance;
    for (int q = 0; q < count; q++) {
        if (q + PREFETCH_DISTANCE < count) {
            prefetch_terms(first + 8 * (q + PREFETCH_DISTANCE));
            prefetch_terms(second + 8 * (q + PREFETCH_DISTANCE));
        }
        points[q] = GE8(load_terms)(first + 8 * q);
        points[distance + q] = GE8(load_terms)(second + 8 * q);
        chain_difference(&pendings[q], q, FE8(sub_loose)(points[distance + q].x, points[q].x), product);
    }
    for (int q = count; q < distance; q++) {
        points[q] = GE8(load_terms)(first + 8 * q);
    }
    finish_level(points, points + distance, count, pendings, product, work);
}

static __attribute__((noinline)) void add_level(
        ge8_affine *a, const ge8_affine *b, int count, pending *pendings, const sum8_work *work) {
    fe8 product[CHAINS] = {fe8_of(FE8(one)), fe8_of(FE8(one))};
    for (int q = 0; q < count; q++) {
        chain_difference(&pendings[q], q, FE8(sub_loose)(b[q].x, a[q].x), product);
    }
    finish_level(a, b, count, pendings, product, work);
}

/*
 * Adds up the terms of all sums until few are left of each, and returns how many: point k of group g is then
 * memory[k * groups + g].
 */
static int add_as_tree(const sum8_work *work) {
    ge8_affine *points = work->memory;
    pending *pendings = (pending *)(points + work->term_count * work->groups);
    int left = work->term_count, half = left / 2;
    memset(work->met, 0, (size_t)(8 * work->groups));
    add_terms(points, half, pendings, work);
    for (left -= half; left / 2 * work->groups >= AFFINE_ADDITIONS_MIN; left -= half) {
        half = left / 2;
        add_level(points, points + (left - half) * work->groups, half * work->groups, pendings, work);
    }
    return left;
}

/* *sum = what is left of the sums of group g, one after another, without inversions. */
static void add_the_rest(ge8_jacobian *sum, int left, int g, const sum8_work *work) {
    const ge8_affine *points = work->memory;
    *sum = (ge8_jacobian){points[g].x, points[g].y, fe8_of(FE8(one))};
    for (int k = 1; k < left; k++) {
        const ge8_affine *point = &points[k * work->groups + g];
        GE8(add)(sum, &point->x, &point->y);
    }
}

/* Lanes that each of 1..8 sums takes. */
static inline int spread_of(int count) {
    return count == 1 ? 8 : count == 2 ? 4 : count <= 4 ? 2 : 1;
}

/*
 * Loads a term for every lane: lane l takes part in the sum indices[l / spread], the last one in lanes that are left
 * over, and loads its term first + l % spread. Returns the lanes that are beyond the last term; they load another one.
 */
static __mmask8 load_spread(
        ge8_affine *point, const sum8_work *work, const int *indices, int count, int first, int spread) {
    _Alignas(64) uint64_t terms[8];
    __mmask8 beyond = 0;
    for (int lane = 0; lane < 8; lane++) {
        int i = lane / spread < count ? lane / spread : count - 1, k = first + lane % spread;
        if (k >= work->term_count) {
            beyond |= (__mmask8)(1 << lane);
            k = 0;
        }
        terms[lane] = work->terms[k * 8 * work->groups + indices[i]];
    }
    *point = GE8(load_terms)(terms);
    return beyond;
}

/*
 * Adds up 1..8 sums, those with these indices, spread over the lanes: each lane adds every spread-th term of its sum;
 * then neighbours add their sums up. What is complete costs a tenth more, and *infinite has the lanes whose sum is
 * infinite; else there are eight terms at least, *infinite is 0, and z = 0 where two points have met.
 */
static inline __attribute__((always_inline)) void add_spread(
        ge8_jacobian *sum, uint8_t *infinite, const sum8_work *work, const int *indices, int count, int is_complete) {
    const int spread = spread_of(count);
    ge8_affine point;
    *infinite = load_spread(&point, work, indices, count, 0, spread);
    *sum = (ge8_jacobian){point.x, point.y, fe8_of(FE8(one))};
    for (int first = spread; first < work->term_count; first += spread) {
        const __mmask8 beyond = load_spread(&point, work, indices, count, first, spread);
        const ge8_jacobian before = *sum;
        const uint8_t infinite_before = *infinite;
        if (is_complete) {
            GE8(add_complete)(sum, infinite, &point.x, &point.y);
        } else {
            GE8(add)(sum, &point.x, &point.y);
        }
        ge8_select(sum, beyond, &before);
        *infinite = (uint8_t)((*infinite & ~beyond) | (infinite_before & beyond));
    }
    for (int distance = spread / 2; distance > 0; distance /= 2) {
        const ge8_jacobian other = {
                fe8_neighbours(sum->x, distance), fe8_neighbours(sum->y, distance), fe8_neighbours(sum->z, distance)};
        if (is_complete) {
            uint8_t other_infinite = 0;
            for (int lane = 0; lane < 8; lane++) {
                other_infinite |= (uint8_t)((*infinite >> (lane ^ distance) & 1) << lane);
            }
            GE8(add_jacobian_complete)(sum, infinite, &other, other_infinite);
        } else {
            GE8(add_jacobian)(sum, &other);
        }
    }
}

/*
 * u G + w P for keys P = d G without a table, against (u + w d) G from G's table alone: scalars at their edges, halves
 * that are small, and owners of keys who make points meet. Batches of many sizes, in every code there is. And keys
 * whose odd multiples, entries of the tables in lanes, have y near 0 and near p.
 */
#include "secp256k1_fixture.h"
#include "secp256k1_halves.h"
#include "signed_windows.h"

#define COUNT 128
#define ROUNDS 40
#define BITS 5
#define WINDOWS 26

static const u256 lambda = {{0xDF02967C1B23BD72, 0x122E22EA20816678, 0xA5261C028812645A, 0x5363AD4CC05C30E0}};
static const u256 zero = {{0}}, one = {{1, 0, 0, 0}};

static secp256k1_fixture fixture;

/* What is multiplied, and the scalar of G that it must be. */
static u256 us[COUNT], ws[COUNT], expected[COUNT];
static secp256k1_affine points[COUNT];

static void add(u256 *r, const u256 *a) {
    u256_add_mod(r, r, a, &secp256k1_order.n.m);
}

static void subtract(u256 *r, const u256 *a) {
    u256_sub_mod(r, r, a, &secp256k1_order.n.m);
}

static void multiply(u256 *r, const u256 *a) {
    check_mul_mod(r, r, a, &secp256k1_order.n.m);
}

static u256 small_scalar(void) {
    u256 r = {{check_random() % 64, 0, 0, 0}}, opposite = zero;
    subtract(&opposite, &r);
    return check_random() % 2 ? r : opposite;
}

/* a + b lambda with small a and b: what a rounding to odd halves makes of it is near a vector of the lattice. */
static u256 scalar_of_small_halves(void) {
    u256 a = small_scalar(), b = small_scalar();
    multiply(&b, &lambda);
    add(&a, &b);
    return u256_is_zero(&a) ? one : a;
}

static u256 any_scalar(void) {
    u256 r, edges[] = {one, {{2, 0, 0, 0}}, {{6, 0, 0, 0}}, {{0, 0, 1, 0}}, {{0, 0, 2, 0}}, lambda};
    uint64_t choice = check_random() % 32;
    if (choice < 8) {
        return scalar_of_small_halves();
    }
    check_random_below(&r, &secp256k1_order.n.m);
    if (choice < 14) {
        r = zero;
        add(&r, &edges[choice - 8]);
    } else if (choice < 20) {
        r = zero;
        subtract(&r, &edges[choice - 14]);
    }
    return u256_is_zero(&r) ? one : r;
}

static u256 lowest_digit(const secp256k1_halves *halves, int i) {
    signed_windows windows;
    signed_windows_of_odd(&windows, &halves->magnitude[i], halves->is_negative[i], BITS, WINDOWS);
    int digit = signed_windows_digit(&windows, 0, BITS);
    u256 r = zero, magnitude = {{(uint64_t)(digit < 0 ? -digit : digit), 0, 0, 0}};
    if (digit < 0) {
        subtract(&r, &magnitude);
    } else {
        add(&r, &magnitude);
    }
    return r;
}

/*
 * u such that the sum before the lowest digit of a half is added, the first half's first, is that digit's multiple of
 * the key, or the opposite of it.
 */
static u256 u_of_a_meeting(const u256 *w, const u256 *d, int half, int is_opposite) {
    secp256k1_halves halves;
    secp256k1_halves_of(&halves, w);
    u256 before = *w, first = lowest_digit(&halves, 0), second = lowest_digit(&halves, 1), u = zero;
    multiply(&second, &lambda);
    subtract(&before, &second);
    if (half == 0) {
        subtract(&before, &first);
    }
    const u256 *digit = half == 0 ? &first : &second;
    if (is_opposite) {
        subtract(&u, digit);
    } else {
        add(&u, digit);
    }
    subtract(&u, &before);
    multiply(&u, d);
    return u256_is_zero(&u) ? one : u;
}

static void make_factors(void) {
    for (int i = 0; i < COUNT; i++) {
        u256 d = any_scalar();
        uint64_t kind = check_random() % 16;
        ws[i] = any_scalar();
        us[i] = any_scalar();
        if (kind < 4) {
            us[i] = u_of_a_meeting(&ws[i], &d, (int)kind & 1, (int)kind >> 1);
        } else if (kind == 4) {
            us[i] = d;
            multiply(&us[i], &ws[i]);
            u256 opposite = zero;
            subtract(&opposite, &us[i]);
            us[i] = opposite;
        }
        expected[i] = d;
        multiply(&expected[i], &ws[i]);
        add(&expected[i], &us[i]);
        CHECK(secp256k1_group_portable.multiply_add_var(
                &points[i], &d, &zero, &secp256k1_generator, fixture.generator));
    }
}

static void check_batch(const secp256k1_group *group, int first, int count) {
    secp256k1_factors factors[COUNT];
    secp256k1_affine sums[COUNT], right;
    uint8_t states[COUNT];
    for (int i = 0; i < count; i++) {
        factors[i] = (secp256k1_factors){&us[first + i], &ws[first + i], &points[first + i]};
    }
    secp256k1_multiply_work work = {factors, count, fixture.generator, sums, states, fixture.scratch};
    group->multiply_var(&work);
    for (int i = 0; i < count; i++) {
        int is_point =
                group->multiply_add_var(&right, &expected[first + i], &zero, &secp256k1_generator, fixture.generator);
        CHECK(states[i] == (is_point ? SECP256K1_SUM_DONE : SECP256K1_SUM_INFINITE));
        if (is_point) {
            CHECK(memcmp(&sums[i], &right, sizeof right) == 0);
        }
    }
}

static void should_multiply_whatever_meets(const secp256k1_group *group) {
    for (int round = 0; round < ROUNDS; round++) {
        make_factors();
        check_batch(group, 0, COUNT);
        for (int count = 1; count <= 24; count++) {
            check_batch(group, (int)(check_random() % (unsigned)(COUNT - count + 1)), count);
        }
    }
}

/* A point with this y; 0 where y^2 - 7 is no cube. p is 7 mod 9, so that a root of a cube is its power (p + 2) / 9. */
static int point_of_y(secp256k1_affine *r, const u256 *y) {
    static const u256 seven = {{7, 0, 0, 0}};
    /* python3 -c 'print(hex((2**256 - 2**32 - 977 + 2) // 9))' */
    static const u256 exponent = {{0x1C71C71C555554E9, 0x71C71C71C71C71C7, 0xC71C71C71C71C71C, 0x1C71C71C71C71C71}};
    u256 cube, x = one, t;
    secp256k1_fe_sqr(&cube, y);
    secp256k1_fe_sub(&cube, &cube, &seven);
    for (int bit = 255; bit >= 0; bit--) {
        secp256k1_fe_sqr(&x, &x);
        if (exponent.w[bit / 64] >> bit % 64 & 1) {
            secp256k1_fe_mul(&x, &x, &cube);
        }
    }
    secp256k1_fe_sqr(&t, &x);
    secp256k1_fe_mul(&t, &t, &x);
    secp256k1_fe_sub(&t, &t, &cube);
    secp256k1_fe_normalize(&r->x, &x);
    r->y = *y;
    return (int)secp256k1_fe_is_zero(&t);
}

/* Products of the key P with m P = (x, y), y below 2^bits or above p - 2^bits; nobody knows its logarithm. */
static void check_key_of_small_y(const secp256k1_group *group, uint64_t m, int bits, int is_opposite) {
    secp256k1_factors factors[COUNT / 2];
    secp256k1_affine multiple, key, sums[COUNT / 2], right;
    uint8_t states[COUNT / 2];
    u256 y, scalar = {{m, 0, 0, 0}};
    do {
        for (int i = 0; i < 4; i++) {
            int own = bits - 64 * i;
            y.w[i] = own <= 0 ? 0 : own >= 64 ? check_random() : check_random() >> (64 - own);
        }
        if (is_opposite) {
            u256_sub(&y, &secp256k1_fe_p, &y);
        }
    } while (!point_of_y(&multiple, &y));
    scalar_inverse(&scalar, &scalar, &secp256k1_order);
    CHECK(secp256k1_group_portable.multiply_add_var(&key, &zero, &scalar, &multiple, fixture.generator));
    CHECK(secp256k1_is_on_curve_var(&key));
    for (int i = 0; i < COUNT / 2; i++) {
        check_random_below(&us[i], &secp256k1_order.n.m);
        check_random_below(&ws[i], &secp256k1_order.n.m);
        factors[i] = (secp256k1_factors){&us[i], &ws[i], &key};
    }
    secp256k1_multiply_work work = {factors, COUNT / 2, fixture.generator, sums, states, fixture.scratch};
    group->multiply_var(&work);
    for (int i = 0; i < COUNT / 2; i++) {
        CHECK(secp256k1_group_portable.multiply_add_var(&right, &us[i], &ws[i], &key, fixture.generator));
        CHECK(states[i] == SECP256K1_SUM_DONE);
        CHECK(memcmp(&sums[i], &right, sizeof right) == 0);
    }
}

/* Entries in lanes are narrow: a small y may stand as 2 p + y, whose opposite has to be one, too. */
static void should_multiply_multiples_of_small_y(const secp256k1_group *group) {
    for (uint64_t m = 1; m <= 31; m += 2) {
        check_key_of_small_y(group, m, 209, 0);
        check_key_of_small_y(group, m, 40, 0);
        check_key_of_small_y(group, m, 209, 1);
    }
}

int main(void) {
    secp256k1_fixture_init(&fixture);
    for (int number = 0; number <= 2; number++) {
        if (secp256k1_group_of(number) != NULL) {
            should_multiply_whatever_meets(secp256k1_group_of(number));
            should_multiply_multiples_of_small_y(secp256k1_group_of(number));
        }
    }
    secp256k1_fixture_free(&fixture);
    return check_result();
}

#include "sm2_tables.h"

/* Additions that share an inversion. */
#define BATCH 256
#define POWERS_MAX 272

/* target = source + addend, an affine addition waiting for its inversion. */
typedef struct {
    sm2_ge_affine *target;
    const sm2_ge_affine *source, *addend;
} addition;

/*
 * Carries out additions of points with different x: lambda = (y2 - y1) / (x2 - x1), x3 = lambda^2 - x1 - x2, y3 =
 * lambda (x1 - x3) - y1.
 */
static void add_up(const addition *additions, int count) {
    if (count == 0) {
        return;
    }
    u256 differences[BATCH], products[BATCH], product = sm2_fe_one, inverse, lambda, x, t;
    for (int i = 0; i < count; i++) {
        sm2_fe_sub(&differences[i], &additions[i].addend->x, &additions[i].source->x);
        products[i] = product;
        sm2_fe_mul(&product, &product, &differences[i]);
    }
    sm2_fe_inv_var(&inverse, &product);
    for (int i = count - 1; i >= 0; i--) {
        sm2_fe_mul(&lambda, &inverse, &products[i]);
        sm2_fe_mul(&inverse, &inverse, &differences[i]);
        const sm2_ge_affine *a = additions[i].source, *b = additions[i].addend;
        sm2_fe_sub(&t, &b->y, &a->y);
        sm2_fe_mul(&lambda, &lambda, &t);
        sm2_fe_sqr(&x, &lambda);
        sm2_fe_sub(&x, &x, &a->x);
        sm2_fe_sub(&x, &x, &b->x);
        sm2_fe_sub(&t, &a->x, &x);
        sm2_fe_mul(&t, &t, &lambda);
        sm2_fe_sub(&additions[i].target->y, &t, &a->y);
        additions[i].target->x = x;
    }
}

/* powers[i] = 2^i p for i < count, some at a time to share inversions. */
static void powers_of_two(sm2_ge_affine *powers, const sm2_ge_affine *p, int count) {
    sm2_ge_jacobian doubled[POWERS_MAX];
    sm2_ge_from_affine(&doubled[0], p);
    for (int i = 1; i < count; i++) {
        sm2_ge_double(&doubled[i], &doubled[i - 1]);
    }
    sm2_ge_to_affine_var(powers, doubled, (size_t)count);
}

/* Multiplies by 2^4. */
static void to_52_bit_form(u256 *a) {
    for (int i = 0; i < 4; i++) {
        sm2_fe_add(a, a, a);
    }
}

/*
 * The first entry of window j is 2^(w j) P. Given the first k = 2^c entries of a window, 1, 3, ... 2 k - 1 times that,
 * the next k follow by adding 2 k times it. No addition meets equal or opposite points: multiples of a point of prime
 * order n by numbers below 2^w differ.
 */
void sm2_tables_build_var(sm2_ge_affine *table, const sm2_ge_affine *p, int bits, sm2_tables_form form) {
    const int windows = signed_windows_count(bits), per_window = 1 << (bits - 1);
    sm2_ge_affine powers[POWERS_MAX];
    powers_of_two(powers, p, windows * bits);
    for (int j = 0; j < windows; j++) {
        table[j * per_window] = powers[j * bits];
    }
    addition additions[BATCH];
    int waiting = 0;
    for (int c = 0; c < bits - 1; c++) {
        for (int j = 0; j < windows; j++) {
            sm2_ge_affine *window = table + j * per_window;
            for (int i = 0; i < 1 << c; i++) {
                additions[waiting++] = (addition){&window[(1 << c) + i], &window[i], &powers[j * bits + c + 1]};
                if (waiting == BATCH) {
                    add_up(additions, waiting);
                    waiting = 0;
                }
            }
        }
        add_up(additions, waiting);
        waiting = 0;
    }
    if (form == SM2_TABLES_TIMES_2_260) {
        for (int i = 0; i < windows * per_window; i++) {
            to_52_bit_form(&table[i].x);
            to_52_bit_form(&table[i].y);
        }
    }
}

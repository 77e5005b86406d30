/*
 * Makes the table of fixed_base.h. A template: the including file defines FE(name), the field, BASE(name), the prefix
 * of what is made here, and BASE(a) of y^2 = x^3 + a x + b, BASE(generator) and BASE(fe_inverse).
 */
#include "fixed_base.h"

fixed_base_window BASE(table)[FIXED_BASE_WINDOWS];

/* r = the sum of two different points that are not opposite, or 2 a where is_double; slow, for making the table. */
static void add_affine(fixed_base_entry *r, const fixed_base_entry *a, const fixed_base_entry *b, int is_double) {
    u256 numerator, denominator, slope, x, y;
    if (is_double) {
        u256 square;
        FE(sqr)(&square, &a->x);
        FE(add)(&numerator, &square, &square);
        FE(add)(&numerator, &numerator, &square);
        FE(add)(&numerator, &numerator, &BASE(a));
        FE(add)(&denominator, &a->y, &a->y);
    } else {
        FE(sub)(&numerator, &b->y, &a->y);
        FE(sub)(&denominator, &b->x, &a->x);
    }
    BASE(fe_inverse)(&denominator, &denominator);
    FE(mul)(&slope, &numerator, &denominator);
    FE(sqr)(&x, &slope);
    FE(sub)(&x, &x, &a->x);
    FE(sub)(&x, &x, &b->x);
    FE(sub)(&y, &a->x, &x);
    FE(mul)(&y, &y, &slope);
    FE(sub)(&r->y, &y, &a->y);
    r->x = x;
}

void BASE(prepare)(void) {
    fixed_base_entry power = BASE(generator);
    for (int j = 0; j < FIXED_BASE_WINDOWS; j++) {
        fixed_base_entry twice;
        add_affine(&twice, &power, &power, 1);
        BASE(table)[j][0] = power;
        for (int i = 1; i < FIXED_BASE_ENTRIES; i++) {
            add_affine(&BASE(table)[j][i], &BASE(table)[j][i - 1], &twice, 0);
        }
        for (int bit = 0; bit < FIXED_BASE_BITS; bit++) {
            add_affine(&power, &power, &power, 1);
        }
    }
}

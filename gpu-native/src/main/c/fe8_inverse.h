/* FE8(inverse_var) of fe8_field.h. A template: the including file has included a field. */
#include "u256_inverse.h"

/*
 * In three steps every lane multiplies with its neighbour's product at distance 1, 2, 4; then all lanes hold the
 * product of all. The inverse of a lane is that product's inverse times the neighbours' products. The
 * product is inverted as an integer.
 */
fe8 FE8(inverse_var)(fe8 a, int *has_zero) {
    fe8 near = fe8_neighbours(a, 1);
    fe8 two = FE8(mul_loose)(a, near);
    fe8 next = fe8_neighbours(two, 2);
    fe8 four = FE8(mul_loose)(two, next);
    fe8 far = fe8_neighbours(four, 4);
    fe8 others = FE8(mul_loose)(FE8(mul_loose)(near, next), far);
    fe8 all = FE8(mul)(four, far);
    u256 product, inverse;
    FE8(reduced_lane)(&product, &all, 0);
    *has_zero = (int)u256_is_zero(&product);
    u256_inverse_var(&inverse, &product, &FE8_MODULUS);
    return FE8(mul_loose)(others, FE8(of_inverse)(fe8_broadcast(&inverse)));
}

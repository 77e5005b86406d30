/* The functions of ge8_group.h that are those of every curve. A template as that; bounds beside, in multiples of p. */

/*
 * h = x2 z^2 - x, v = y2 z^3 - y. x2 narrow, y2 loose and at most 3 p. Where h = 0, z becomes 0 and stays so.
 *
 * A product of a < A p and b < B p, both below 16 p, is below (A B / 16 + 1) p on the curve of SM2, and below 1.1 p on
 * secp256k1: z^2 is below 1.5^2 / 16 + 1 < 1.15, z^3 below 1.5 1.15 / 16 + 1 < 1.11, and y2 z^3 below 3 1.11 / 16 + 1 <
 * 1.21. Then v is below 5.21, and v^2 and y below 5.21^2 / 16 + 1 < 2.7.
 */
void GE8(add)(ge8_jacobian *a, const fe8 *x2, const fe8 *y2) {
    fe8 zz = FE8(sqr_loose)(a->z);                                              /* 1.2 */
    fe8 h = FE8(sub_loose)(FE8(mul)(*x2, zz), a->x);                            /* 5.2 */
    fe8 y2_zzz = FE8(mul)(*y2, FE8(mul_loose)(a->z, zz));                       /* 1.21 */
    fe8 v = FE8(sub_loose)(y2_zzz, a->y);                                       /* 5.21 */
    a->z = FE8(mul_loose)(a->z, h);                                             /* 1.5 */
    fe8 hh = FE8(sqr_loose)(h);                                                 /* 2.7 */
    fe8 hhh = FE8(mul)(h, hh);                                                  /* 1.9 */
    fe8 x_hh = FE8(mul)(a->x, hh);                                              /* 1.2 */
    fe8 x = fe8_raw_sub(fe8_raw_sub(FE8(sqr)(v), hhh), fe8_raw_shift(x_hh, 1)); /* -4.3 .. 2.7 */
    x = FE8(narrow)(FE8(raw_add_p)(x, 6));
    fe8 y = FE8(mul)(v, FE8(sub_loose)(x_hh, x)); /* 2.7 */
    y = fe8_raw_sub(y, FE8(mul)(a->y, hhh));      /* -1.2 .. 2.7 */
    a->x = x;
    a->y = FE8(narrow)(FE8(raw_add_p)(y, 3));
}

/* u = x z2^2, h = x2 z^2 - u, s = y z2^3, v = y2 z^3 - s. */
void GE8(add_jacobian)(ge8_jacobian *a, const ge8_jacobian *b) {
    fe8 zz = FE8(sqr_loose)(a->z), b_zz = FE8(sqr_loose)(b->z);                   /* 1.2 */
    fe8 u = FE8(mul)(a->x, b_zz), s = FE8(mul)(a->y, FE8(mul_loose)(b->z, b_zz)); /* 1.1 */
    fe8 h = FE8(sub_loose)(FE8(mul)(b->x, zz), u);                                /* 5.1 */
    fe8 v = FE8(sub_loose)(FE8(mul)(b->y, FE8(mul_loose)(a->z, zz)), s);          /* 5.1 */
    a->z = FE8(mul_loose)(FE8(mul_loose)(a->z, b->z), h);                         /* 1.4 */
    fe8 hh = FE8(sqr_loose)(h);                                                   /* 2.7 */
    fe8 hhh = FE8(mul)(h, hh);                                                    /* 1.9 */
    fe8 u_hh = FE8(mul)(u, hh);                                                   /* 1.2 */
    fe8 x = fe8_raw_sub(fe8_raw_sub(FE8(sqr)(v), hhh), fe8_raw_shift(u_hh, 1));   /* -4.3 .. 2.7 */
    a->x = FE8(narrow)(FE8(raw_add_p)(x, 6));
    fe8 y = FE8(mul)(v, FE8(sub_loose)(u_hh, a->x)); /* 2.7 */
    y = fe8_raw_sub(y, FE8(mul)(s, hhh));            /* -1.2 .. 2.7 */
    a->y = FE8(narrow)(FE8(raw_add_p)(y, 3));
}

/*
 * Mends a sum of before and another point: alone where before was infinite, and twice before where h was 0, which made
 * z 0, and v, too. Where v was not 0 the points were opposite, and *infinite has these lanes.
 */
static __attribute__((noinline)) void complete(ge8_jacobian *a, uint8_t *infinite, __mmask8 met,
        const ge8_jacobian *before, const ge8_jacobian *alone, fe8 v) {
    ge8_jacobian doubled = *before;
    GE8(double)(&doubled);
    ge8_select(a, met, &doubled);
    ge8_select(a, *infinite, alone);
    *infinite = (uint8_t)(met & ~FE8(zero_lanes)(fe8_trim(v)));
}

void GE8(add_complete)(ge8_jacobian *a, uint8_t *infinite, const fe8 *x2, const fe8 *y2) {
    const ge8_jacobian before = *a;
    GE8(add)(a, x2, y2);
    __mmask8 met = FE8(zero_lanes)(fe8_trim(a->z)) & (__mmask8) ~*infinite;
    if ((met | *infinite) == 0) {
        return;
    }
    fe8 zzz = FE8(mul_loose)(before.z, FE8(sqr_loose)(before.z));
    fe8 v = FE8(sub_loose)(FE8(mul)(*y2, zzz), before.y); /* 5.21 */
    const ge8_jacobian alone = {*x2, FE8(narrow)(FE8(raw_add_p)(fe8_trim(*y2), 2)), fe8_of(FE8(one))};
    complete(a, infinite, met, &before, &alone, v);
}

void GE8(add_jacobian_complete)(ge8_jacobian *a, uint8_t *infinite, const ge8_jacobian *b, uint8_t b_infinite) {
    const ge8_jacobian before = *a;
    const uint8_t both = *infinite & b_infinite;
    GE8(add_jacobian)(a, b);
    __mmask8 met = FE8(zero_lanes)(fe8_trim(a->z)) & (__mmask8) ~(*infinite | b_infinite);
    if ((met | *infinite | b_infinite) == 0) {
        return;
    }
    fe8 s = FE8(mul)(before.y, FE8(mul_loose)(b->z, FE8(sqr_loose)(b->z)));
    fe8 v = FE8(sub_loose)(FE8(mul)(b->y, FE8(mul_loose)(before.z, FE8(sqr_loose)(before.z))), s); /* 5.1 */
    complete(a, infinite, met, &before, b, v);
    ge8_select(a, b_infinite & (__mmask8)~both, &before);
    *infinite |= both;
}

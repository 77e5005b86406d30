/*
 * Eight points at a time of a curve over a field of fe8.h. A template: the including header has included a field. The
 * curve's own part are GE8(double) and GE8(tangent); ge8_group_body.h defines the rest.
 */

/* a = 2 a; complete, a point at infinity stays there. */
void GE8(double)(ge8_jacobian *a);

/* Returns 3 x^2 + A, of the curve y^2 = x^3 + A x + B; x narrow, the result loose and below 16 p. */
fe8 GE8(tangent)(fe8 x);

/*
 * a += (x2, y2). x2 narrow, y2 loose and at most 3 p. In a lane where both points have the same x the result has z = 0,
 * whether they are equal or opposite, and whatever is done to it after.
 */
void GE8(add)(ge8_jacobian *a, const fe8 *x2, const fe8 *y2);

/*
 * As above, for every a and b: *infinite has the lanes whose sum is the point at infinity, before and after; their
 * coordinates mean nothing. A lane's doubling or infinity costs all of them a doubling.
 */
void GE8(add_complete)(ge8_jacobian *a, uint8_t *infinite, const fe8 *x2, const fe8 *y2);

/* a += b; z = 0 as above. */
void GE8(add_jacobian)(ge8_jacobian *a, const ge8_jacobian *b);

/* As above, for every a and b; infinite has the lanes of a, b_infinite those of b. */
void GE8(add_jacobian_complete)(ge8_jacobian *a, uint8_t *infinite, const ge8_jacobian *b, uint8_t b_infinite);

/*
 * Returns 3 p at most: 3 p - y in the lanes of the mask, for narrow y; loose result. 2 p would not do: narrow values
 * can be above it, and limb 4 of a difference below zero is read as 52 bits, 2^260 too much.
 */
FE8_INLINE fe8 GE8(negate_y)(fe8 y, __mmask8 lanes) {
    for (int i = 0; i < 5; i++) {
        y.l[i] = _mm512_mask_sub_epi64(y.l[i], lanes, v8_of(3 * FE8(p)[i]), y.l[i]);
    }
    return fe8_carry_loose(y);
}

/* Reads the points of eight terms as in comb_terms.h, one a lane: narrow x, trimmed y. */
FE8_INLINE ge8_affine GE8(load_terms)(const uint64_t *terms) {
    const v8 own = _mm512_loadu_si512(terms);
    _Alignas(64) uint64_t addresses[8];
    _mm512_store_si512(addresses, _mm512_andnot_si512(v8_of(1), own));
    ge8_affine r = ge8_load(addresses);
    r.y = FE8(neg_lanes)(r.y, _mm512_test_epi64_mask(own, v8_of(1)));
    return r;
}

/*
 * Eight points of the SM2 curve at a time, on AVX-512 IFMA, and the question that verification asks of them.
 */
#ifndef SEALBOOK_SM2_GE8_H
#define SEALBOOK_SM2_GE8_H

#include "sm2_fe8.h"
#include "sm2_sum.h"

/* x and y narrow, z loose and below 1.5 p. */
typedef struct {
    sm2_fe8 x, y, z;
} sm2_ge8_jacobian;

/* a = 2 a; complete, a point at infinity stays there. */
void sm2_ge8_double(sm2_ge8_jacobian *a);

/*
 * a += (x2, y2). x2 narrow, y2 loose and below 2.1 p. In a lane where both points have the same x the result has z = 0,
 * whether they are equal or opposite, and whatever is done to it after.
 */
void sm2_ge8_add(sm2_ge8_jacobian *a, const sm2_fe8 *x2, const sm2_fe8 *y2);

/*
 * As above, for every a and b: *infinite has the lanes whose sum is the point at infinity, before and after; their
 * coordinates mean nothing. A lane's doubling or infinity costs all of them a doubling.
 */
void sm2_ge8_add_complete(sm2_ge8_jacobian *a, uint8_t *infinite, const sm2_fe8 *x2, const sm2_fe8 *y2);

/* Compares the x of each point mod n with expected_x: verdicts as in sm2_sum.h. z = 0 is undecided. */
void sm2_ge8_compare(uint8_t verdicts[8], const sm2_ge8_jacobian *a, const u256 *const expected_x[8]);

/* Returns 2 p - y in the lanes of the mask, for narrow y; loose and below 2.1 p. */
SM2_FE8_INLINE sm2_fe8 sm2_ge8_negate_y(sm2_fe8 y, __mmask8 lanes) {
    for (int i = 0; i < 5; i++) {
        y.l[i] = _mm512_mask_sub_epi64(y.l[i], lanes, v8_of(2 * sm2_fe8_p[i]), y.l[i]);
    }
    return sm2_fe8_carry_loose(y);
}

#endif

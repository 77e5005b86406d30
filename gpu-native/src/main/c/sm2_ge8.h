/*
 * Eight points of the SM2 curve at a time, on AVX-512 IFMA, and the question that verification asks of them.
 */
#ifndef SEALBOOK_SM2_GE8_H
#define SEALBOOK_SM2_GE8_H

#include "sm2_fe8.h"
#include "sm2_sum.h"

#include "ge8_group.h"

/* Compares the x of each point mod n with expected_x: verdicts as in sm2_sum.h. z = 0 is undecided. */
void sm2_ge8_compare(uint8_t verdicts[8], const ge8_jacobian *a, const u256 *const expected_x[8]);

#endif

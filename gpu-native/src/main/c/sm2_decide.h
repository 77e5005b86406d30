/*
 * The questions of sm2_sum.h and sm2_multiply.h with an answer in every case: the fast formulas of a backend first,
 * then complete ones for what those leave undecided. No signer can make that cost more than a few times what honest
 * scalars cost; sm2_verify_work.c counts it.
 */
#ifndef SEALBOOK_SM2_DECIDE_H
#define SEALBOOK_SM2_DECIDE_H

#include "sm2_multiply.h"
#include "sm2_verify.h"

/* Verdicts on sums, none undecided; points in the backend's form. */
void sm2_decide_sums_var(const sm2_sum_work *work, sm2_verify_backend backend);

/*
 * Verdicts on the first count products, none undecided; the generator's table in the backend's form. All sixteen inputs
 * are valid.
 */
void sm2_decide_products_var(const sm2_multiply_work *work, int count, sm2_verify_backend backend);

#endif

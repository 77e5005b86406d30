#include "sm2_decide.h"

/* Decides by complete formulas what AVX-512 left undecided, as many in a call as make use of all lanes. */
static void complete_in_lanes(const sm2_sum_work *work) {
    int indices[SM2_SUM_COUNT_MAX], count = 0;
    for (int i = 0; i < work->count; i++) {
        if (work->verdicts[i] == SM2_SUM_UNDECIDED) {
            indices[count++] = i;
        }
    }
    for (int done = 0; done < count; done += 8) {
        sm2_sum_complete_avx512_var(work, indices + done, count - done < 8 ? count - done : 8);
    }
}

/* Decides by complete formulas what other code left undecided. */
static void complete_one_by_one(
        const sm2_sum_work *work, int (*complete)(const sm2_sum_work *work, int i, sm2_tables_form form)) {
    for (int i = 0; i < work->count; i++) {
        if (work->verdicts[i] == SM2_SUM_UNDECIDED) {
            work->verdicts[i] = (uint8_t)complete(work, i, SM2_TABLES_TIMES_2_256);
        }
    }
}

void sm2_decide_sums_var(const sm2_sum_work *work, sm2_verify_backend backend) {
    switch (backend) {
        case SM2_VERIFY_PORTABLE:
            sm2_sum_portable_var(work);
            complete_one_by_one(work, sm2_sum_complete_portable_var);
            break;
        case SM2_VERIFY_ADX:
            sm2_sum_adx_var(work);
            complete_one_by_one(work, sm2_sum_complete_adx_var);
            break;
        case SM2_VERIFY_AVX512:
            sm2_sum_avx512_var(work);
            complete_in_lanes(work);
            break;
    }
}

/* Decides by complete formulas what AVX-512 left undecided. One alone is faster without lanes. */
static void multiply_completely(const sm2_multiply_work *work, int count) {
    int indices[SM2_MULTIPLY_COUNT], undecided = 0;
    for (int i = 0; i < count; i++) {
        if (work->verdicts[i] == SM2_SUM_UNDECIDED) {
            indices[undecided++] = i;
        }
    }
    if (undecided == 0) {
        return;
    }
    uint8_t verdicts[SM2_MULTIPLY_COUNT];
    sm2_multiply_work again = *work;
    again.verdicts = verdicts;
    for (int i = 0; i < ((undecided + 7) & ~7); i++) {
        int from = indices[i < undecided ? i : 0];
        again.s[i] = work->s[from];
        again.t[i] = work->t[from];
        again.expected_x[i] = work->expected_x[from];
        again.point[i] = work->point[from];
    }
    if (undecided == 1) {
        sm2_multiply_adx_var(&again, 1);
    } else {
        sm2_multiply_complete_avx512_var(&again, undecided);
    }
    for (int i = 0; i < undecided; i++) {
        work->verdicts[indices[i]] = verdicts[i];
    }
}

void sm2_decide_products_var(const sm2_multiply_work *work, int count, sm2_verify_backend backend) {
    switch (backend) {
        case SM2_VERIFY_PORTABLE:
            sm2_multiply_portable_var(work, count);
            break;
        case SM2_VERIFY_ADX:
            sm2_multiply_adx_var(work, count);
            break;
        case SM2_VERIFY_AVX512:
            sm2_multiply_avx512_var(work, count);
            multiply_completely(work, count);
            break;
    }
}

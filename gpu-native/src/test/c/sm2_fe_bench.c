/* Cost of the portable field, in core cycles and nanoseconds of processor time. */
#include "bench.h"
#include "sm2_fe.h"
#include "u256_inverse.h"

int main(void) {
    u256 a = sm2_fe_r2, b = sm2_fe_one, chains[4] = {sm2_fe_r2, sm2_fe_r2, sm2_fe_r2, sm2_fe_r2};
    sm2_fe_mul(&b, &a, &a);
    BENCH("sm2_fe_mul, dependent", 1000, sm2_fe_mul(&a, &a, &b));
    BENCH("sm2_fe_sqr, dependent", 1000, sm2_fe_sqr(&a, &a));
    BENCH("sm2_fe_mul, four chains", 1000, sm2_fe_mul(&chains[bench_i & 3], &chains[bench_i & 3], &b));
    BENCH("sm2_fe_add, dependent", 1000, sm2_fe_add(&a, &a, &b));
    BENCH("sm2_fe_inv", 20, sm2_fe_inv(&a, &a));
    BENCH("u256_inverse_var", 100, {
        u256_inverse_var(&a, &a, &sm2_fe_p);
        a.w[0] ^= 5;
    });
    return 0;
}

/* Additions with MULX and ADX. */
#include "sm2_fe_adx.h"

#define SM2_FE_MUL sm2_fe_adx_mul
#define SM2_FE_SQR sm2_fe_adx_sqr
#define SM2_SUM_NAME sm2_sum_adx_var
#define SM2_SUM_COMPLETE_NAME sm2_sum_complete_adx_var
#define SM2_MULTIPLY_NAME sm2_multiply_adx_var

#include "sm2_scalar_body.h"

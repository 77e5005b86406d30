/* Additions with the multiplication that every processor has. */
#define SM2_FE_MUL sm2_fe_mul
#define SM2_FE_SQR sm2_fe_sqr
#define SM2_SUM_NAME sm2_sum_portable_var
#define SM2_SUM_COMPLETE_NAME sm2_sum_complete_portable_var
#define SM2_MULTIPLY_NAME sm2_multiply_portable_var

#include "sm2_scalar_body.h"

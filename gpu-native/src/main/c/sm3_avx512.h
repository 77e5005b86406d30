/* The AVX-512 body of sm3_lanes_compress; to be called only where the processor has AVX-512 F and BW. */
#ifndef SEALBOOK_SM3_AVX512_H
#define SEALBOOK_SM3_AVX512_H

#include "sm3.h"

void sm3_avx512_compress(sm3_lanes_state *state, uint8_t blocks[SM3_LANES][SM3_BLOCK_LENGTH]);

#endif

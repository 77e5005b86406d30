/*
 * 32-bit arithmetic with a carry: the only inline PTX of this module. `_cc` sets the carry flag, `addc`, `subc` and
 * `madc` use it; nothing else may touch it, and nothing may come between two links of a chain. On a host the same names
 * keep the flag in a variable, so that the chains themselves are tested there, not a substitute for them.
 *
 * `mad_wide` is a pair of mad.lo and mad.hi that the assembler fuses into one IMAD.WIDE with carry. There is no 64-bit
 * madc here: ptxas before 11.5 miscompiled it.
 */
#pragma once
#include "platform.cuh"

#ifdef __CUDA_ARCH__

#define CARRY_INSTRUCTION(name, instruction)                                     \
    FN uint32_t name(uint32_t a, uint32_t b) {                                   \
        uint32_t r;                                                              \
        asm volatile(instruction ".u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); \
        return r;                                                                \
    }
CARRY_INSTRUCTION(add_cc, "add.cc")
CARRY_INSTRUCTION(addc_cc, "addc.cc")
CARRY_INSTRUCTION(addc, "addc")
CARRY_INSTRUCTION(sub_cc, "sub.cc")
CARRY_INSTRUCTION(subc_cc, "subc.cc")
CARRY_INSTRUCTION(subc, "subc")
#undef CARRY_INSTRUCTION

/* (low, high) = a b. */
FN void mul_wide(uint32_t &low, uint32_t &high, uint32_t a, uint32_t b) {
    asm("mul.lo.u32 %0, %2, %3; mul.hi.u32 %1, %2, %3;" : "=r"(low), "=r"(high) : "r"(a), "r"(b));
}

/* (low, high) += a b. */
FN void mad_wide_cc(uint32_t &low, uint32_t &high, uint32_t a, uint32_t b) {
    asm volatile("mad.lo.cc.u32 %0, %2, %3, %0; madc.hi.cc.u32 %1, %2, %3, %1;"
                 : "+r"(low), "+r"(high)
                 : "r"(a), "r"(b));
}

/* (low, high) += a b + carry. */
FN void madc_wide_cc(uint32_t &low, uint32_t &high, uint32_t a, uint32_t b) {
    asm volatile("madc.lo.cc.u32 %0, %2, %3, %0; madc.hi.cc.u32 %1, %2, %3, %1;"
                 : "+r"(low), "+r"(high)
                 : "r"(a), "r"(b));
}

FN uint32_t byte_swap(uint32_t a) {
    return __byte_perm(a, 0, 0x0123);
}

#else

static thread_local uint32_t carry_flag;
/* What an instruction that does not define the flag leaves in it: using it would spoil every result. */
#define CARRY_UNDEFINED 0xBADu

FN uint32_t addc_cc(uint32_t a, uint32_t b) {
    uint64_t sum = (uint64_t)a + b + carry_flag;
    carry_flag = (uint32_t)(sum >> 32);
    return (uint32_t)sum;
}

FN uint32_t add_cc(uint32_t a, uint32_t b) {
    carry_flag = 0;
    return addc_cc(a, b);
}

FN uint32_t addc(uint32_t a, uint32_t b) {
    uint32_t sum = a + b + carry_flag;
    carry_flag = CARRY_UNDEFINED;
    return sum;
}

FN uint32_t subc_cc(uint32_t a, uint32_t b) {
    uint64_t difference = (uint64_t)a - b - carry_flag;
    carry_flag = (uint32_t)(difference >> 63);
    return (uint32_t)difference;
}

FN uint32_t sub_cc(uint32_t a, uint32_t b) {
    carry_flag = 0;
    return subc_cc(a, b);
}

FN uint32_t subc(uint32_t a, uint32_t b) {
    uint32_t difference = a - b - carry_flag;
    carry_flag = CARRY_UNDEFINED;
    return difference;
}

FN void mul_wide(uint32_t &low, uint32_t &high, uint32_t a, uint32_t b) {
    uint64_t product = (uint64_t)a * b;
    low = (uint32_t)product;
    high = (uint32_t)(product >> 32);
}

FN void madc_wide_cc(uint32_t &low, uint32_t &high, uint32_t a, uint32_t b) {
    uint32_t product_low, product_high;
    mul_wide(product_low, product_high, a, b);
    low = addc_cc(product_low, low);
    high = addc_cc(product_high, high);
}

FN void mad_wide_cc(uint32_t &low, uint32_t &high, uint32_t a, uint32_t b) {
    carry_flag = 0;
    madc_wide_cc(low, high, a, b);
}

FN uint32_t byte_swap(uint32_t a) {
    return __builtin_bswap32(a);
}

FN uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t bits) {
    return (uint32_t)((((uint64_t)high << 32 | low) << (bits & 31)) >> 32);
}

FN uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t bits) {
    return (uint32_t)(((uint64_t)high << 32 | low) >> (bits & 31));
}

#endif

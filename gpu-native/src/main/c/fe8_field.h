/*
 * The functions of a field of fe8.h that do not depend on the shape of p. A template: the including header defines
 * FE8(name), the field's prefix, FE8_MODULUS, p as u256, FE8(p), its limbs of 52 bits, and FE8(mul_loose),
 * FE8(sqr_loose) with their bounds.
 */
/* Returns a b as FE8(mul_loose), trimmed. */
FE8_INLINE fe8 FE8(mul)(fe8 a, fe8 b) {
    return fe8_trim(FE8(mul_loose)(a, b));
}

FE8_INLINE fe8 FE8(sqr)(fe8 a) {
    return fe8_trim(FE8(sqr_loose)(a));
}

/* Adds a multiple of p to keep a value above zero. */
FE8_INLINE fe8 FE8(raw_add_p)(fe8 a, int multiple) {
    for (int i = 0; i < 5; i++) {
        a.l[i] = v8_add(a.l[i], v8_of((uint64_t)multiple * FE8(p)[i]));
    }
    return a;
}

/* Returns a - b + 4 p, loose, for trimmed a < 12 p and b < 4 p. */
FE8_INLINE fe8 FE8(sub_loose)(fe8 a, fe8 b) {
    return fe8_carry_loose(FE8(raw_add_p)(fe8_raw_sub(a, b), 4));
}

/* Writes the value of one lane of a trimmed value, 0..16 p, mod p. */
static inline void FE8(reduced_lane)(u256 *r, const fe8 *a, int lane) {
    u256 value, less;
    uint64_t high = fe8_lane(&value, a, lane);
    for (;;) {
        uint64_t borrow = u256_sub(&less, &value, &FE8_MODULUS);
        if (borrow > high) {
            *r = value;
            return;
        }
        high -= borrow;
        value = less;
    }
}

/* Returns p - a in the lanes of the mask, for fully reduced a; trimmed. */
FE8_INLINE fe8 FE8(neg_lanes)(fe8 a, __mmask8 lanes) {
    for (int i = 0; i < 5; i++) {
        a.l[i] = _mm512_mask_sub_epi64(a.l[i], lanes, v8_of(FE8(p)[i]), a.l[i]);
    }
    return fe8_carry(a);
}

/* Returns the lanes that are 0 mod p, of a trimmed: multiplied by the integer 1 they are 0 or p. */
FE8_INLINE __mmask8 FE8(zero_lanes)(fe8 a) {
    const v8 zero = v8_of(0);
    const fe8 one = {{v8_of(1), zero, zero, zero, zero}};
    a = FE8(mul)(a, one);
    __mmask8 is_zero = 0xFF, is_p = 0xFF;
    for (int i = 0; i < 5; i++) {
        is_zero &= _mm512_cmpeq_epi64_mask(a.l[i], zero);
        is_p &= _mm512_cmpeq_epi64_mask(a.l[i], v8_of(FE8(p)[i]));
    }
    return is_zero | is_p;
}

/*
 * Returns the inverses of eight elements, loose and below 2 p, at the price of one: their product is inverted as an
 * integer. a is loose, below 3 p. When an element is 0 all results are 0 and *has_zero becomes 1, otherwise 0.
 */
fe8 FE8(inverse_var)(fe8 a, int *has_zero);

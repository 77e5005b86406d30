package io.sealbook.keytool;

import io.sealbook.crypto.SignatureScheme;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A scheme by its short name or its name in the genesis file. */
final class SchemeConverter implements ITypeConverter<SignatureScheme> {
    @Override
    public SignatureScheme convert(String name) {
        switch (name.toLowerCase(Locale.ROOT)) {
            case "sm2":
            case "sm2_sm3":
                return SignatureScheme.SM2_SM3;
            case "secp256k1":
            case "ecdsa_secp256k1_sha256":
                return SignatureScheme.ECDSA_SECP256K1_SHA256;
            default:
                throw new TypeConversionException("scheme '" + name + "' is none of [sm2, secp256k1]");
        }
    }
}

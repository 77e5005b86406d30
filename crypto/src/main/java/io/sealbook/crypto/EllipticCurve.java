package io.sealbook.crypto;

import java.io.IOException;
import java.math.BigInteger;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.gm.GMObjectIdentifiers;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.params.ECNamedDomainParameters;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.ECPoint;

/**
 * The two curves, y² = x³ + ax + b over a prime field of 256 bits with prime order n and cofactor 1.
 *
 * <p>Both come from {@link CustomNamedCurves}: the curves of {@code GMNamedCurves} and {@code SECNamedCurves} are the
 * same numbers over a generic field that is several times slower.
 */
enum EllipticCurve {
    SM2P256V1(GMObjectIdentifiers.sm2p256v1, PrimeField.SM2P256V1),
    SECP256K1(SECObjectIdentifiers.secp256k1, PrimeField.SECP256K1);

    /** Window of the generator's table for public scalars: 24 windows of 1,024 points, 1.5 MiB. */
    private static final int PUBLIC_WINDOW_BITS = 11;
    /** Points whose sum is a public multiple of the generator. */
    static final int PUBLIC_TERM_COUNT = new OddWindows(PUBLIC_WINDOW_BITS).count();
    /** Window of the generator's table for nonces, read as a whole: 43 windows of 32 points, 86 KiB. */
    private static final int SECRET_WINDOW_BITS = 6;

    final ASN1ObjectIdentifier oid;
    final PrimeField field;
    final ECCurve curve;
    final ECPoint generator;
    final BigInteger order;
    final BigInteger halfOrder;
    final BigInteger fieldPrime;

    private PublicTable publicTable;
    private SecretTable secretTable;

    EllipticCurve(ASN1ObjectIdentifier oid, PrimeField field) {
        X9ECParameters parameters = CustomNamedCurves.getByOID(oid);
        this.oid = oid;
        this.field = field;
        curve = parameters.getCurve();
        generator = parameters.getG().normalize();
        order = parameters.getN();
        halfOrder = order.shiftRight(1);
        fieldPrime = curve.getField().getCharacteristic();
    }

    static EllipticCurve of(SignatureScheme scheme) {
        return scheme == SignatureScheme.SM2_SM3 ? SM2P256V1 : SECP256K1;
    }

    /**
     * Returns the scheme on the curve of an object identifier.
     *
     * @throws IOException if it is another curve
     */
    static SignatureScheme schemeOf(ASN1ObjectIdentifier oid) throws IOException {
        for (SignatureScheme scheme : SignatureScheme.values()) {
            if (of(scheme).oid.equals(oid)) {
                return scheme;
            }
        }
        throw new IOException("it is on unknown curve " + oid + ", expected sm2p256v1 or secp256k1");
    }

    /** Returns the curve's domain parameters with their object identifier, as key files name them. */
    ECNamedDomainParameters domain() {
        return new ECNamedDomainParameters(oid, curve, generator, order);
    }

    /** Returns the generator's table for public scalars, made at its first use (tens of milliseconds). */
    synchronized PublicTable publicTable() {
        if (publicTable == null) {
            publicTable = new PublicTable(generator, PUBLIC_WINDOW_BITS);
        }
        return publicTable;
    }

    /** Returns the generator's table for secret scalars, made at its first use. */
    synchronized SecretTable secretTable() {
        if (secretTable == null) {
            secretTable = new SecretTable(generator, SECRET_WINDOW_BITS);
        }
        return secretTable;
    }

    /** Returns whether {@code 1 <= scalar < n}. */
    boolean isScalar(BigInteger scalar) {
        return scalar.signum() > 0 && scalar.compareTo(order) < 0;
    }
}

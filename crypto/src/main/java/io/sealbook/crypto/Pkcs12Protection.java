package io.sealbook.crypto;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.pkcs.AuthenticatedSafe;
import org.bouncycastle.asn1.pkcs.ContentInfo;
import org.bouncycastle.asn1.pkcs.EncryptedData;
import org.bouncycastle.asn1.pkcs.EncryptedPrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.KeyDerivationFunc;
import org.bouncycastle.asn1.pkcs.MacData;
import org.bouncycastle.asn1.pkcs.PBMAC1Params;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.Pfx;
import org.bouncycastle.asn1.pkcs.SafeBag;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;

/**
 * How a PKCS#12 file (RFC 7292) uses its passphrase: for the key, for the certificate, and for the authentication code
 * of the file. Whoever guesses the passphrase tries it where that costs least, so that the weakest of them counts.
 */
final class Pkcs12Protection {
    private static final KeyEncryption PLAIN_KEY = new KeyEncryption("a key in clear", 0, "recommended is PBES2");

    private Pkcs12Protection() {}

    /**
     * Reads the parameters of a file, without its passphrase.
     *
     * @param content of the file
     * @throws IOException if there is no PKCS#12 in it, or it takes more iterations than anybody would wait for
     * @throws RuntimeException of any kind, for the same reasons
     */
    static KeyEncryption of(byte[] content) throws IOException {
        Pfx file = Pfx.getInstance(content);
        List<KeyEncryption> uses = new ArrayList<>();
        ASN1OctetString safe = ASN1OctetString.getInstance(file.getAuthSafe().getContent());
        for (ContentInfo part : AuthenticatedSafe.getInstance(safe.getOctets()).getContentInfo()) {
            if (PKCSObjectIdentifiers.encryptedData.equals(part.getContentType())) {
                uses.add(KeyEncryption.of(
                        EncryptedData.getInstance(part.getContent()).getEncryptionAlgorithm()));
            } else if (PKCSObjectIdentifiers.data.equals(part.getContentType())) {
                addKeys(ASN1OctetString.getInstance(part.getContent()), uses);
            }
        }
        if (file.getMacData() != null) {
            uses.add(ofCode(file.getMacData()));
        }
        return weakest(uses);
    }

    private static void addKeys(ASN1OctetString bags, List<KeyEncryption> uses) throws IOException {
        for (Object each : ASN1Sequence.getInstance(bags.getOctets())) {
            SafeBag bag = SafeBag.getInstance(each);
            if (PKCSObjectIdentifiers.pkcs8ShroudedKeyBag.equals(bag.getBagId())) {
                uses.add(KeyEncryption.of(
                        EncryptedPrivateKeyInfo.getInstance(bag.getBagValue()).getEncryptionAlgorithm()));
            } else if (PKCSObjectIdentifiers.keyBag.equals(bag.getBagId())) {
                uses.add(PLAIN_KEY);
            }
        }
    }

    /** Derived as in RFC 7292, B, or by PBMAC1 (RFC 9579). */
    private static KeyEncryption ofCode(MacData code) throws IOException {
        AlgorithmIdentifier algorithm = code.getMac().getAlgorithmId();
        KeyEncryption derivation = PKCSObjectIdentifiers.id_PBMAC1.equals(algorithm.getAlgorithm())
                ? KeyEncryption.ofDerivation(KeyDerivationFunc.getInstance(
                        PBMAC1Params.getInstance(algorithm.getParameters()).getKeyDerivationFunc()))
                : KeyEncryption.ofIterations("PKCS#12", code.getIterationCount());
        return new KeyEncryption("code by " + derivation.text(), derivation.iterationCount(), derivation.weakness());
    }

    private static KeyEncryption weakest(List<KeyEncryption> uses) {
        return new KeyEncryption(
                uses.stream().map(KeyEncryption::text).distinct().collect(Collectors.joining("; ")),
                uses.stream()
                        .mapToLong(KeyEncryption::iterationCount)
                        .filter(count -> count > 0)
                        .min()
                        .orElse(0),
                uses.stream()
                        .map(KeyEncryption::weakness)
                        .filter(weakness -> !weakness.isEmpty())
                        .findFirst()
                        .orElse(""));
    }
}

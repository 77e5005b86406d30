package io.sealbook.keytool;

import io.sealbook.crypto.PublicKeyPem;
import io.sealbook.crypto.VerificationKey;
import java.util.HexFormat;
import java.util.List;

/** What people compare of a public key. */
final class KeyText {
    private KeyText() {}

    static List<String> lines(VerificationKey key) {
        return List.of(
                "scheme: " + key.scheme(),
                "point: " + HexFormat.of().formatHex(key.point()),
                "fingerprint: " + PublicKeyPem.fingerprint(key));
    }
}

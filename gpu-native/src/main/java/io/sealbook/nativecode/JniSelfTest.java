package io.sealbook.nativecode;

import io.sealbook.crypto.SelfTestBatch;
import io.sealbook.crypto.SignatureScheme;
import java.util.Optional;

/**
 * What the code in C must get right before a node trusts it. The general self-test of providers does not wait for keys'
 * tables; this one has them made.
 */
final class JniSelfTest {
    private JniSelfTest() {}

    /** Runs the test; returns what went wrong, or empty. */
    static Optional<String> failure(JniVerifier verifier) {
        for (SignatureScheme scheme : SignatureScheme.values()) {
            Optional<String> failure = failure(verifier, scheme);
            if (failure.isEmpty() && verifier.tables().makeTable(SelfTestBatch.key(scheme))) {
                failure = failure(verifier, scheme).map(wrong -> wrong + ", under a key with a table");
            }
            if (failure.isPresent()) {
                return failure;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> failure(JniVerifier verifier, SignatureScheme scheme) {
        return SelfTestBatch.ofEverySize(scheme).stream()
                .flatMap(batch -> batch.failure(verifier).stream())
                .findFirst();
    }
}

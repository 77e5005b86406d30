package io.sealbook.nativecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.SigningKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Many keys and few tables: memory of tables is used again while several threads verify. */
class ReplacedTablesTest {
    private static final int KEYS = 12;
    private static final int THREADS = 3;
    private static final int ROUNDS = 60;
    private static final int SIGNATURES_OF_A_KEY = 20;

    /** A table that another one overwrote would refuse right signatures. */
    @Test
    void shouldAcceptRightSignaturesWhileTablesAreReplaced() throws Exception {
        assumeTrue(NativeLibrary.isLoaded(), "needs gcc, needs Linux on x86-64: " + NativeLibrary.status());
        List<Signer> signers = signers();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (JniVerifier verifier = new JniVerifier(Backend.PORTABLE, 1 << 20)) {
            List<Callable<Integer>> work = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                Random random = new Random(thread);
                work.add(() -> refusals(verifier, new ArrayList<>(signers), random));
            }

            for (Future<Integer> refused : threads.invokeAll(work)) {
                assertThat(refused.get()).isZero();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static int refusals(JniVerifier verifier, List<Signer> signers, Random random) {
        byte[] message = new byte[NativeVerification.MESSAGE_LENGTH];
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Collections.shuffle(signers, random);
            SignatureBatch batch = new SignatureBatch(KEYS * SIGNATURES_OF_A_KEY);
            for (Signer signer : signers) {
                byte[] signature = signer.sign(message);
                for (int i = 0; i < SIGNATURES_OF_A_KEY; i++) {
                    batch.add(signer.verificationKey(), message, signature);
                }
            }
            refused += batch.size() - verifier.verify(batch);
        }
        return refused;
    }

    private static List<Signer> signers() {
        Random random = new Random(71);
        List<Signer> signers = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            byte[] scalar = new byte[32];
            random.nextBytes(scalar);
            scalar[0] &= 0x7F;
            signers.add(SigningKey.of(SignatureScheme.values()[i % 2], scalar).signer());
        }
        return signers;
    }
}

package io.sealbook.nativecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.crypto.VerificationKey;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JniSelfTestTest {
    private static final long TABLES_BYTES = 1 << 20;

    @BeforeEach
    void requireLibrary() {
        assumeTrue(NativeLibrary.isLoaded(), "needs gcc, needs Linux on x86-64: " + NativeLibrary.status());
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void shouldPassWithAndWithoutTables(Backend backend) {
        assumeTrue(backend.code <= Backend.best().code, "needs " + backend + ": this processor lacks it");
        try (JniVerifier verifier = new JniVerifier(backend, TABLES_BYTES);
                JniVerifier withoutTables = new JniVerifier(backend, 0)) {
            assertThat(JniSelfTest.failure(verifier)).isEmpty();
            assertThat(verifier.tables().tableCount()).isEqualTo(2);

            assertThat(JniSelfTest.failure(withoutTables)).isEmpty();
            assertThat(withoutTables.tables().tableCount()).isZero();
        }
    }

    @Test
    void shouldFindCodeThatIsWrongUnderTablesOfSm2() {
        Backend backend = Backend.best();
        try (JniVerifier verifier = new JniVerifier(
                new TrustingScheme(new Sm2Scheme(backend)), new Secp256k1Scheme(backend), TABLES_BYTES)) {
            assertThat(JniSelfTest.failure(verifier))
                    .contains("SM2_SM3 in a batch of 1, damaged signature was accepted, under a key with a table");
        }
    }

    @Test
    void shouldFindCodeThatIsWrongUnderTablesOfSecp256k1() {
        Backend backend = Backend.best();
        try (JniVerifier verifier = new JniVerifier(
                new Sm2Scheme(backend), new TrustingScheme(new Secp256k1Scheme(backend)), TABLES_BYTES)) {
            assertThat(JniSelfTest.failure(verifier))
                    .contains("ECDSA_SECP256K1_SHA256 in a batch of 1, damaged signature was accepted,"
                            + " under a key with a table");
        }
    }

    /** Accepts whatever is signed by a key with a table. */
    private record TrustingScheme(NativeScheme right) implements NativeScheme {
        @Override
        public int usesBeforeTable() {
            // The test has to make the tables: it has fewer uses than this.
            return Integer.MAX_VALUE;
        }

        @Override
        public int scratchSize() {
            return right.scratchSize();
        }

        @Override
        public int keyTableSize() {
            return right.keyTableSize();
        }

        @Override
        public boolean makeKey(ByteBuffer memory, VerificationKey key) {
            return right.makeKey(memory, key);
        }

        @Override
        public void buildKeyTable(ByteBuffer table, ByteBuffer key) {
            right.buildKeyTable(table, key);
        }

        @Override
        public int state(byte v, byte given) {
            return right.state(v, given);
        }

        @Override
        public byte[] digest(VerificationKey key, byte[] message, int offset, int length) {
            return right.digest(key, message, offset, length);
        }

        @Override
        public int verify(ByteBuffer records, ByteBuffer states, int count, ByteBuffer scratch) {
            int validCount = right.verify(records, states, count, scratch);
            for (int i = 0; i < count; i++) {
                long table = records.getLong(i * NativeVerification.RECORD_SIZE + NativeVerification.TABLE_OFFSET);
                if (table != 0 && states.get(i) != NativeVerification.VALID) {
                    states.put(i, NativeVerification.VALID);
                    validCount++;
                }
            }
            return validCount;
        }
    }
}

package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyTablesTest {
    private final KeyTables tables = new KeyTables();
    private final Random random = new Random(91);

    @Test
    void shouldGiveTableToKeyThatIsUsedOften() {
        VerificationKey key = newKey();
        for (int i = 1; i < KeyTables.USES_BEFORE_TABLE; i++) {
            assertThat(tables.use(key)).isNull();
        }

        PublicTable table = tables.use(VerificationKey.of(key.scheme(), key.point()));

        assertThat(table).isNotNull();
        assertThat(tables.use(key)).isSameAs(table);
    }

    @Test
    void shouldForgetKeyUnusedForLongestBeyondItsLimit() {
        VerificationKey faithful = newKey();
        VerificationKey forgotten = newKey();
        tables.use(forgotten);
        for (int i = 0; i < KeyTables.USES_BEFORE_TABLE; i++) {
            tables.use(faithful);
        }
        for (int i = 0; i < KeyTables.KEYS_MAX; i++) {
            tables.use(newKey());
            tables.use(faithful);
        }

        assertThat(tables.size()).isEqualTo(KeyTables.KEYS_MAX);
        assertThat(tables.use(faithful)).isNotNull();
        for (int i = 1; i < KeyTables.USES_BEFORE_TABLE; i++) {
            assertThat(tables.use(forgotten)).isNull();
        }
    }

    private VerificationKey newKey() {
        return TestKeys.key(SignatureScheme.ECDSA_SECP256K1_SHA256, random).verificationKey();
    }
}

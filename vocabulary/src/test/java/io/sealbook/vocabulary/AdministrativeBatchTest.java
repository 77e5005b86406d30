package io.sealbook.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class AdministrativeBatchTest {
    private static final long CHAIN_ID = 0x0102030405060708L;
    private static final byte[] TRANSACTION = "five5".getBytes(StandardCharsets.US_ASCII);
    private static final Digest PREVIOUS = Digest.sha256(new byte[] {1});

    private final byte[] batch =
            AdministrativeBatch.unsigned(CHAIN_ID, new BatchPosition(2, 3, PREVIOUS), 1, 4, TRANSACTION);
    private final BatchView view = new BatchView().wrap(batch);

    @Test
    void shouldHaveTheBytesOfTheLayout() {
        String expected = "4c00020001000100" // message header: 76, template 2, schema 1, version 1
                + "0807060504030201" // chain id
                + "0300000000000000" // number
                + "ffffffffffffff7f" // validUntilBlock
                + "0400000000000000" // sent time
                + "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a" // id of the batch before
                + "ffffffff" // administration
                + "0000" // key id
                + "0200" // session
                + "01000000" // scheme, reserved
                + "05000000" // length of the transaction
                + "6669766535" // the transaction
                + "00".repeat(SignedBatch.SIGNATURE_LENGTH);

        assertThat(HexFormat.of().formatHex(batch)).isEqualTo(expected);
    }

    @Test
    void shouldBeReadByTheViewOfAllBatches() {
        assertThat(view.isAdministrative()).isTrue();
        assertThat(view.isOrderBatch()).isFalse();
        assertThat(view.orderCount()).isZero();
        assertThat(view.chainId()).isEqualTo(CHAIN_ID);
        assertThat(view.position()).isEqualTo(new BatchPosition(2, 3, PREVIOUS));
        assertThat(view.sessionKey()).isEqualTo(SessionKey.of(SessionKey.ADMINISTRATION, 2));
        assertThat(view.keyId()).isZero();
        assertThat(view.schemeCode()).isEqualTo(1);
        assertThat(view.reserved()).isZero();
        assertThat(view.sentTimeNs()).isEqualTo(4);
        assertThat(view.validUntilBlock()).isEqualTo(Long.MAX_VALUE);
        assertThat(view.signatureOffset()).isEqualTo(batch.length - SignedBatch.SIGNATURE_LENGTH);
        assertThat(AdministrativeBatch.transaction(view)).isEqualTo(TRANSACTION);
    }

    @Test
    void shouldBeReadAnywhereInAnArray() {
        byte[] longer = new byte[batch.length + 20];
        System.arraycopy(batch, 0, longer, 7, batch.length);

        view.wrap(longer, 7, batch.length);

        assertThat(view.isAdministrative()).isTrue();
        assertThat(AdministrativeBatch.transaction(view)).isEqualTo(TRANSACTION);
    }

    @Test
    void shouldTellOtherBytesFromABatch() {
        for (int at : new int[] {0, 1, 2, 3, 4, 5, 6, 7, 72, 73, 74, 75, 84, 85, 86, 87}) {
            byte[] other = batch.clone();
            other[at] ^= 1;
            assertThat(view.wrap(other).isAdministrative()).as("byte %d", at).isFalse();
            assertThat(view.wrap(other).isOrderBatch()).as("byte %d", at).isFalse();
        }
        assertThat(view.wrap(Arrays.copyOf(batch, batch.length + 1)).isAdministrative())
                .isFalse();
        byte[] negative = batch.clone();
        negative[87] = (byte) 0x80;
        assertThat(view.wrap(negative).isAdministrative()).isFalse();
    }

    @Test
    void shouldHoldTransactionsOfTheAdmittedLengthsOnly() {
        byte[] longest = new byte[AdministrativeBatch.TRANSACTION_LENGTH_MAX];
        BatchPosition first = BatchPosition.first(0);

        assertThat(view.wrap(AdministrativeBatch.unsigned(1, first, 2, 0, longest))
                        .isAdministrative())
                .isTrue();
        assertThatThrownBy(() -> AdministrativeBatch.unsigned(1, first, 2, 0, new byte[longest.length + 1]))
                .hasMessageContaining("16385 bytes");
        assertThatThrownBy(() -> AdministrativeBatch.unsigned(1, first, 2, 0, new byte[0]))
                .hasMessageContaining("0 bytes");
        byte[] none = Arrays.copyOf(AdministrativeBatch.unsigned(1, first, 2, 0, new byte[1]), 153);
        none[AdministrativeBatch.LENGTH_OFFSET] = 0;
        assertThat(view.wrap(none).isAdministrative()).isFalse();
        byte[] tooLong = Arrays.copyOf(
                AdministrativeBatch.unsigned(1, first, 2, 0, longest),
                AdministrativeBatch.signedLength(longest.length + 1));
        tooLong[AdministrativeBatch.LENGTH_OFFSET] = 1;
        assertThat(view.wrap(tooLong).isAdministrative()).isFalse();
    }

    @Test
    void shouldBeSignedAsOrdersAre() {
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, CHAIN_ID, Digest.sha256(Arrays.copyOf(batch, batch.length - 65)));

        assertThat(AdministrativeBatch.signedRegion(batch)).isEqualTo(region);
    }

    @Test
    void shouldNameTheSessionsOfMembers() {
        long members = SessionKey.of(SessionKey.ADMINISTRATION, 2);

        assertThat(SessionKey.name(members)).isEqualTo("administration session 2");
        assertThat(SessionKey.isAdministration(members)).isTrue();
        assertThat(SessionKey.brokerId(members)).isEqualTo(SessionKey.ADMINISTRATION);
        assertThat(SessionKey.session(members)).isEqualTo(2);
        assertThat(SessionKey.name(SessionKey.of(7, 2))).isEqualTo("session 2 of broker 7");
        assertThat(SessionKey.isAdministration(SessionKey.of(7, 2))).isFalse();
    }
}

package io.sealbook.peer.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is signed and derived depends on all that was said: neither half of a handshake goes with another one. */
class TranscriptTest {
    private static final Random RANDOM = new Random(3);

    private final byte[] dialerHello = random(Hello.LENGTH);
    private final byte[] acceptorHello = random(HandshakeMessage.HELLO_ACCEPTOR_LENGTH);
    private final byte[] secret = random(32);
    private final Transcript transcript = new Transcript(7, dialerHello, acceptorHello);

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    private static byte[] changed(byte[] bytes, int at) {
        byte[] changed = bytes.clone();
        changed[at] ^= 1;
        return changed;
    }

    private Stream<byte[]> keys(Transcript said) {
        Transcript.Keys keys = said.keys(secret);
        return Stream.of(
                keys.dialerToAcceptor().recordKey(),
                keys.dialerToAcceptor().codeKey(),
                keys.acceptorToDialer().recordKey(),
                keys.acceptorToDialer().codeKey(),
                keys.dialerCode(),
                keys.acceptorCode());
    }

    @Test
    void shouldHaveTheDialerSignTheSignatureOfTheAcceptor() {
        int signature = acceptorHello.length - 1;
        Transcript other = new Transcript(7, dialerHello, changed(acceptorHello, signature));

        assertThat(other.acceptorSigns()).as("not signed yet").isEqualTo(transcript.acceptorSigns());
        assertThat(other.dialerSigns()).isNotEqualTo(transcript.dialerSigns());
    }

    @Test
    void shouldHaveEachSideSignItsOwn() {
        assertThat(transcript.dialerSigns()).isNotEqualTo(transcript.acceptorSigns());
        assertThat(new Transcript(8, dialerHello, acceptorHello).acceptorSigns())
                .isNotEqualTo(transcript.acceptorSigns());
    }

    @Test
    void shouldDeriveOtherKeysFromEachOtherByte() {
        for (int at = 0; at < dialerHello.length; at++) {
            assertAllDiffer(new Transcript(7, changed(dialerHello, at), acceptorHello));
        }
        for (int at = 0; at < acceptorHello.length; at++) {
            assertAllDiffer(new Transcript(7, dialerHello, changed(acceptorHello, at)));
        }
    }

    private void assertAllDiffer(Transcript other) {
        assertThat(keys(other)).doesNotContainAnyElementsOf(keys(transcript).toList());
    }

    @Test
    void shouldDeriveNoKeyTwice() {
        assertThat(keys(transcript).map(Arrays::toString)).doesNotHaveDuplicates();
    }
}

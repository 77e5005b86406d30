package io.sealbook.peer.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.Status;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.vocabulary.Digest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class PeerMessageCodecTest {
    private static final int SEED_COUNT = 200;

    @Test
    void shouldGiveBackEveryKindOfMessage() throws MalformedMessageException {
        for (long seed = 0; seed < SEED_COUNT; seed++) {
            for (Message message : new RandomMessages(seed).messages()) {
                byte[] bytes = PeerMessageCodec.encode(message);

                assertThat(PeerMessageCodec.decode(bytes)).as("seed %d", seed).isEqualTo(message);
                assertThat(bytes[1])
                        .isEqualTo((byte) PeerMessageCodec.kindOf(message).code());
            }
        }
    }

    @Test
    void shouldGiveBackEveryKindOfRecord() throws MalformedMessageException {
        for (long seed = 0; seed < SEED_COUNT; seed++) {
            for (ReplicaRecord record : new RandomMessages(seed).records()) {
                byte[] bytes = PeerMessageCodec.encode(record);

                assertThat(PeerMessageCodec.decodeRecord(bytes))
                        .as("seed %d", seed)
                        .isEqualTo(record);
            }
        }
    }

    @Test
    void shouldReadFromTheMiddleOfABuffer() throws MalformedMessageException {
        Message message = new RandomMessages(1).messages().get(0);
        byte[] bytes = PeerMessageCodec.encode(message);
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[bytes.length + 100]);
        buffer.putBytes(50, bytes);

        assertThat(PeerMessageCodec.decode(buffer, 50, bytes.length)).isEqualTo(message);
    }

    @Test
    void shouldRefuseEveryTruncationAndEveryExtension() {
        for (long seed = 0; seed < 10; seed++) {
            for (Message message : new RandomMessages(seed).messages()) {
                byte[] bytes = PeerMessageCodec.encode(message);
                for (int length = 0; length < bytes.length; length++) {
                    byte[] truncated = Arrays.copyOf(bytes, length);

                    assertThatExceptionOfType(MalformedMessageException.class)
                            .isThrownBy(() -> PeerMessageCodec.decode(truncated))
                            .satisfies(e -> assertThat(e.offset()).isBetween(0, truncated.length));
                }
                assertThatExceptionOfType(MalformedMessageException.class)
                        .isThrownBy(() -> PeerMessageCodec.decode(Arrays.copyOf(bytes, bytes.length + 1)));
            }
        }
    }

    @Test
    void shouldDecodeFlippedBitsToAnotherMessageOrRefuseThem() {
        Random random = new Random(3);
        for (long seed = 0; seed < 40; seed++) {
            for (Message message : new RandomMessages(seed).messages()) {
                byte[] bytes = PeerMessageCodec.encode(message);
                for (int i = 0; i < 50; i++) {
                    byte[] flipped = bytes.clone();
                    flipped[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));

                    try {
                        Message decoded = PeerMessageCodec.decode(flipped);
                        assertThat(PeerMessageCodec.encode(decoded))
                                .as("one encoding a message")
                                .isEqualTo(flipped);
                    } catch (MalformedMessageException e) {
                        assertThat(e.offset()).isBetween(0, flipped.length);
                    }
                }
            }
        }
    }

    @Test
    void shouldRefuseNoiseWithoutAnyOtherException() {
        Random random = new Random(4);
        for (int i = 0; i < 20_000; i++) {
            byte[] noise = new byte[random.nextInt(300)];
            random.nextBytes(noise);
            if (noise.length > 1) {
                noise[0] = PeerMessageCodec.VERSION;
                noise[1] = (byte) random.nextInt(40);
            }
            try {
                PeerMessageCodec.decode(noise);
            } catch (MalformedMessageException e) {
                assertThat(e.offset()).isBetween(0, noise.length);
            }
            try {
                PeerMessageCodec.decodeRecord(noise);
            } catch (MalformedMessageException e) {
                assertThat(e.offset()).isBetween(0, noise.length);
            }
        }
    }

    @Test
    void shouldNotBelieveACountBeforeItFits() {
        PrePrepare prePrepare =
                new PrePrepare(1, 2, new Proposal(1, 2, 3, Digest.ZERO, List.of()), 0, Signature.of(new byte[65]));
        byte[] bytes = PeerMessageCodec.encode(prePrepare);
        int countOffset = 2 + 5 * 8 + Digest.LENGTH;
        new UnsafeBuffer(bytes).putInt(countOffset, Integer.MAX_VALUE);

        assertThatExceptionOfType(MalformedMessageException.class)
                .isThrownBy(() -> PeerMessageCodec.decode(bytes))
                .withMessageContaining("number of sessions is 2147483647")
                .satisfies(e -> assertThat(e.offset()).isEqualTo(countOffset));
    }

    @Test
    void shouldKeepItsBytes() {
        byte[] bytes = PeerMessageCodec.encode(new Status(1, true, 16, 17, 3));

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("0408" + "0100000000000000" + "01" + "1000000000000000" + "1100000000000000" + "0300");
    }

    @Test
    void shouldKeepTheBytesOfASuspicion() {
        byte[] bytes = PeerMessageCodec.encode(new Suspicion(5, 2, Signature.of(new byte[] {7, 8})));

        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("040a" + "0500000000000000" + "0200" + "0200" + "0708");
    }
}

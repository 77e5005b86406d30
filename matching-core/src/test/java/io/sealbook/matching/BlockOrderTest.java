package io.sealbook.matching;

import static io.sealbook.matching.Batch.limit;
import static io.sealbook.protocol.sbe.Side.BUY;
import static io.sealbook.protocol.sbe.Side.SELL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;
import io.sealbook.vocabulary.BrokenInvariantException;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Blocks come one after another, and each moves the result digest as the contract says. */
class BlockOrderTest {
    private final CoreDriver market = new CoreDriver(Markets.two());
    private final MatchingCore core = market.core;

    @Test
    void shouldChainTheDigestOverAllOutputBytes() throws Exception {
        byte[] digest = new byte[32];
        RandomFlow flow = new RandomFlow(3, 2, 95, 12);
        for (int block = 1; block <= 200; block++) {
            RandomFlow.Block next = flow.next();
            market.block(next.timeNs(), next.batches());

            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(digest);
            digest = sha256.digest(packed(market.blockBytes.toByteArray()));
            assertThat(market.digest()).isEqualTo(HexFormat.of().formatHex(digest));
        }
    }

    @Test
    void shouldPackEvery256thReportOfABrokerAloneInTheDigest() throws Exception {
        Batch[] batches = new Batch[60];
        for (int i = 0; i < batches.length; i++) {
            Batch.Request[] requests = new Batch.Request[10];
            for (int k = 0; k < requests.length; k++) {
                requests[k] = limit(1 + 10L * i + k, 1, BUY, 100, 1);
            }
            batches[i] = Batch.of(1, 1 + i, 1, requests);
        }
        market.block(batches);

        assertThat(core.lastReportSequence(1)).isEqualTo(600);
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        sha256.update(new byte[32]);
        byte[] digest = sha256.digest(packed(market.blockBytes.toByteArray()));
        assertThat(market.digest()).isEqualTo(HexFormat.of().formatHex(digest));
    }

    /** Packs a block's messages by the letter of doc/matching-rules.md, slowly. */
    private static byte[] packed(byte[] messages) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Map<Integer, BigInteger[]> lastReport = new HashMap<>();
        Map<Integer, Integer> reports = new HashMap<>();
        BigInteger[] lastTrade = null;
        for (int at = 0; at < messages.length; ) {
            boolean isReport = messages[at + 2] == ExecutionReportDecoder.TEMPLATE_ID;
            int length = 8 + (isReport ? ExecutionReportDecoder.BLOCK_LENGTH : TradeDecoder.BLOCK_LENGTH);
            BigInteger[] words = words(Arrays.copyOfRange(messages, at, at + length));
            if (isReport) {
                int broker = (int) new ExecutionReportDecoder()
                        .wrapAndApplyHeader(new UnsafeBuffer(messages), at, new MessageHeaderDecoder())
                        .brokerId();
                out.writeBytes(
                        new byte[] {0, (byte) broker, (byte) (broker >> 8), (byte) (broker >> 16), (byte) (broker >> 24)
                        });
                int count = reports.merge(broker, 1, Integer::sum);
                pack(words, count % 256 == 1 ? null : lastReport.get(broker), out);
                lastReport.put(broker, words);
            } else {
                out.write(1);
                pack(words, lastTrade, out);
                lastTrade = words;
            }
            at += length;
        }
        return out.toByteArray();
    }

    private static BigInteger[] words(byte[] message) {
        BigInteger[] words = new BigInteger[(message.length + 7) / 8];
        Arrays.fill(words, BigInteger.ZERO);
        for (int i = message.length - 1; i >= 0; i--) {
            words[i / 8] = words[i / 8].shiftLeft(8).or(BigInteger.valueOf(message[i] & 0xFF));
        }
        return words;
    }

    private static void pack(BigInteger[] words, BigInteger[] before, ByteArrayOutputStream out) {
        byte[] changed = new byte[(words.length + 7) / 8];
        ByteArrayOutputStream differences = new ByteArrayOutputStream();
        for (int i = 0; i < words.length; i++) {
            BigInteger from = before == null ? BigInteger.ZERO : before[i];
            // The difference is taken modulo 2^64 and read as a signed number.
            BigInteger signed = BigInteger.valueOf(words[i].subtract(from).longValue());
            if (signed.signum() == 0) {
                continue;
            }
            changed[i / 8] |= (byte) (1 << i % 8);
            BigInteger zigzag =
                    signed.signum() < 0 ? signed.negate().shiftLeft(1).subtract(BigInteger.ONE) : signed.shiftLeft(1);
            int length = (zigzag.bitLength() + 3 + 7) / 8;
            if (length > 7) {
                differences.write(0);
                write(zigzag, 8, differences);
            } else {
                write(zigzag.multiply(BigInteger.valueOf(8)).add(BigInteger.valueOf(length)), length, differences);
            }
        }
        out.writeBytes(changed);
        out.writeBytes(differences.toByteArray());
    }

    private static void write(BigInteger number, int length, ByteArrayOutputStream out) {
        for (int i = 0; i < length; i++) {
            out.write(number.shiftRight(8 * i).intValue());
        }
    }

    @Test
    void shouldMoveTheDigestOnAnEmptyBlock() {
        String before = market.digest();
        market.block();

        assertThat(before).isEqualTo("0".repeat(64));
        assertThat(market.digest()).isNotEqualTo(before);
    }

    @Test
    void shouldCountWhatABlockHolds() {
        market.block(Batch.of(1, 1, 1, limit(11, 1, BUY, 100, 1), limit(12, 1, SELL, 100, 1)));
        assertThat(core.blockEntryCount()).isEqualTo(2);
        assertThat(core.blockTradeCount()).isEqualTo(1);
        assertThat(core.lastReportSequence(1)).isEqualTo(4);

        market.block();
        assertThat(core.blockEntryCount()).isZero();
        assertThat(core.blockTradeCount()).isZero();
        assertThat(core.entryCount()).isEqualTo(2);
    }

    @Test
    void shouldStopAtABrokenInvariant() {
        assertThatThrownBy(core::endBlock).isInstanceOf(BrokenInvariantException.class);
        assertThatThrownBy(() -> core.onBatch(0, new UnsafeBuffer(new byte[8]), 0, 8))
                .isInstanceOf(BrokenInvariantException.class);
        assertThatThrownBy(() -> core.beginBlock(2, 0, market)).hasMessage("block 2 follows block 0");
        core.beginBlock(1, 5, market);
        assertThatThrownBy(() -> core.beginBlock(2, 5, market)).hasMessage("block 1 is open");
        core.endBlock();
        assertThatThrownBy(() -> core.beginBlock(2, 4, market)).hasMessageContaining("before the last block's");
    }

    @Test
    void shouldShowAnOrderAndItsDepth() {
        market.block(
                Batch.of(1, 1, 1, limit(11, 1, BUY, 100, 8), limit(12, 1, BUY, 98, 5)),
                Batch.of(2, 2, 1, limit(21, 1, SELL, 100, 3)));

        RestingOrder order = core.findOrder(1, 11).orElseThrow();
        assertThat(order.cumQty()).isEqualTo(3);
        assertThat(order.leavesQty()).isEqualTo(5);
        assertThat(order.cumValue()).isEqualTo(300);
        assertThat(core.findOrder(2, 21)).isEmpty();
        assertThat(core.findOrder(7, 11)).isEmpty();
        assertThat(core.bids(1, 1, (price, quantity, count) -> assertThat(price).isEqualTo(100)))
                .isEqualTo(1);
        assertThat(core.bids(99, 1, (price, quantity, count) -> {})).isZero();
        assertThat(market.bids(1)).containsExactly("5@100", "5@98");
    }
}

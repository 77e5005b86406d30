package io.sealbook.matching;

import static io.sealbook.matching.Batch.limit;
import static io.sealbook.protocol.sbe.Side.BUY;
import static io.sealbook.protocol.sbe.Side.SELL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TradeDecoder;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import io.sealbook.vocabulary.result.BrokerDigest;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The result digest by the letter of doc/matching-rules.md, computed again from the outputs, slowly. */
class ResultDigestTest {
    private static final int RUN_MAX = 256;
    /** In place of a broker's id. */
    private static final int TRADES = Integer.MAX_VALUE;

    private final CoreDriver market = new CoreDriver(Markets.two());
    private byte[] digest = new byte[32];
    private int leafCount;
    /** Of the last block, by broker. */
    private final Map<Integer, List<byte[]>> reportLeaves = new TreeMap<>();

    @Test
    void shouldBindAllOutputs() {
        RandomFlow flow = new RandomFlow(3, 2, 95, 12);
        for (int block = 1; block <= 200; block++) {
            RandomFlow.Block next = flow.next();
            market.block(next.timeNs(), next.batches());

            assertFollows();
        }
    }

    @Test
    void shouldBeginALeafAfterEvery256Reports() {
        for (int block = 1; block <= 2; block++) {
            market.block(batches(1, block, BUY, 100));

            assertFollows();
            assertThat(leafCount).isEqualTo(3);
        }
        assertThat(market.core.lastReportSequence(1)).isEqualTo(1_200);
    }

    @Test
    void shouldBeginALeafAfterEvery256Trades() {
        market.block(batches(1, 1, BUY, 100));
        assertFollows();
        market.block(batches(2, 1, SELL, 100));

        assertFollows();
        assertThat(market.trades).hasSize(600);
        assertThat(leafCount)
                .as("600 passive fills, 1,200 reports of the seller, 600 trades")
                .isEqualTo(3 + 5 + 3);
    }

    @Test
    void shouldChangeWithEachOutputByte() {
        market.block(Batch.of(1, 1, 1, limit(1, 1, BUY, 100, 5)), Batch.of(2, 1, 1, limit(2, 1, SELL, 100, 5)));
        byte[] messages = market.blockBytes.toByteArray();
        byte[] expected = next(messages);

        for (int at = 0; at < messages.length; at++) {
            byte[] changed = messages.clone();
            changed[at] ^= 1;
            if (isTemplateId(changed, at)) {
                continue; // The message would have another length.
            }
            assertThat(next(changed)).as("byte %d", at).isNotEqualTo(expected);
        }
    }

    /** Sixty batches of ten orders. */
    private static Batch[] batches(int broker, int block, Side side, long price) {
        Batch[] batches = new Batch[60];
        for (int i = 0; i < batches.length; i++) {
            Batch.Request[] requests = new Batch.Request[10];
            for (int k = 0; k < requests.length; k++) {
                requests[k] = limit(1_000L * block + 10L * i + k, 1, side, price, 1);
            }
            batches[i] = Batch.of(broker, 1_000L * block + i, block + 1, requests);
        }
        return batches;
    }

    private static boolean isTemplateId(byte[] messages, int at) {
        int start = 0;
        while (start + length(messages, start) <= at) {
            start += length(messages, start);
        }
        return at - start == 2 || at - start == 3;
    }

    private void assertFollows() {
        digest = next(market.blockBytes.toByteArray());
        assertThat(market.digest()).isEqualTo(HexFormat.of().formatHex(digest));
        List<BrokerDigest> expected = new ArrayList<>();
        reportLeaves.forEach((broker, leaves) -> expected.add(
                new BrokerDigest(broker, firstSequence(broker), countOf(broker), Digest.of(root(leaves)))));
        assertThat(market.brokerDigests).isEqualTo(expected);
    }

    private long firstSequence(int broker) {
        return market.core.lastReportSequence(broker) - countOf(broker) + 1;
    }

    private int countOf(int broker) {
        return (int) market.reports.stream()
                .filter(report -> report.brokerId() == broker && report.blockSequence() == market.core.lastSequence())
                .count();
    }

    /** Returns the digest after a block with these messages. */
    private byte[] next(byte[] messages) {
        List<byte[]> leaves = leaves(messages);
        leafCount = leaves.size();
        return Sha256.of(ByteBuffer.allocate(77)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 2)
                .put(digest)
                .putLong(market.core.lastSequence())
                .putInt(leaves.size())
                .put(root(leaves))
                .array());
    }

    private static byte[] root(List<byte[]> leaves) {
        int n = leaves.size();
        if (n <= 1) {
            return Sha256.of(n == 0 ? new byte[0] : leaves.get(0));
        }
        int k = Integer.highestOneBit(n - 1);
        ByteBuffer node = ByteBuffer.allocate(65).put((byte) 1);
        return Sha256.of(node.put(root(leaves.subList(0, k)))
                .put(root(leaves.subList(k, n)))
                .array());
    }

    /** A run while it is filled. */
    private static final class Run {
        final ByteArrayOutputStream leaf = new ByteArrayOutputStream();
        BigInteger[] last;
        int count;

        Run(int kind) {
            leaf.write(0);
            leaf.write(kind);
        }
    }

    private List<byte[]> leaves(byte[] messages) {
        reportLeaves.clear();
        List<byte[]> leaves = new ArrayList<>();
        Map<Integer, Run> runs = new HashMap<>();
        for (int at = 0; at < messages.length; at += length(messages, at)) {
            BigInteger[] words = words(Arrays.copyOfRange(messages, at, at + length(messages, at)));
            boolean isReport = isReport(messages, at);
            int broker = isReport ? brokerId(messages, at) : TRADES;
            Run run = runs.computeIfAbsent(broker, key -> new Run(isReport ? 0 : 1));
            pack(words, run.last, run.leaf);
            run.last = words;
            if (++run.count == RUN_MAX) {
                add(broker, run, leaves);
                runs.remove(broker);
            }
        }
        // Markets.two() has its brokers in ascending order.
        new TreeMap<>(runs).forEach((broker, run) -> add(broker, run, leaves));
        return leaves;
    }

    private void add(int broker, Run run, List<byte[]> leaves) {
        leaves.add(run.leaf.toByteArray());
        if (broker != TRADES) {
            reportLeaves.computeIfAbsent(broker, key -> new ArrayList<>()).add(run.leaf.toByteArray());
        }
    }

    private static boolean isReport(byte[] messages, int at) {
        return messages[at + 2] == ExecutionReportDecoder.TEMPLATE_ID;
    }

    private static int length(byte[] messages, int at) {
        return 8 + (isReport(messages, at) ? ExecutionReportDecoder.BLOCK_LENGTH : TradeDecoder.BLOCK_LENGTH);
    }

    private static int brokerId(byte[] messages, int at) {
        return (int) new ExecutionReportDecoder()
                .wrapAndApplyHeader(new UnsafeBuffer(messages), at, new MessageHeaderDecoder())
                .brokerId();
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
}

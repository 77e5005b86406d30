package io.sealbook.matching.chain;

import io.sealbook.membership.Membership;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The terms of a chain after a block. Immutable; any thread.
 *
 * @param executed under which the block was executed
 * @param next under which the next one is; the same object if the block changed nothing
 * @param configurations that followed the one of the genesis file, in the order of their blocks
 */
public record ChainTerms(Membership executed, Membership next, List<BoundConfiguration> configurations) {
    private static final int BOUND_LENGTH = Long.BYTES + Digest.LENGTH;

    /** Returns the terms before block 1. */
    public static ChainTerms of(Genesis genesis) {
        Membership first = Membership.of(genesis);
        return new ChainTerms(first, first, List.of());
    }

    ChainTerms bind(BoundConfiguration configuration) {
        return new ChainTerms(
                next,
                next,
                Stream.concat(configurations.stream(), Stream.of(configuration)).toList());
    }

    /** Returns the digest of the configuration under which a block is the first. */
    public Optional<Digest> boundBy(long block) {
        int low = 0;
        int high = configurations.size() - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            long found = configurations.get(middle).block();
            if (found == block) {
                return Optional.of(configurations.get(middle).digest());
            }
            if (found < block) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the bytes that {@link #decode} reads.
     *
     * <pre>
     *   length  type   meaning (little-endian)
     *   4       u32    e, then e bytes: the membership of the block, see {@link Membership#encode}
     *   4       u32    n, then n bytes: the membership of the next block; 0 if it is the same
     *   4       u32    c, then c times 8 block, 32 digest of the configuration
     * </pre>
     */
    public byte[] encode() {
        byte[] before = executed.encode();
        byte[] after = next == executed ? new byte[0] : next.encode();
        int length = 3 * Integer.BYTES + before.length + after.length + configurations.size() * BOUND_LENGTH;
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(before.length).put(before).putInt(after.length).put(after).putInt(configurations.size());
        for (BoundConfiguration configuration : configurations) {
            bytes.putLong(configuration.block());
            configuration.digest().write(bytes);
        }
        return bytes.array();
    }

    /**
     * Restores terms.
     *
     * @param genesis of the chain
     * @param encoded from {@link #encode}
     * @throws IllegalArgumentException if the bytes are of another chain, or none
     */
    public static ChainTerms decode(Genesis genesis, byte[] encoded) {
        ByteBuffer bytes = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
        Membership executed = Membership.decode(genesis, take(bytes));
        byte[] after = take(bytes);
        Membership next = after.length == 0 ? executed : Membership.decode(genesis, after);
        int count = count(bytes, BOUND_LENGTH);
        List<BoundConfiguration> configurations = IntStream.range(0, count)
                .mapToObj(i -> new BoundConfiguration(bytes.getLong(), Digest.read(bytes)))
                .toList();
        if (bytes.hasRemaining()) {
            throw new IllegalArgumentException(bytes.remaining() + " bytes after the terms of a chain");
        }
        return new ChainTerms(executed, next, configurations);
    }

    private static byte[] take(ByteBuffer bytes) {
        byte[] part = new byte[count(bytes, 1)];
        bytes.get(part);
        return part;
    }

    private static int count(ByteBuffer bytes, int length) {
        int count = bytes.remaining() < Integer.BYTES ? -1 : bytes.getInt();
        if (count < 0 || count > bytes.remaining() / length) {
            throw new IllegalArgumentException("terms of a chain are cut short");
        }
        return count;
    }
}

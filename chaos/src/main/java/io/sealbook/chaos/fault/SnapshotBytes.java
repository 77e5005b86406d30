package io.sealbook.chaos.fault;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32C;

/**
 * Changes the orders in an engine's snapshot. The bytes are those of {@code SnapshotFormat} (engine-core), which end
 * with the core's part, its length and a CRC-32C, and of {@code SnapshotCodec} (matching-core), which end with the
 * number of live orders, their records and a SHA-256.
 */
final class SnapshotBytes {
    private static final int HEAD_LENGTH = 148;
    private static final int BROKER_LENGTH = 28;
    private static final int SESSION_LENGTH = 20;
    private static final int MASS_CANCEL_LENGTH = 64;
    private static final int PASS_LENGTH = 12;
    private static final int ORDER_LENGTH = 72;
    private static final int LEAVES = 40;
    private static final int DIGEST_LENGTH = 32;
    private static final int TRAILER_LENGTH = Long.BYTES + Integer.BYTES;

    private final Path file;
    private final ByteBuffer bytes;
    private final int core;
    private final int digest;

    private SnapshotBytes(Path file) throws IOException {
        this.file = file;
        bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int trailer = bytes.capacity() - TRAILER_LENGTH;
        core = trailer - Math.toIntExact(bytes.getLong(trailer));
        digest = trailer - DIGEST_LENGTH;
    }

    /**
     * Takes one lot from each live order that has more than one left, and makes the checksums right again.
     *
     * @param file of a snapshot, which nobody has open
     * @return number of orders that were changed
     * @throws IOException if the file is no snapshot of the known layout
     */
    static int shrinkOrders(Path file) throws IOException {
        return new SnapshotBytes(file).shrinkOrders();
    }

    private int shrinkOrders() throws IOException {
        int changed = 0;
        for (int order = firstOrder(); order < digest; order += ORDER_LENGTH) {
            long leaves = bytes.getLong(order + LEAVES);
            if (leaves > 1) {
                bytes.putLong(order + LEAVES, leaves - 1);
                changed++;
            }
        }
        bytes.put(digest, sha256());
        int end = bytes.capacity() - Integer.BYTES;
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, end);
        bytes.putInt(end, (int) crc.getValue());
        Files.write(file, bytes.array());
        return changed;
    }

    private int firstOrder() throws IOException {
        int position = core + HEAD_LENGTH;
        for (int length : new int[] {BROKER_LENGTH, SESSION_LENGTH, MASS_CANCEL_LENGTH}) {
            position += Integer.BYTES + bytes.getInt(position) * length;
        }
        position += PASS_LENGTH;
        int orders = bytes.getInt(position);
        position += Integer.BYTES;
        if (position + orders * ORDER_LENGTH != digest) {
            throw new IOException(
                    file + " has another layout: " + orders + " orders from byte " + position + " to " + digest);
        }
        return position;
    }

    private byte[] sha256() {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(bytes.array(), core, digest - core);
            return sha256.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

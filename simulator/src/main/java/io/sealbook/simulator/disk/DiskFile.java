package io.sealbook.simulator.disk;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** The content of a file: as it is read, and as the last force left it. */
final class DiskFile {
    /** A write, or a cut to {@code offset} when there are no bytes. */
    private record Change(int offset, byte[] bytes) {
        Change first(int length) {
            return new Change(offset, Arrays.copyOf(bytes, length));
        }
    }

    private static final int SECTOR_LENGTH = 512;

    private final Content content = new Content();
    private final Content durable = new Content();
    private final List<Change> unforced = new ArrayList<>();

    long length() {
        return content.length;
    }

    /** Returns how many bytes were read, -1 at the end. */
    int read(ByteBuffer into, long offset) {
        if (offset >= content.length) {
            return into.hasRemaining() ? -1 : 0;
        }
        int count = (int) Math.min(into.remaining(), content.length - offset);
        into.put(content.bytes, (int) offset, count);
        return count;
    }

    int write(ByteBuffer from, long offset) {
        byte[] bytes = new byte[from.remaining()];
        from.get(bytes);
        apply(new Change(Math.toIntExact(offset), bytes));
        return bytes.length;
    }

    /** Changes bytes where they lie, as a medium does that no write has reached. */
    void rot(int offset, int length, SplittableRandom random) {
        for (int i = offset; i < offset + length; i++) {
            byte mask = (byte) (1 + random.nextInt(255));
            content.bytes[i] ^= mask;
            if (i < durable.length) {
                durable.bytes[i] ^= mask;
            }
        }
    }

    /** Overwrites bytes with others of the file, where no write has been asked for. */
    void misdirect(int from, int to, int length) {
        byte[] bytes = Arrays.copyOfRange(content.bytes, from, from + length);
        System.arraycopy(bytes, 0, content.bytes, to, length);
        if (to < durable.length) {
            System.arraycopy(bytes, 0, durable.bytes, to, Math.min(length, durable.length - to));
        }
    }

    void truncate(long length) {
        if (length < content.length) {
            apply(new Change((int) length, null));
        }
    }

    private void apply(Change change) {
        content.apply(change);
        unforced.add(change);
    }

    void force() {
        unforced.forEach(durable::apply);
        unforced.clear();
    }

    void failPower(SplittableRandom random) {
        for (Change change : unforced) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    // Lost.
                }
                case 1 -> durable.apply(change);
                default -> durable.apply(change.bytes == null ? change : change.first(sectors(change, random)));
            }
        }
        unforced.clear();
        content.set(durable);
    }

    /**
     * Returns the bytes of some of the sectors of a write, from its first on: a disk writes a sector whole or not at
     * all.
     */
    private static int sectors(Change change, SplittableRandom random) {
        int end = change.offset + random.nextInt(change.bytes.length + 1);
        return Math.max(0, end / SECTOR_LENGTH * SECTOR_LENGTH - change.offset);
    }

    private static final class Content {
        private byte[] bytes = new byte[0];
        private int length;

        void apply(Change change) {
            if (change.bytes == null) {
                Arrays.fill(bytes, Math.min(change.offset, length), length, (byte) 0);
                length = Math.min(change.offset, length);
                return;
            }
            int end = change.offset + change.bytes.length;
            if (change.bytes.length == 0) {
                return;
            }
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(end, Math.min(2 * bytes.length, bytes.length + (1 << 16))));
            }
            System.arraycopy(change.bytes, 0, bytes, change.offset, change.bytes.length);
            length = Math.max(length, end);
        }

        void set(Content other) {
            bytes = other.bytes.clone();
            length = other.length;
        }
    }
}

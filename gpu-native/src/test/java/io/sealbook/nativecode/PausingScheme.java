package io.sealbook.nativecode;

import io.sealbook.crypto.VerificationKey;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** A scheme that runs something of a test's before one of its tables is built. */
final class PausingScheme implements NativeScheme {
    private final NativeScheme scheme;
    private final int tableNumber;
    private final Runnable pause;
    private final AtomicInteger tablesBegun = new AtomicInteger();

    /**
     * Wraps a scheme.
     *
     * @param scheme does all work
     * @param tableNumber the table, counted from 1, that has to wait
     * @param pause runs on the builder's thread, before memory for that table is sought
     */
    PausingScheme(NativeScheme scheme, int tableNumber, Runnable pause) {
        this.scheme = scheme;
        this.tableNumber = tableNumber;
        this.pause = pause;
    }

    @Override
    public int keyTableSize() {
        if (tablesBegun.incrementAndGet() == tableNumber) {
            pause.run();
        }
        return scheme.keyTableSize();
    }

    @Override
    public int usesBeforeTable() {
        return scheme.usesBeforeTable();
    }

    @Override
    public int scratchSize() {
        return scheme.scratchSize();
    }

    @Override
    public boolean makeKey(ByteBuffer memory, VerificationKey key) {
        return scheme.makeKey(memory, key);
    }

    @Override
    public void buildKeyTable(ByteBuffer table, ByteBuffer key) {
        scheme.buildKeyTable(table, key);
    }

    @Override
    public int state(byte v, byte given) {
        return scheme.state(v, given);
    }

    @Override
    public byte[] digest(VerificationKey key, byte[] message, int offset, int length) {
        return scheme.digest(key, message, offset, length);
    }

    @Override
    public int verify(ByteBuffer records, ByteBuffer states, int count, ByteBuffer scratch) {
        return scheme.verify(records, states, count, scratch);
    }
}

package io.sealbook.gpu;

import io.sealbook.crypto.DeviceException;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.VerificationKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The signatures of one caller for the device, and their verdicts.
 *
 * <p>Until it is submitted it belongs to the caller's thread, then to the engine, and after {@link #await} to the
 * caller again. A row's key index counts this request's distinct keys.
 */
final class RowRequest {
    static final byte INVALID = 0;
    static final byte VALID = 1;
    static final byte UNDECIDED = 2;

    private final SignatureRows rows = new SignatureRows();
    private final List<VerificationKey> keys = new ArrayList<>();
    private final Map<VerificationKey, Integer> keyIndices = new IdentityHashMap<>();
    private int[] keyUses = new int[8];
    private byte[] verdicts = new byte[64];
    private final AtomicInteger openRowCount = new AtomicInteger();
    private volatile CountDownLatch done = new CountDownLatch(1);
    private volatile DeviceException failure;

    /** Empties it for another use. Not after a failure: the device may still be reading. */
    void clear() {
        rows.clear();
        keys.clear();
        keyIndices.clear();
        Arrays.fill(keyUses, 0);
        done = new CountDownLatch(1);
    }

    /**
     * Appends a batch's entry. Equal keys that are different objects take a row in the list of keys each, which is no
     * error.
     */
    void add(SignatureBatch batch, int entry) {
        VerificationKey key = batch.key(entry);
        Integer known = keyIndices.get(key);
        int index;
        if (known == null) {
            index = keys.size();
            keys.add(key);
            keyIndices.put(key, index);
            if (index == keyUses.length) {
                keyUses = Arrays.copyOf(keyUses, 2 * keyUses.length);
            }
        } else {
            index = known;
        }
        keyUses[index]++;
        rows.add(batch, entry, key, index);
    }

    int size() {
        return rows.size();
    }

    SignatureRows rows() {
        return rows;
    }

    List<VerificationKey> keys() {
        return keys;
    }

    /** Returns how many rows the key has. */
    int keyUses(int keyIndex) {
        return keyUses[keyIndex];
    }

    /** The engine takes it. */
    void begin() {
        if (verdicts.length < size()) {
            verdicts = new byte[Math.max(size(), 2 * verdicts.length)];
        }
        openRowCount.set(size());
    }

    /** The engine sets a verdict; {@link #settle} makes it visible. */
    void setVerdict(int row, byte verdict) {
        verdicts[row] = verdict;
    }

    /** The engine has set this number of further verdicts. */
    void settle(int rowCount) {
        if (openRowCount.addAndGet(-rowCount) == 0) {
            done.countDown();
        }
    }

    /** The engine gives up. */
    void fail(DeviceException reason) {
        failure = reason;
        done.countDown();
    }

    /**
     * Waits for all verdicts. An interrupt of the caller is no fault of the device: it does not end the wait, and stays
     * set.
     *
     * @param timeoutMs milliseconds, at least 1
     * @return false if they did not come in time
     * @throws DeviceException if the device failed
     */
    boolean await(long timeoutMs) {
        if (!awaitDone(TimeUnit.MILLISECONDS.toNanos(timeoutMs))) {
            return false;
        }
        if (failure != null) {
            throw failure;
        }
        return true;
    }

    private boolean awaitDone(long timeoutNs) {
        long deadlineNs = System.nanoTime() + timeoutNs;
        boolean wasInterrupted = false;
        try {
            while (true) {
                try {
                    return done.await(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                }
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    byte verdict(int row) {
        return verdicts[row];
    }
}

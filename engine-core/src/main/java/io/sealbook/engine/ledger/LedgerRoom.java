package io.sealbook.engine.ledger;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The heap that the ledgers of all brokers may take together. Brokers decide how much that is, by orders that rest and
 * by pairs of account and instrument that they trade. When it is used up, the ledger that has most of it gives up all
 * that it has, and the engine goes on. One thread.
 */
public final class LedgerRoom {
    private static final long MB = 1_000_000;

    private final LongSupplier bytesMax;
    private final List<BrokerLedger> ledgers = new ArrayList<>();
    private long taken;

    /** @param bytesMax that there are at present, at least 0 */
    public LedgerRoom(LongSupplier bytesMax) {
        this.bytesMax = bytesMax;
    }

    void enter(BrokerLedger ledger) {
        ledgers.add(ledger);
    }

    /**
     * Takes bytes for a ledger, and makes room for them.
     *
     * @param ledger that grows by the bytes, unless it has given up
     * @param bytes at least 1
     */
    void take(BrokerLedger ledger, long bytes) {
        taken += bytes;
        ledger.grow(bytes);
        long max = bytesMax.getAsLong();
        while (taken > max) {
            BrokerLedger most = ledgers.stream()
                    .max(Comparator.comparingLong(BrokerLedger::bytes))
                    .orElseThrow();
            long given = most.bytes();
            most.giveUp("the open orders and positions of broker " + Integer.toUnsignedString(most.brokerId())
                    + " took " + given / MB + " MB of heap, most of the " + max / MB
                    + " MB that this engine has for those of all brokers: it needs a larger one (-Xmx)");
            taken -= given;
        }
    }

    /** Gives bytes back that a ledger has taken. */
    void release(BrokerLedger ledger, long bytes) {
        taken -= bytes;
        ledger.grow(-bytes);
    }
}

package io.sealbook.simulator;

/** What {@link PrimaryPace} tries. Four members, 2 ms from one to the other where nothing else is said. */
enum PaceCase {
    CORRECT("correct", Fault.NONE, 0),
    BURSTS("correct, bursts of 400 batches", Fault.NONE, 0),
    SLOW_LINKS("correct, 100 ms from member to member", Fault.NONE, 0),
    FAR_PRIMARY("correct, 50 ms from the others", Fault.NONE, 0),
    BUSY("correct, processes stall for up to 80 ms", Fault.NONE, 0),
    WITHHELD("correct, a member keeps its batches from it", Fault.NONE, 0),
    /** Links of 25 ms keep a proposal in flight nearly all the time. */
    WITHHELD_WHILE_BUSY("correct, the same while others keep it busy", Fault.NONE, 0),
    PAUSES("correct, stands still for 0.3 s per second", Fault.NONE, 0),
    /** All members share two processors, and brokers have in flight what these need seconds for. */
    OVERLOAD("correct, overloaded", Fault.NONE, 0),
    /** At times a member gets a third of what the others get. */
    UNEVEN_OVERLOAD("correct, overloaded, members slow in turn", Fault.NONE, 0),
    BLOCK_PER_450_MS("one block per 450 ms", Fault.PACED_PRIMARY, 450),
    BLOCK_PER_350_MS("one block per 350 ms", Fault.PACED_PRIMARY, 350),
    /** Twice the grace of 120 ms. */
    JUST_BELOW_THE_BOUND("one block per 240 ms", Fault.PACED_PRIMARY, 240),
    ONE_BATCH_PER_BLOCK("one batch per block", Fault.TRICKLING, 0),
    JUST_BELOW_THE_TIMEOUT("just below the request timeout", Fault.SLOW_PRIMARY, 0);

    final String words;
    final Fault fault;
    final long intervalMs;

    PaceCase(String words, Fault fault, long intervalMs) {
        this.words = words;
        this.fault = fault;
        this.intervalMs = intervalMs;
    }

    boolean withholds() {
        return this == WITHHELD || this == WITHHELD_WHILE_BUSY;
    }

    boolean isOverloaded() {
        return this == OVERLOAD || this == UNEVEN_OVERLOAD;
    }

    boolean isUneven() {
        return this == UNEVEN_OVERLOAD;
    }

    boolean isFaulty() {
        return fault != Fault.NONE;
    }
}

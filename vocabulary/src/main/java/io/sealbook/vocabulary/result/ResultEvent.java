package io.sealbook.vocabulary.result;

/** What happened to an order, as a {@link ResultCell} has it: FIX ExecType(150), fills by the order's part in them. */
public enum ResultEvent {
    /** The order was accepted. */
    ACCEPTED,
    /** The order was replaced. */
    REPLACED,
    /** The order traded when it came in, at the price of a resting one. */
    INCOMING_FILL,
    /** The order traded while it rested, at its own price. */
    RESTING_FILL,
    /** The order was cancelled, by its broker or because its rest may not rest. */
    CANCELED,
    /** The order's day ended. */
    EXPIRED,
    /** A new order was refused. */
    REJECTED,
    /** A cancel or replace was refused. */
    CANCEL_REJECTED,
    /** Many orders were cancelled, or will be: the result of the request, which is about no single order. */
    MASS_CANCELED;

    private static final ResultEvent[] BY_CODE = values();

    /** Returns the byte that stands for it in a cell, 1..9. */
    public int code() {
        return ordinal() + 1;
    }

    /** Returns whether it is one side of a trade. */
    public boolean isFill() {
        return this == INCOMING_FILL || this == RESTING_FILL;
    }

    /** @throws IllegalArgumentException if no event has this code */
    static ResultEvent of(int code) {
        if (code < 1 || code > BY_CODE.length) {
            throw new IllegalArgumentException("event " + code + ", expected 1.." + BY_CODE.length);
        }
        return BY_CODE[code - 1];
    }
}

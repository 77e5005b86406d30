package io.sealbook.pbft.message;

/**
 * Where the sender stands. Sent to all periodically and after a start; who has what the sender lacks answers with it.
 *
 * @param view the view the sender is in, or is changing to
 * @param isViewActive false while it waits for the NEW-VIEW of {@code view}
 * @param stableSequence of its stable certificate
 * @param lastDelivered last sequence number it delivered
 */
public record Status(long view, boolean isViewActive, long stableSequence, long lastDelivered, int sender)
        implements Message {}

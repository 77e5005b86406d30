package io.sealbook.pbft.message;

/**
 * The progress of the sender. Sent to all periodically and after a start; a replica that has what the sender lacks
 * sends it.
 *
 * @param view the view the sender is in, or is changing to
 * @param isViewActive false while it waits for the NEW-VIEW of {@code view}
 * @param stableSequence of its stable certificate
 * @param lastDelivered last sequence number it delivered
 */
public record Status(long view, boolean isViewActive, long stableSequence, long lastDelivered, int sender)
        implements Message {}

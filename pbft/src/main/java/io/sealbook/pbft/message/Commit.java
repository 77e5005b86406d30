package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;

/**
 * The sender holds a prepared certificate for the proposal (TOCS 2002, section 4.2). Vouched for by the frame's code
 * alone.
 *
 * <p>In answer to a STATUS a replica reports with {@link #DECIDED_VIEW} that it has delivered the proposal. f+1 such
 * reports prove the decision to a replica that lags, whatever the view, because one of them is from a correct replica.
 */
public record Commit(long view, long sequence, Digest digest, int sender) implements Message {
    /** Stands for no view: the sender has delivered the proposal. */
    public static final long DECIDED_VIEW = Long.MAX_VALUE;

    public boolean isDecision() {
        return view == DECIDED_VIEW;
    }
}

package io.sealbook.peer.offload;

import io.sealbook.peer.frame.FrameAuthenticator;

/** The connection a vote came on, as the offload sees it. */
public interface IngressLink {
    int peerId();

    /** Returns the epoch that the peer said it is in when the session began. */
    int peerEpoch();

    /** Returns the judge of this session's frames; used by the thread that runs the {@link VoteStage} and no other. */
    FrameAuthenticator authenticator();

    /**
     * Closes the connection because of what came on it, which only the peer itself can have sent; the peer must wait
     * before its next one. Any thread.
     */
    void refuse(String fact);

    /** Returns whether {@link #refuse} has been called: what came on the connection after that is of no use. */
    boolean isRefused();

    /**
     * Reads nothing for a while; any thread.
     *
     * @param forNs nanoseconds, above 0
     */
    void rest(long forNs);

    /** Stops reading; any thread. */
    void pause();

    /** Reads on; any thread. */
    void resume();
}

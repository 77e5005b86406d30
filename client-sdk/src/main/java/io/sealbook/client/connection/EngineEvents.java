package io.sealbook.client.connection;

import io.grpc.Status;
import io.sealbook.protocol.v1.BlockReportsFrame;

/** Notifications and questions of an {@link EngineLink}, always on the loop thread. */
public interface EngineEvents {
    /** Returns the first report wanted of this engine, as its stream is opened. */
    long reportsFrom(EngineLink link);

    /** Returns whether this engine may send digests in place of reports, as its stream is opened. */
    boolean areDigestsEnough(EngineLink link);

    /**
     * Handles a frame; the next is granted with {@link EngineLink#grant}.
     *
     * @param link the link that it came on
     * @param frame reports or digests in sequence
     */
    void onFrame(EngineLink link, BlockReportsFrame frame);

    /**
     * Learns that the stream has ended or could not be opened; the link opens it again after a back-off.
     *
     * @param link the link that has no stream
     * @param why with which status it ended
     */
    void onDown(EngineLink link, Status why);
}

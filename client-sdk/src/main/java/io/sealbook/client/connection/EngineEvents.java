package io.sealbook.client.connection;

import io.sealbook.protocol.v1.ReportFrame;

/** Notifications and questions of an {@link EngineLink}, always on the loop thread. */
public interface EngineEvents {
    /** Returns the first report wanted of this engine, as its stream is opened. */
    long reportsFrom(EngineLink link);

    /**
     * Handles a frame; the next is granted with {@link EngineLink#grant}.
     *
     * @param link the link that it came on
     * @param frame reports in sequence
     */
    void onFrame(EngineLink link, ReportFrame frame);
}

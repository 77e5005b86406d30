package io.sealbook.client;

/**
 * Receives a broker's execution reports in sequence, without gaps or duplicates, always on the same thread of the
 * client. While it is busy reports wait in a bounded queue and then at the engines; nothing is lost.
 */
@FunctionalInterface
public interface ExecutionReportListener {

    /**
     * Handles one report; when it returns, the report is checkpointed. It may call the client, {@code submit} included.
     */
    void onReport(ExecutionReport report);

    /**
     * Called once, after {@link #onReport} threw: delivery has stopped and this report is not checkpointed, so that a
     * new client that resumes from the checkpoint delivers it again. The default logs.
     *
     * @param unhandled the report that was handed to {@link #onReport}
     * @param cause what it threw; the cause of it if that is an {@link Error}
     */
    default void onStopped(ExecutionReport unhandled, RuntimeException cause) {
        System.getLogger(ExecutionReportListener.class.getName())
                .log(
                        System.Logger.Level.ERROR,
                        "report " + unhandled.reportSequence() + " was not handled, delivery has stopped",
                        cause);
    }

    /**
     * Called once, after the reports before, when engines do not keep the next report any more: delivery has stopped. A
     * new client must begin with a later report. The default logs.
     *
     * @param reportSequence of the next report
     * @param why names the first report that each of these engines keeps
     */
    default void onLost(long reportSequence, String why) {
        System.getLogger(ExecutionReportListener.class.getName())
                .log(System.Logger.Level.ERROR, "delivery has stopped before report " + reportSequence + ", " + why);
    }
}

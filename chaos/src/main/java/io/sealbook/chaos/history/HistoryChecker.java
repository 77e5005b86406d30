package io.sealbook.chaos.history;

/** Judges a history by all rules that need no process. */
public final class HistoryChecker {
    private HistoryChecker() {}

    /**
     * Judges a history.
     *
     * @param history complete: all brokers have ended and all reports were read
     * @param findings takes what is wrong
     */
    public static void check(History history, Findings findings) {
        ChainIndex chain = new ChainIndex(history);
        Submissions submissions = new Submissions(history, findings);
        new ReceiptCheck(history, chain, submissions, findings).run();
        new CommitCheck(history, chain, findings).run();
        new RealTimeCheck(history, chain, submissions, findings).run();
        new ReportStreamCheck(history, findings).run();
        new AnswerCheck(history, chain, findings).run();
        new OrderLifeCheck(history, findings).run();
        new TradeCheck(history, findings).run();
    }
}

package io.sealbook.consensus.inspect;

import java.io.PrintWriter;

/** What an inspection has seen, one fact per line, and the worst of it. One thread. */
public final class Report {
    private final PrintWriter out;
    private Verdict verdict = Verdict.WHOLE;

    /** How the files are, from the best to the worst. */
    public enum Verdict {
        /** Everything reads and fits together. */
        WHOLE,
        /** A process was killed while it wrote; the node repairs that when it starts. */
        UNFINISHED,
        /** Something that was whole once is not, or two files contradict each other. */
        DAMAGED
    }

    /** @param out gets the lines */
    public Report(PrintWriter out) {
        this.out = out;
    }

    /**
     * Reports a state.
     *
     * @param name what it is
     * @param value how it is
     */
    void fact(String name, Object value) {
        out.println(name + ": " + value);
    }

    /** Names something that a start of the node repairs. */
    void unfinished(String fact) {
        out.println("unfinished: " + fact);
        worsen(Verdict.UNFINISHED);
    }

    /** Names damage or a contradiction. */
    void damaged(String fact) {
        out.println("damaged: " + fact);
        worsen(Verdict.DAMAGED);
    }

    private void worsen(Verdict seen) {
        if (seen.compareTo(verdict) > 0) {
            verdict = seen;
        }
    }

    /** Returns the worst so far. */
    public Verdict verdict() {
        return verdict;
    }
}

package io.sealbook.perf.siege;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

/** Waits for facts. */
final class Await {
    private static final long LIMIT_NS = 180_000_000_000L;
    private static final long PAUSE_MS = 20;

    private Await() {}

    /** Something that becomes true. */
    interface Fact {
        boolean isTrue() throws Exception;
    }

    /**
     * Waits until a fact is true. A question that fails is asked again.
     *
     * @param name of the fact
     * @param fact is asked again and again
     * @throws IOException if it does not become true in minutes
     */
    static void fact(String name, Fact fact) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        Exception last = null;
        while (System.nanoTime() - startNs < LIMIT_NS) {
            try {
                if (fact.isTrue()) {
                    return;
                }
                last = null;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                last = e;
            }
            Thread.sleep(PAUSE_MS);
        }
        throw new IOException("waited in vain for " + name, last);
    }

    /**
     * Waits until a question has the wanted answer. One that fails is asked again.
     *
     * @param subject of the question
     * @param wanted answer
     * @param question is asked again and again
     * @throws IOException if the answer is another one for minutes; the message has the last
     */
    static void answer(String subject, String wanted, Callable<String> question)
            throws IOException, InterruptedException {
        AtomicReference<String> last = new AtomicReference<>("none");
        try {
            fact(subject + " that is " + wanted, () -> {
                last.set(question.call());
                return last.get().equals(wanted);
            });
        } catch (IOException e) {
            throw new IOException(e.getMessage() + ", it is " + last.get(), e.getCause());
        }
    }
}

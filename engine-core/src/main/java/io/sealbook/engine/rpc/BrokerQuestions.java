package io.sealbook.engine.rpc;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.access.ReadLimit;
import io.sealbook.archive.MalformedBlockException;
import io.sealbook.engine.ledger.BrokerLedger.NotReadyException;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions that read files, one after another on a thread that reads for nothing else, so that neither network
 * threads nor matching wait. A caller that asks much waits for itself: few of its questions are taken at a time,
 * whichever broker they are about.
 */
final class BrokerQuestions implements AutoCloseable {
    /** Questions that wait, of all callers. */
    static final int WAITING_MAX = 64;
    /** Questions of one caller that wait or are being answered. */
    static final int PER_CALLER_MAX = 4;

    private static final Logger log = LoggerFactory.getLogger(BrokerQuestions.class);

    private final Map<Caller, Integer> taken = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            Thread.ofPlatform().name("queries-", 0).daemon().factory());

    /**
     * Answers later, or refuses with RESOURCE_EXHAUSTED at once.
     *
     * @param brokerId which broker it is about; without TLS, which proves no caller, it counts as the one who asks
     * @param response gets one message, or a status
     * @param question runs on the thread of questions
     */
    <A> void answer(int brokerId, StreamObserver<A> response, Supplier<A> question) {
        Caller caller = ReadLimit.HOLDER.get() instanceof Caller proven ? proven : new Caller(Role.BROKER, brokerId);
        if (response instanceof ServerCallStreamObserver<A> call) {
            // Else an answer to a call that was given up throws.
            call.setOnCancelHandler(() -> log.debug("a question of {} was given up", caller));
        }
        if (taken.merge(caller, 1, Integer::sum) > PER_CALLER_MAX) {
            release(caller);
            refuse(response, PER_CALLER_MAX + " questions of " + caller + " wait");
            return;
        }
        try {
            thread.execute(() -> {
                try {
                    answer(response, question);
                } finally {
                    release(caller);
                }
            });
        } catch (RejectedExecutionException e) {
            release(caller);
            refuse(response, WAITING_MAX + " questions wait");
        }
    }

    private void release(Caller caller) {
        taken.computeIfPresent(caller, (asker, count) -> count == 1 ? null : count - 1);
    }

    private static void refuse(StreamObserver<?> response, String fact) {
        response.onError(Status.RESOURCE_EXHAUSTED.withDescription(fact).asRuntimeException());
    }

    private static <A> void answer(StreamObserver<A> response, Supplier<A> question) {
        if (response instanceof ServerCallStreamObserver<A> call && call.isCancelled()) {
            return;
        }
        A answer;
        try {
            answer = question.get();
        } catch (NotReadyException e) {
            Status status = e.isRetryable() ? Status.UNAVAILABLE : Status.OUT_OF_RANGE;
            response.onError(status.withDescription(e.getMessage()).asRuntimeException());
            return;
        } catch (OperatingFailureException | MalformedBlockException | UncheckedIOException e) {
            log.warn("a question of a broker is not answered: {}", e.getMessage());
            response.onError(Status.INTERNAL.withDescription(e.getMessage()).asRuntimeException());
            return;
        } catch (Throwable failure) {
            // An error, too: the asker would wait for ever. First the answer: the heap may be full.
            response.onError(
                    Status.INTERNAL.withDescription("the engine failed").asRuntimeException());
            log.error("a question of a broker is not answered", failure);
            return;
        }
        response.onNext(answer);
        response.onCompleted();
    }

    /** Takes no more questions; those that wait are dropped. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}

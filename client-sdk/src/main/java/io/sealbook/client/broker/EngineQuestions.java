package io.sealbook.client.broker;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.sealbook.client.BrokerClientException;
import io.sealbook.client.NoAgreementException;
import io.sealbook.client.connection.AnswerQuorum;
import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.EngineChannels;
import io.sealbook.client.connection.LinkConfig;
import io.sealbook.protocol.v1.BrokerQueriesGrpc;
import io.sealbook.protocol.v1.Node;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Asks the engines of all nodes at once, in rounds, until f + 1 answers of the same block are equal. The first round
 * asks for the newest block, each further one for the highest block that f + 1 engines have answered of: one of them is
 * correct, so that correct engines reach it, and a block that a faulty one has invented is not waited for. A round has
 * a limit, which doubles where too many engines are late: cold connections and traces from disk take longer. Loop
 * thread, but for {@link #request}.
 */
final class EngineQuestions {
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PAUSE_AFTER_FAILURE_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ClientLoop loop;
    private final LinkConfig config;
    private final EngineChannels channels;
    private final AnswerQuorum quorum;
    private final Supplier<List<Node>> nodes;
    private final long firstRoundNs;
    private final OpenRequests<Wanted<?, ?>> open;

    /**
     * @param loop on which everything here runs
     * @param completions completes results
     * @param config the role that calls prove
     * @param channels to engines; stay the caller's
     * @param quorum f + 1 of the present nodes
     * @param nodes the present nodes, where they are
     * @param firstRound limit of the first round of a question, above 0
     */
    EngineQuestions(
            ClientLoop loop,
            Executor completions,
            LinkConfig config,
            EngineChannels channels,
            AnswerQuorum quorum,
            Supplier<List<Node>> nodes,
            Duration firstRound) {
        this.loop = loop;
        this.config = config;
        this.channels = channels;
        this.quorum = quorum;
        this.nodes = nodes;
        this.firstRoundNs = firstRound.toNanos();
        this.open = new OpenRequests<>(loop, completions);
    }

    /** One answer that is wanted. */
    private final class Wanted<A, R> implements OpenRequests.Request {
        private final EngineQuestion<A, R> question;
        private final long fromBlock;
        private final CompletableFuture<R> result = new CompletableFuture<>();
        private final Map<Integer, A> answers = new HashMap<>();
        /** Of the last round that ended. */
        private final Map<Integer, String> facts = new TreeMap<>();
        /** Engines that have answered in any round. */
        private final Set<Integer> everAnswered = new HashSet<>();

        private final long limitNs;
        private long endNs;
        private long asOfBlock;
        private int round;
        private long roundNs = firstRoundNs;
        private List<Node> askedNodes = List.of();
        private int asked;
        private int missing;
        private boolean hasFailures;
        private boolean hasLate;

        Wanted(EngineQuestion<A, R> question, long fromBlock, Duration limit) {
            this.limitNs = limit.toNanos();
            this.question = question;
            this.fromBlock = fromBlock;
            this.asOfBlock = fromBlock;
        }

        @Override
        public CompletableFuture<R> result() {
            return result;
        }

        @Override
        public void start() {
            endNs = System.nanoTime() + limitNs;
            ask();
        }

        private void ask() {
            if (!open.isOpen(this)) {
                return;
            }
            round++;
            answers.clear();
            hasFailures = false;
            hasLate = false;
            askedNodes = nodes.get();
            Map<Integer, ManagedChannel> engines = channels.of(askedNodes);
            asked = engines.size();
            missing = asked;
            long deadlineNs = Math.min(roundNs, endNs - System.nanoTime());
            engines.forEach((nodeId, channel) -> question.call()
                    .ask(
                            BrokerQueriesGrpc.newStub(channel)
                                    .withCallCredentials(config.role())
                                    .withDeadlineAfter(deadlineNs, TimeUnit.NANOSECONDS),
                            asOfBlock,
                            new Answer<>(this, nodeId, round)));
        }

        private void onAnswer(int nodeId, A answer) {
            if (!nodes.get().equals(askedNodes)) {
                ask(); // Answers may be those of former machines.
                return;
            }
            long block = question.asOfBlock().applyAsLong(answer);
            facts.put(nodeId, "another answer of block " + Long.toUnsignedString(block));
            answers.put(nodeId, answer);
            everAnswered.add(nodeId);
            long same = answers.values().stream().filter(answer::equals).count();
            if (Long.compareUnsigned(block, fromBlock) >= 0 && same >= quorum.needed()) {
                open.end(this, () -> complete(answer));
            }
        }

        private void complete(A answer) {
            try {
                result.complete(question.result().apply(answer));
            } catch (IllegalArgumentException e) {
                result.completeExceptionally(new NoAgreementException(
                        quorum.needed() + " engines sent a malformed " + question.subject() + ": " + e.getMessage()));
            }
        }

        private void onFailure(int nodeId, String fact, boolean isLate) {
            facts.put(nodeId, fact);
            hasFailures = true;
            hasLate |= isLate;
        }

        private void settle() {
            missing--;
            if (missing > 0 || !open.isOpen(this)) {
                return;
            }
            List<Long> blocks = answers.values().stream()
                    .map(question.asOfBlock()::applyAsLong)
                    .sorted(Collections.reverseOrder(Long::compareUnsigned))
                    .toList();
            if (blocks.size() >= quorum.needed()) {
                long reached = blocks.get(quorum.needed() - 1);
                asOfBlock = Long.compareUnsigned(reached, fromBlock) > 0 ? reached : fromBlock;
            }
            if (hasLate && answers.size() < asked - (quorum.needed() - 1) && roundNs < limitNs) {
                // Fewer than n - f answers: late ones may be those of correct engines. A faulty one alone delays
                // nothing.
                roundNs *= 2;
            }
            loop.schedule(hasFailures ? PAUSE_AFTER_FAILURE_NS : PAUSE_NS, this::ask);
        }

        @Override
        public BrokerClientException onLimit() {
            String fact = everAnswered.size() < quorum.needed()
                    ? "too few engines answered, " + everAnswered.size() + " of " + asked + ", " + quorum.needed()
                            + " needed"
                    : "no " + quorum.needed() + " engines answered alike";
            return new NoAgreementException(fact + ", " + question.subject() + ": " + facts);
        }
    }

    /** The answer of one engine in one round; a late one counts no more. */
    private final class Answer<A> implements StreamObserver<A> {
        private final Wanted<A, ?> wanted;
        private final int nodeId;
        private final int round;

        Answer(Wanted<A, ?> wanted, int nodeId, int round) {
            this.wanted = wanted;
            this.nodeId = nodeId;
            this.round = round;
        }

        @Override
        public void onNext(A answer) {
            inRound(() -> wanted.onAnswer(nodeId, answer));
        }

        @Override
        public void onError(Throwable cause) {
            Status status = Status.fromThrowable(cause);
            String fact = status.getDescription() == null ? status.getCode().name() : status.getDescription();
            inRound(() -> {
                wanted.onFailure(nodeId, fact, status.getCode() == Status.Code.DEADLINE_EXCEEDED);
                wanted.settle();
            });
        }

        @Override
        public void onCompleted() {
            inRound(wanted::settle);
        }

        private void inRound(Runnable task) {
            loop.execute(() -> {
                if (open.isOpen(wanted) && wanted.round == round) {
                    task.run();
                }
            });
        }
    }

    /**
     * Asks; any thread.
     *
     * @param question for all engines
     * @param fromBlock answers as of earlier blocks do not count
     * @param limit after which it fails
     */
    <A, R> CompletableFuture<R> request(EngineQuestion<A, R> question, long fromBlock, Duration limit) {
        Wanted<A, R> wanted = new Wanted<>(question, fromBlock, limit);
        open.begin(wanted, limit);
        return wanted.result;
    }

    /** Ends what is open and what comes later. */
    void close(BrokerClientException cause) {
        open.close(cause);
    }
}

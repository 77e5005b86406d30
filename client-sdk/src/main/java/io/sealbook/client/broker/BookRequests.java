package io.sealbook.client.broker;

import io.sealbook.client.BookDepth;
import io.sealbook.client.BrokerClientException;
import io.sealbook.client.NoAgreementException;
import io.sealbook.client.connection.AnswerQuorum;
import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.DepthStream;
import io.sealbook.client.connection.EngineChannels;
import io.sealbook.client.connection.LinkConfig;
import io.sealbook.protocol.v1.Depth;
import io.sealbook.protocol.v1.MarketDataRequest;
import io.sealbook.protocol.v1.Node;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Asks the engines of all nodes at once for a book, until f + 1 agree. Loop thread, but for {@link #request}. */
final class BookRequests {
    private final ClientLoop loop;
    private final LinkConfig config;
    private final EngineChannels channels;
    private final AnswerQuorum quorum;
    private final Supplier<List<Node>> nodes;
    private final OpenRequests<Wanted> open;

    /**
     * @param loop on which streams run
     * @param completions completes results
     * @param config delays of streams
     * @param channels to engines; stay the caller's
     * @param quorum f + 1 of the present nodes
     * @param nodes the present nodes, where they are
     */
    BookRequests(
            ClientLoop loop,
            Executor completions,
            LinkConfig config,
            EngineChannels channels,
            AnswerQuorum quorum,
            Supplier<List<Node>> nodes) {
        this.loop = loop;
        this.config = config;
        this.channels = channels;
        this.quorum = quorum;
        this.nodes = nodes;
        this.open = new OpenRequests<>(loop, completions);
    }

    /** One book that is wanted. */
    private final class Wanted implements OpenRequests.Request {
        private final MarketDataRequest request;
        private final int levels;
        private final long fromBlock;
        private final CompletableFuture<BookDepth> result = new CompletableFuture<>();
        private final List<DepthStream> streams = new ArrayList<>();
        private final Map<Integer, String> failures = new TreeMap<>();
        private BookAgreement agreement;
        private List<Node> asked = List.of();

        Wanted(int instrumentId, int levels, long fromBlock) {
            request = MarketDataRequest.newBuilder()
                    .addInstrumentIds(instrumentId)
                    .setLevels(levels)
                    .build();
            this.levels = levels;
            this.fromBlock = fromBlock;
        }

        @Override
        public CompletableFuture<BookDepth> result() {
            return result;
        }

        @Override
        public void start() {
            agreement = new BookAgreement(request.getInstrumentIds(0), levels, fromBlock);
            asked = nodes.get();
            channels.of(asked)
                    .forEach((nodeId, channel) -> streams.add(
                            new DepthStream(nodeId, channel, config, loop, request, this::onDepth, failures::put)));
        }

        private void onDepth(int nodeId, Depth depth) {
            if (!nodes.get().equals(asked)) {
                // What has been reported so far may be of former machines.
                release();
                start();
                return;
            }
            failures.remove(nodeId);
            agreement.add(nodeId, depth, quorum.needed()).ifPresent(book -> {
                open.end(this, () -> result.complete(book));
            });
        }

        @Override
        public BrokerClientException onLimit() {
            Map<Integer, String> answers = new TreeMap<>(agreement.lastAnswers());
            answers.putAll(failures);
            return new NoAgreementException("no " + quorum.needed() + " engines reported the same book of instrument "
                    + Integer.toUnsignedString(request.getInstrumentIds(0)) + ": " + answers);
        }

        @Override
        public void release() {
            streams.forEach(DepthStream::close);
            streams.clear();
        }
    }

    /**
     * Asks for a book; any thread.
     *
     * @param instrumentId of the instrument
     * @param levels of each side, at least 1
     * @param fromBlock lowest block of which the book may be
     * @param limit after which it fails
     */
    CompletableFuture<BookDepth> request(int instrumentId, int levels, long fromBlock, Duration limit) {
        Wanted wanted = new Wanted(instrumentId, levels, fromBlock);
        open.begin(wanted, limit);
        return wanted.result;
    }

    /** Ends what is open and what comes later. */
    void close(BrokerClientException cause) {
        open.close(cause);
    }
}

package io.sealbook.consensus.results;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.sealbook.access.LinePace;
import io.sealbook.facts.Facts;
import io.sealbook.handoff.BlockResult;
import io.sealbook.protocol.v1.ResultChallenge;
import io.sealbook.protocol.v1.ResultReturnGrpc;
import io.sealbook.protocol.v1.ReturnedResult;
import io.sealbook.vocabulary.Digest;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What a node takes of the results that its engine elsewhere returns. */
@Timeout(300)
class ReturnedResultsTest {
    @TempDir
    private Path directory;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final AtomicLong lastArchived = new AtomicLong(100);
    private final AtomicLong isolatedAt = new AtomicLong();
    private final ReturnedResults results = new ReturnedResults(
            0,
            lastArchived::get,
            isolatedAt::get,
            result -> told.add(result.sequence() + " " + result.digest().bytes()[0]));
    private EngineKey key;
    private Server server;
    private ManagedChannel channel;

    @BeforeEach
    void start() throws Exception {
        key = EngineKey.read(Files.writeString(directory.resolve("engine.key"), "5a".repeat(32)));
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .addService(new ResultReturnService(key, results))
                .build()
                .start();
        channel = NettyChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        server.shutdownNow();
    }

    @Test
    void shouldTakeAgainWhatARebuiltEngineReturns() throws Exception {
        Engine engine = new Engine();
        engine.send(1, 1);
        engine.send(2, 1);
        engine.send(3, 1);
        awaitTold("1 1", "2 1", "3 1");

        engine.send(2, 7);
        engine.send(3, 7);
        engine.send(4, 7);

        awaitTold("1 1", "2 1", "3 1", "2 7", "3 7", "4 7");
        assertThat(results.nextSequence()).isEqualTo(5);
    }

    /** What waits for its block is as wrong as what was passed on. */
    @Test
    void shouldForgetWhatWaitsWhenTheEngineWasRebuilt() throws Exception {
        lastArchived.set(1);
        Engine engine = new Engine();
        engine.send(1, 1);
        engine.send(2, 1);
        engine.send(3, 1);
        Facts.await("all three came", () -> results.nextSequence() == 4);
        awaitTold("1 1");
        engine.send(2, 7);
        Facts.await("the result of block 2 is another one", () -> results.nextSequence() == 3);
        lastArchived.set(100);

        awaitTold("1 1", "2 7");
    }

    /** The stream on which the wrong results came may have ended before the engine was rebuilt. */
    @Test
    void shouldAskANewStreamFromTheBlockOnAtWhichTheNodeIsIsolated() throws Exception {
        Engine wrong = new Engine();
        wrong.send(1, 1);
        wrong.send(2, 1);
        wrong.send(3, 1);
        awaitTold("1 1", "2 1", "3 1");
        isolatedAt.set(2);

        Engine rebuilt = new Engine();
        assertThat(rebuilt.wanted()).isEqualTo(2);
        // It executes from block 1 on again, and has come no farther when its stream begins.
        rebuilt.send(1, 1);
        rebuilt.send(2, 7);
        rebuilt.send(3, 7);
        awaitTold("1 1", "2 1", "3 1", "2 7", "3 7");

        isolatedAt.set(0);
        assertThat(new Engine().wanted()).isEqualTo(4);
    }

    /** An engine that connects anew may send what the node has: it does not know how far its last stream came. */
    @Test
    void shouldPassOverWhatAnotherStreamBrought() throws Exception {
        new Engine().send(1, 1);
        awaitTold("1 1");

        Engine again = new Engine();
        again.send(1, 1);
        again.send(2, 1);

        awaitTold("1 1", "2 1");
    }

    /** Anybody may open streams, as many as calls are admitted: their ends must not fill the disk. */
    @Test
    void shouldLogFewOfTheStreamsThatStrangersOpen() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(ResultReturnService.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            for (int i = 0; i < 10 * LinePace.LINES_MAX; i++) {
                Engine stranger = new Engine();
                stranger.stream.onNext(ReturnedResult.newBuilder()
                        .setSequence(1)
                        .setResultDigest(ByteString.copyFrom(new byte[Digest.LENGTH]))
                        .setCode(ByteString.copyFrom(new byte[32]))
                        .build());
                assertThat(stranger.refusal.get(2, TimeUnit.MINUTES)).hasMessageContaining("authentication code");
            }
        } finally {
            logger.detachAppender(lines);
        }

        assertThat(lines.list).hasSizeBetween(1, 2 * LinePace.LINES_MAX);
    }

    private void awaitTold(String... expected) throws Exception {
        Facts.await(() -> "results " + List.of(expected) + ", there are " + told, () -> {
            results.doWork();
            return told.equals(List.of(expected));
        });
    }

    /** A stream of results that are authentic. */
    private final class Engine implements StreamObserver<ResultChallenge> {
        private final CompletableFuture<ResultChallenge> challenge = new CompletableFuture<>();
        private final CompletableFuture<Throwable> refusal = new CompletableFuture<>();
        private final StreamObserver<ReturnedResult> stream =
                ResultReturnGrpc.newStub(channel).returnResults(this);

        void send(long sequence, int digest) throws Exception {
            byte[] bytes = new byte[Digest.LENGTH];
            bytes[0] = (byte) digest;
            BlockResult result = new BlockResult(sequence, Digest.of(bytes), 1, 0, 0);
            byte[] bound = challenge.get(2, TimeUnit.MINUTES).getChallenge().toByteArray();
            byte[] code = key.code(bound, result);
            stream.onNext(ReturnedResult.newBuilder()
                    .setSequence(sequence)
                    .setResultDigest(ByteString.copyFrom(bytes))
                    .setExecutedTimeNs(1)
                    .setCode(ByteString.copyFrom(code))
                    .build());
        }

        long wanted() throws Exception {
            return challenge.get(2, TimeUnit.MINUTES).getNextSequence();
        }

        @Override
        public void onNext(ResultChallenge first) {
            challenge.complete(first);
        }

        @Override
        public void onError(Throwable failure) {
            refusal.complete(failure);
        }

        @Override
        public void onCompleted() {
            // Likewise.
        }
    }
}

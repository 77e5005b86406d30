package io.sealbook.consensus.results;

import com.google.protobuf.ByteString;
import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.HandOffReader;
import io.sealbook.protocol.v1.ResultChallenge;
import io.sealbook.protocol.v1.ResultReturnGrpc;
import io.sealbook.protocol.v1.ReturnedResult;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tails an engine's queue/results and returns what it finds to a node. After each connection it begins where the node
 * says. One thread; callbacks of the stream only leave a note.
 */
public final class ResultReturner extends DutyCycle implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ResultReturner.class);
    private static final int RESULTS_PER_CYCLE = 256;
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long KEEP_ALIVE_S = 10;

    private final String address;
    private final EngineKey key;
    private final HandOffReader<BlockResult> queue;
    private final ManagedChannel channel;
    private Call call;
    private long retryNs = System.nanoTime();
    private volatile long lastReturned;

    /**
     * Connects later.
     *
     * @param directory of queue/results; created if it is absent
     * @param address HOST:PORT of the node's gateway
     * @param credentials of the connection
     * @param key that the node has too
     */
    public ResultReturner(Path directory, String address, ChannelCredentials credentials, EngineKey key) {
        this.address = address;
        this.key = key;
        this.queue = HandOffReader.ofResults(directory);
        this.channel = NettyChannelBuilder.forTarget(address, credentials)
                .keepAliveTime(KEEP_ALIVE_S, TimeUnit.SECONDS)
                .build();
    }

    /** Returns the last block whose result was returned since the start; 0 if none was. Any thread. */
    public long lastReturned() {
        return lastReturned;
    }

    @Override
    public boolean hasWork() {
        return false;
    }

    @Override
    public long idleNs() {
        return IDLE_NS;
    }

    @Override
    public int doWork() {
        if (call == null) {
            if (System.nanoTime() - retryNs >= 0) {
                call = new Call();
                ResultReturnGrpc.newStub(channel).returnResults(call);
            }
            return 0;
        }
        if (call.end != null) {
            log.warn("results do not reach {}: {}", address, call.end);
            call = null;
            retryNs = System.nanoTime() + RETRY_NS;
            return 0;
        }
        if (call.challenge == null) {
            return 0;
        }
        if (!call.isPlaced) {
            call.isPlaced = true;
            queue.toFirstAfter(call.challenge.getNextSequence() - 1);
            log.info("results go to {} from block {} on", address, call.challenge.getNextSequence());
        }
        return returnResults();
    }

    private int returnResults() {
        int count = 0;
        while (count < RESULTS_PER_CYCLE && call.stream.isReady()) {
            Optional<BlockResult> next = queue.read();
            if (next.isEmpty()) {
                return count;
            }
            call.stream.onNext(message(next.get(), call.challenge.getChallenge().toByteArray()));
            lastReturned = next.get().sequence();
            count++;
        }
        return count;
    }

    private ReturnedResult message(BlockResult result, byte[] challenge) {
        return ReturnedResult.newBuilder()
                .setSequence(result.sequence())
                .setResultDigest(ByteString.copyFrom(result.digest().bytes()))
                .setExecutedTimeNs(result.executedTimeNs())
                .setCode(ByteString.copyFrom(key.code(challenge, result)))
                .build();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        queue.close();
    }

    private static final class Call implements ClientResponseObserver<ReturnedResult, ResultChallenge> {
        private ClientCallStreamObserver<ReturnedResult> stream;
        private volatile ResultChallenge challenge;
        private volatile Status end;
        /** Of the thread of the cycle. */
        private boolean isPlaced;

        @Override
        public void beforeStart(ClientCallStreamObserver<ReturnedResult> requestStream) {
            stream = requestStream;
        }

        @Override
        public void onNext(ResultChallenge next) {
            if (next.getChallenge().size() == EngineKey.CHALLENGE_LENGTH && next.getNextSequence() > 0) {
                challenge = next;
            } else {
                end = Status.INTERNAL.withDescription("no challenge: " + next);
            }
        }

        @Override
        public void onError(Throwable failure) {
            end = Status.fromThrowable(failure);
        }

        @Override
        public void onCompleted() {
            end = Status.UNAVAILABLE.withDescription("stream ended");
        }
    }
}

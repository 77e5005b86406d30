package io.sealbook.consensus.results;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.access.FairPlaces;
import io.sealbook.access.LinePace;
import io.sealbook.access.ReadLimit;
import io.sealbook.access.rate.EndAtOnce;
import io.sealbook.handoff.BlockResult;
import io.sealbook.protocol.v1.ResultChallenge;
import io.sealbook.protocol.v1.ResultReturnGrpc;
import io.sealbook.protocol.v1.ReturnedResult;
import io.sealbook.vocabulary.Digest;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes results from an engine that proves with each that it has the key. A stream without a proof gives way: the
 * caller that has most of them loses its oldest for a new one. Runs on event loops and does not wait.
 */
public final class ResultReturnService extends ResultReturnGrpc.ResultReturnImplBase {
    private static final Logger log = LoggerFactory.getLogger(ResultReturnService.class);

    /** Streams are told apart by this alone: anybody may open one, and only an engine with the key is somebody. */
    private static final int STRANGERS = 0;

    private static final int AUTHENTIC = 1;

    /** Open streams on which no result with the right code has come. */
    private static final int UNPROVEN_MAX = 32;

    private final EngineKey key;
    private final ReturnedResults results;
    private final LinePace lines = new LinePace();
    private final SecureRandom random = new SecureRandom();
    /** Streams without a proof, by caller. Its lock is held while it changes. */
    private final FairPlaces<Stream> unproven = new FairPlaces<>(UNPROVEN_MAX);

    /**
     * @param key that the engine has too
     * @param results takes what is authentic
     */
    public ResultReturnService(EngineKey key, ReturnedResults results) {
        this.key = key;
        this.results = results;
    }

    @Override
    public StreamObserver<ReturnedResult> returnResults(StreamObserver<ResultChallenge> challenges) {
        byte[] challenge = new byte[EngineKey.CHALLENGE_LENGTH];
        random.nextBytes(challenge);
        long wanted = results.nextSequence();
        challenges.onNext(ResultChallenge.newBuilder()
                .setChallenge(ByteString.copyFrom(challenge))
                .setNextSequence(wanted)
                .build());
        Stream stream = new Stream(challenge, wanted, (ServerCallStreamObserver<ResultChallenge>) challenges);
        takePlace(stream, ReadLimit.HOLDER.get());
        return stream;
    }

    private void takePlace(Stream stream, Object holder) {
        Stream evicted;
        synchronized (unproven) {
            evicted = unproven.take(stream, holder);
        }
        if (evicted != null) {
            evicted.end(Status.RESOURCE_EXHAUSTED.withDescription(
                    "no result has come, and another stream takes its place"));
        }
    }

    private void releasePlace(Stream stream) {
        synchronized (unproven) {
            unproven.release(stream);
        }
    }

    private final class Stream implements StreamObserver<ReturnedResult> {
        private final byte[] challenge;
        /** First block that this node has asked for: what comes of it counts, whatever came before. */
        private final long wanted;

        private final ServerCallStreamObserver<ResultChallenge> answer;
        /** Another stream may end this one, on its thread. */
        private final AtomicBoolean isEnded = new AtomicBoolean();
        /** Whether a result with the right code has come. */
        private volatile boolean isAuthentic;
        /** Block of the last result on this stream; a lower one follows when the engine was rebuilt. */
        private long lastCame;

        Stream(byte[] challenge, long wanted, ServerCallStreamObserver<ResultChallenge> answer) {
            this.challenge = challenge;
            this.wanted = wanted;
            this.answer = answer;
            answer.setOnCancelHandler(() -> releasePlace(this));
            answer.setOnCloseHandler(() -> releasePlace(this));
        }

        @Override
        public void onNext(ReturnedResult message) {
            if (isEnded.get()) {
                return;
            }
            BlockResult result;
            try {
                result = new BlockResult(
                        message.getSequence(),
                        Digest.of(message.getResultDigest().toByteArray()),
                        message.getExecutedTimeNs(),
                        0,
                        0);
            } catch (IllegalArgumentException e) {
                end(Status.INVALID_ARGUMENT.withDescription(e.getMessage()));
                return;
            }
            if (!MessageDigest.isEqual(
                    key.code(challenge, result), message.getCode().toByteArray())) {
                end(Status.UNAUTHENTICATED.withDescription("result of block " + result.sequence()
                        + ": its authentication code is wrong; engine.key of both sides must be the same"));
                return;
            }
            if (!isAuthentic) {
                isAuthentic = true;
                releasePlace(this);
            }
            boolean isAgain = result.sequence() <= lastCame || lastCame < wanted && result.sequence() == wanted;
            lastCame = result.sequence();
            switch (isAgain ? results.offerAgain(result) : results.offer(result)) {
                case TAKEN, KNOWN -> {}
                case GAP ->
                    end(Status.OUT_OF_RANGE.withDescription("result of block " + result.sequence() + " came, "
                            + results.nextSequence() + " is the next one"));
                case NO_ROOM ->
                    end(Status.RESOURCE_EXHAUSTED.withDescription(
                            "this node is behind block " + result.sequence() + ", return its result later"));
            }
        }

        private void end(Status status) {
            if (!isEnded.compareAndSet(false, true)) {
                return;
            }
            releasePlace(this);
            String line = lines.of(
                    isAuthentic ? AUTHENTIC : STRANGERS,
                    "stream of results ends: " + status.getDescription(),
                    System.nanoTime());
            if (!line.isEmpty()) {
                log.warn(line);
            }
            // A caller that does not read its challenge would keep its place from the engine.
            answer.onError(EndAtOnce.of(status));
        }

        @Override
        public void onError(Throwable failure) {
            log.debug("stream of results ended", failure);
        }

        @Override
        public void onCompleted() {
            if (!isEnded.compareAndSet(false, true)) {
                return;
            }
            if (isAuthentic) {
                answer.onCompleted();
            } else {
                // No other stream can take its place any more, which it would keep until its challenge is read.
                answer.onError(EndAtOnce.of(Status.OK));
            }
        }
    }
}

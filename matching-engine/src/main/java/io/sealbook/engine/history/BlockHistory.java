package io.sealbook.engine.history;

import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.MalformedBlockException;
import io.sealbook.archive.order.BlockWindow;
import io.sealbook.archive.order.OrderQuery;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.http.RequestCallers;
import io.sealbook.engine.setup.EngineDirectory;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.server.ResponseStatusException;

/**
 * Questions to the blocks of the node's archive. A question reads the archive's files beside the node that writes them,
 * and sees the blocks up to the moment in which it begins. At most {@link #QUESTIONS_MAX} run at a time, so that
 * readers cannot take the disk from the node; others wait for their turn ({@link QuestionPlaces}). Any thread.
 */
@Component
class BlockHistory {
    static final int QUESTIONS_MAX = 2;
    /** Half of the requests that an engine with its own settings answers at once: each that waits holds a thread. */
    static final int ASKERS_MAX = 12;

    /** As long as a few questions of 1 GiB take ({@code history.bytes-max}). */
    private static final long WAIT_MS = 10_000;

    private static final String RETRY_AFTER_SECONDS = "1";

    private final Path archive;
    private final EngineProperties.History limits;
    private final Supplier<Object> caller;
    private final QuestionPlaces places;

    /** Closed reader of an earlier question, null before the first: a question reads only what was appended since. */
    private volatile ArchiveReader last;

    @Autowired
    BlockHistory(EngineDirectory directory, EngineProperties properties) {
        this(directory.archive(), properties.history(), RequestCallers::present, WAIT_MS);
    }

    /**
     * @param archive of the node
     * @param limits of a search
     * @param caller returns who asks on this thread
     * @param waitMs time after which a question that waits for its turn is refused
     */
    BlockHistory(Path archive, EngineProperties.History limits, Supplier<Object> caller, long waitMs) {
        this.archive = archive;
        this.limits = limits;
        this.caller = caller;
        this.places = new QuestionPlaces(QUESTIONS_MAX, ASKERS_MAX, waitMs);
    }

    /**
     * Searches an order.
     *
     * @param query which order
     * @param window which blocks
     * @param view makes the answer of what was found; a part of the question
     * @throws ErrorResponseException 503 if there are no blocks yet, or if it has no turn in time
     */
    <T> T find(OrderQuery query, BlockWindow window, Function<OrderHistory, T> view) {
        return ask(blocks -> view.apply(new HistorySearch(blocks, query).run(window, limits.bytesMax())));
    }

    /**
     * Proves that a batch is in the chain.
     *
     * @param sequence of the block
     * @param batchIndex of the batch in it, from 0
     * @return the bytes of the proof's file, with the signed batch
     * @throws ResponseStatusException 404 if it cannot be proven from this archive, 500 if a block of it is damaged
     * @throws ErrorResponseException 503 as above
     */
    byte[] proof(long sequence, int batchIndex) {
        return ask(blocks -> {
            try {
                return new InclusionProver(blocks)
                        .prove(sequence, batchIndex, true)
                        .encode();
            } catch (InclusionProver.NotProvableException e) {
                throw new ResponseStatusException(HttpStatus.NOT_FOUND, e.getMessage(), e);
            }
        });
    }

    /**
     * Answers a question.
     *
     * @param question gets the archive; runs on this thread
     * @throws ResponseStatusException 500 if a block that it reads is damaged
     * @throws ErrorResponseException 503 as above
     */
    <T> T ask(Function<ArchiveReader, T> question) {
        return answer(() -> {
            if (!ArchiveReader.hasBlocks(archive)) {
                throw unavailable("the node has no blocks yet");
            }
            ArchiveReader earlier = last;
            try (ArchiveReader blocks = earlier == null ? ArchiveReader.open(archive) : earlier.later()) {
                last = blocks;
                return question.apply(blocks);
            } catch (ArchiveException | MalformedBlockException e) {
                last = null;
                throw new ResponseStatusException(HttpStatus.INTERNAL_SERVER_ERROR, e.getMessage(), e);
            }
        });
    }

    /**
     * Answers a question that needs no block but is one of the {@link #QUESTIONS_MAX}.
     *
     * @param question reads files; runs on this thread
     * @throws ErrorResponseException 503 if it has no turn in time, or one of the same caller is being answered
     */
    <T> T answer(Supplier<T> question) {
        Object asker = caller.get();
        Optional<String> refusal = places.take(asker);
        if (refusal.isPresent()) {
            throw unavailable(refusal.get());
        }
        try {
            return question.get();
        } finally {
            places.release(asker);
        }
    }

    /** Returns the refusal of a question that may be asked again in a moment. */
    static ErrorResponseException unavailable(String fact) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, fact);
        ErrorResponseException unavailable = new ErrorResponseException(HttpStatus.SERVICE_UNAVAILABLE, problem, null);
        unavailable.getHeaders().set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        return unavailable;
    }
}

package io.sealbook.matching.chain;

import io.sealbook.matching.MarketConfig;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.MatchingOutput;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Executes the blocks of a chain. Each block is executed under the membership that follows from the blocks before it; a
 * transaction in it is in effect from the next block on. One thread.
 *
 * <p>Life of a block: {@link #beginBlock}, {@link #onBatch} for each batch in order, {@link #endBlock}.
 */
public final class ChainExecution {
    private final MatchingCore core;
    private final Consumer<Membership.Outcome> outcomes;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private final BatchView view = new BatchView();
    private ChainTerms terms;
    private Membership next;

    /**
     * Goes on from a state.
     *
     * @param core in the state after the block that {@code terms} are of, under the configuration of that block
     * @param terms after that block
     * @param outcomes takes what became of each transaction, on the thread of the execution
     */
    public ChainExecution(MatchingCore core, ChainTerms terms, Consumer<Membership.Outcome> outcomes) {
        this.core = core;
        this.terms = terms;
        this.next = terms.next();
        this.outcomes = outcomes;
    }

    /** Returns the execution of a chain from block 1 on. */
    public static ChainExecution of(Genesis genesis) {
        return new ChainExecution(new MatchingCore(MarketConfig.of(genesis)), ChainTerms.of(genesis), outcome -> {});
    }

    /**
     * Restores the core that a chain has after a block.
     *
     * @param terms after the block
     * @param stream as for {@link MatchingCore#readSnapshot}
     * @param hashSeed as there
     * @throws IOException if the stream fails, or its bytes are not of this configuration
     */
    public static MatchingCore readCore(ChainTerms terms, InputStream stream, long hashSeed) throws IOException {
        return MatchingCore.readSnapshot(MarketConfig.of(terms.executed().terms()), stream, hashSeed);
    }

    public MatchingCore core() {
        return core;
    }

    /** Returns the terms after the last ended block. */
    public ChainTerms terms() {
        return terms;
    }

    /**
     * Begins the next block.
     *
     * @param sequence the last block's plus 1
     * @param blockTimeNs agreed time, ns since the epoch
     * @param output receives the outputs of the block until {@link #endBlock} returns
     */
    public void beginBlock(long sequence, long blockTimeNs, MatchingOutput output) {
        boolean isChanged = terms.next() != terms.executed();
        if (isChanged) {
            core.reconfigure(MarketConfig.of(terms.next().terms()));
        }
        core.beginBlock(sequence, blockTimeNs, output);
        if (isChanged) {
            terms = core.boundConfiguration()
                    .map(digest -> terms.bind(new BoundConfiguration(sequence, digest)))
                    .orElseGet(() -> new ChainTerms(next, next, terms.configurations()));
        }
    }

    /**
     * Executes a batch of the open block.
     *
     * @param index position of the batch in its block, from 0
     * @param bytes hold the signed batch; read only during the call
     * @param offset where it begins
     * @param length of the batch with its signature
     */
    public void onBatch(int index, byte[] bytes, int offset, int length) {
        if (length >= SignedBatch.signedLength(0)
                && view.wrap(bytes, offset, length).isAdministrative()) {
            Membership.Outcome outcome = next.apply(AdministrativeBatch.transaction(view), core.lastSequence());
            next = outcome.membership();
            outcomes.accept(outcome);
        } else {
            buffer.wrap(bytes, offset, length);
            core.onBatch(index, buffer, 0, length);
        }
    }

    /** Ends the block. */
    public void endBlock() {
        core.endBlock();
        if (next != terms.next()) {
            terms = new ChainTerms(terms.next(), next, terms.configurations());
        }
    }
}

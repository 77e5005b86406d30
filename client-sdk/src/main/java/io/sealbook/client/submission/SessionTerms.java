package io.sealbook.client.submission;

import io.sealbook.client.outbox.BrokerOutbox;
import java.util.Optional;

/**
 * In which session a client works, and with what memory.
 *
 * @param range sessions that it may take if it has no memory
 * @param outbox batches of earlier runs; owned by the pipeline. Empty if batches are in memory only
 * @param validityBlocksMax how many blocks a batch may stay valid, by the genesis file
 */
public record SessionTerms(SessionRange range, Optional<BrokerOutbox> outbox, long validityBlocksMax) {}

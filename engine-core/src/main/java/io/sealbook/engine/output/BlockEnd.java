package io.sealbook.engine.output;

import io.sealbook.engine.monitor.ExecutedBlock;
import io.sealbook.vocabulary.result.BrokerDigest;
import java.util.List;
import java.util.Optional;

/**
 * The facts that are complete after a block was executed.
 *
 * @param block its figures
 * @param reports digests over the reports of each broker that has any in it
 * @param afterBlock runs on the journal's thread once the journal and every report up to this block are durable: writes
 *     a snapshot
 */
public record BlockEnd(ExecutedBlock block, List<BrokerDigest> reports, Optional<Runnable> afterBlock) {}

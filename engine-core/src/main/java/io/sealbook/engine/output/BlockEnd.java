package io.sealbook.engine.output;

import io.sealbook.engine.monitor.ExecutedBlock;
import java.util.Optional;

/**
 * The facts that are complete after a block was executed.
 *
 * @param block its figures
 * @param afterBlock runs on the journal's thread once the journal and every report up to this block are durable: writes
 *     a snapshot
 */
public record BlockEnd(ExecutedBlock block, Optional<Runnable> afterBlock) {}

package io.sealbook.engine.output;

import io.sealbook.engine.monitor.ExecutedBlock;
import java.util.List;

/**
 * The facts that are complete after a block was executed.
 *
 * @param block its figures
 * @param afterBlock run on the journal's thread, in order, once the journal and every report up to this block are
 *     durable: open the stores of new brokers, make a snapshot count
 */
public record BlockEnd(ExecutedBlock block, List<Runnable> afterBlock) {}

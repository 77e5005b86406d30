package io.sealbook.engine.reports;

import io.sealbook.vocabulary.result.ReportRun;

/**
 * A run as it was read from a file. The bytes must not be changed.
 *
 * @param header of the run
 * @param bytes the run, see {@link ReportRun}
 * @param isLast whether the block has no later report of the broker
 */
record StoredRun(ReportRun.Header header, byte[] bytes, boolean isLast) {}

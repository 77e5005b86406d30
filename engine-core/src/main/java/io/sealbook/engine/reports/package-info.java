/**
 * Results of each broker, from which its execution reports are made: an append-only store by report sequence, and the
 * streams that read it.
 *
 * <pre>
 *   journal thread ─▶ ReportStores ─▶ ReportStore (one a broker, files of runs)
 *                          │ appended
 *                          ▼
 *   broker ◀── gRPC ◀── ReportFollower (pulls from the store at its own pace)
 * </pre>
 */
package io.sealbook.engine.reports;

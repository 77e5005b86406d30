/**
 * From orders to agreed receipts.
 *
 * <pre>
 *   caller ─▶ BatchAssembler ─▶ SigningPool ─▶ BatchSubmitter ─▶ node ─▶ ReceiptTally (f+1) ─▶ caller's future
 *             caller's thread    its threads     the client loop                           completion thread
 * </pre>
 */
package io.sealbook.client.submission;

/**
 * From engines' report frames to the listener.
 *
 * <pre>
 *   engine 0 ─ reports ─┐
 *   engine 1 ─ digests ─┼▶ ReportMerger (f+1 equal digests a block) ─▶ ReportDispatcher ─▶ listener, checkpointer
 *   engine n ─ digests ─┘    the client loop                             its own thread
 * </pre>
 */
package io.sealbook.client.reports;

/**
 * From engines' report frames to the listener.
 *
 * <pre>
 *   engine 0 ─┐
 *   engine 1 ─┼▶ ReportMerger (f+1 equal bytes per sequence) ─▶ ReportDispatcher ─▶ listener, checkpointer
 *   engine n ─┘    the client loop                                its own thread
 * </pre>
 */
package io.sealbook.client.reports;

/**
 * What a broker's program uses: build and sign orders, submit them to the cluster, follow receipts and execution reports.
 *
 * <pre>
 *   submit ─▶ submission (assemble ─▶ sign ─▶ send, resubmit, prove) ─▶ Receipt agreed by f+1 nodes
 *                 │  connection (one client loop, one link per node) │
 *   listener ◀─ reports (merge f+1 byte-equal reports ─▶ dispatch) ◀─┘
 * </pre>
 *
 * Types here are the interface; the sub-packages hold the machinery and are no interface, except {@code codec}.
 */
package io.sealbook.client;

/**
 * What a broker's program says and hears: orders and receipts, execution reports, refusals, and how connections are
 * doing. {@link io.sealbook.client.broker.BrokerClient} is where it begins.
 *
 * <pre>
 *   broker   BrokerClient, its builder: wires everything below
 *   submit ─▶ submission (assemble ─▶ sign ─▶ send, resubmit, prove) ─▶ Receipt agreed by f+1 nodes
 *                 │  connection (one client loop, one link per node) │
 *   listener ◀─ reports (merge f+1 byte-equal reports ─▶ dispatch) ◀─┘
 * </pre>
 *
 * This package, {@code broker} and {@code codec} are the interface; the others are machinery and may change. This
 * package uses none of them.
 */
package io.sealbook.client;

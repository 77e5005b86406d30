/**
 * Orders, read out of archived blocks: from a broker and a ClOrdID to the block, the batch and the place in it.
 *
 * <pre>
 *   BlockSource ──▶ OrderSearch ──▶ BlockOrders ──▶ ArchivedOrder
 * </pre>
 *
 * The only package here that reads orders. It reads what brokers signed; what an engine made of it is not in the
 * blocks.
 */
package io.sealbook.archive.order;

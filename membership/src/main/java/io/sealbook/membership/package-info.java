/**
 * Who takes part under which terms, as of a block: a function of the genesis file and the administrative transactions
 * in the chain. Nodes, engines and verifiers derive it with this code. No clock, thread or file.
 *
 * <pre>
 *   Genesis ──▶ Membership.of ──▶ apply(transaction of block 17) ──▶ apply(transaction of block 40) ──▶ ...
 * </pre>
 */
package io.sealbook.membership;

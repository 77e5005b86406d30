/**
 * Order flow with its own answers: what a source recorded (LOBSTER, Shanghai) or a seed produced, turned into order
 * entries, and after each of them what the market must look like.
 *
 * <pre>
 *   file or seed --> OrderFlow (commands, expectation) --> broker --> platform --> execution reports --> FlowOracle
 *                         ^ ReferenceBook keeps the loader's own book
 * </pre>
 *
 * Neither the loaders nor the oracle share code with the matching engine: they are its independent judges.
 */
package io.sealbook.perf.flow;

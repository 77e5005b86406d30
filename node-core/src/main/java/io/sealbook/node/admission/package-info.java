/**
 * From received bytes to an admitted batch: the stages that a ring runs, and who hears of their outcome.
 *
 * <pre>
 *   IngressSlot ──▶ DecodeStage (BatchDecoder, OrderRules) ──▶ SignatureStage ──▶ Admission ──▶ AdmittedBatches
 *                                                                                      │
 *                                                                                      └──▶ BatchSource: Verdict
 * </pre>
 */
package io.sealbook.node.admission;

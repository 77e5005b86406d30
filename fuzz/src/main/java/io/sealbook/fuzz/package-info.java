/**
 * The decoders that read bytes from outside, each as a {@link io.sealbook.fuzz.Decoder}: from a broker, a peer, a file
 * or a queue. {@link io.sealbook.fuzz.FuzzRun} lets Jazzer look for bytes that break their promise; the tests replay
 * what it has kept.
 *
 * <pre>
 *   Decoders ◀── WireDecoders, ArchiveDecoders, NodeFileDecoders, EngineFileDecoders, TermsDecoders, ClientDecoders
 *      ▲
 *   Probe ◀── JazzerEntry (one decoder, one process) ◀── FuzzRun ──▶ Corpus ◀── CorpusReplayTest
 * </pre>
 */
package io.sealbook.fuzz;

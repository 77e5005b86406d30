/**
 * Words that every module shares, each defined once: digests and batch ids, the layout of a signed batch, the
 * durability class, the two kinds of exceptions. Nothing here acts, and it depends on the JDK alone.
 *
 * <p>Errors have three kinds. A refusal is a value with a reason, defined where it is given. An
 * {@link io.sealbook.vocabulary.OperatingFailureException} is caught by the shell that owns the resource. A
 * {@link io.sealbook.vocabulary.BrokenInvariantException} stops the process.
 */
package io.sealbook.vocabulary;

/**
 * Engines that a node of experiments runs inside itself, on the thread that commits. A node in production has none: its
 * engine is another process.
 */
package io.sealbook.consensus.execution;

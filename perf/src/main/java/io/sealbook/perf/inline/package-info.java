/**
 * Execution inside consensus, the source paper's baseline: engines that a node of experiments runs inside itself, the
 * experiment that measures them beside separated execution, and the replay that checks what they came to.
 */
package io.sealbook.perf.inline;

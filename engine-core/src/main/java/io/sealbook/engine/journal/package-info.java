/**
 * Every output of the engine in the order emitted, block after block. The report stores hold the same reports by
 * broker; the journal is what the database follows at its own pace, so that it never holds the matching loop.
 */
package io.sealbook.engine.journal;

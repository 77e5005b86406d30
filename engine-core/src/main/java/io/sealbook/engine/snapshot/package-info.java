/** The engine's state at a block, written atomically and checked when read back. */
package io.sealbook.engine.snapshot;

/**
 * A node's settings and the files of its directory: read once at start, checked, never changed afterwards.
 *
 * <p>What all members must agree on (limits of blocks, timers, windows) is in the genesis file; the settings hold only
 * what one operator decides for himself.
 */
package io.sealbook.consensus.config;

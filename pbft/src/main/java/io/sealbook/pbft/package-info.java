/**
 * Agreement as a pure state machine: {@code Replica.step(input, outputs)} decides, the shell acts. No clock, thread, file, socket,
 * random source or logger; equal inputs give equal outputs.
 */
package io.sealbook.pbft;

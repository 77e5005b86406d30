package io.sealbook.pbft.message;

import io.sealbook.pbft.Digest;

/** The sender holds a prepared certificate for the proposal (TOCS 2002, section 4.2). Vouched for by the frame's code alone. */
public record Commit(long view, long sequence, Digest digest, int sender) implements Message {}

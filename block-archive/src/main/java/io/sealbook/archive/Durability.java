package io.sealbook.archive;

/** What an appended block survives once the call that promises it has returned. */
public enum Durability {
    /** A killed process: the bytes are with the operating system when {@code append} returns. The open segment, and one that is just being closed, are lost with the power. */
    PROCESS,
    /** A loss of power: the bytes are on the disk when {@code sync} returns. */
    DISK
}

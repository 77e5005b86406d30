package io.sealbook.vocabulary;

/** What acknowledged bytes survive. A member chooses it for its node and its engine; figures always name it. */
public enum Durability {
    /** A killed process: the bytes are with the operating system. A loss of power takes the last of them. */
    PROCESS,
    /** A loss of power: the bytes are on the disk. */
    DISK;

    /** Returns whether bytes are forced to the disk before they count. */
    public boolean isDisk() {
        return this == DISK;
    }
}

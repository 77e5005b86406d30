package io.sealbook.consensus.config;

/** Whether agreement and the commit of its blocks share a thread. */
public enum ThreadLayout {
    /** Agreement and commit alternate on one thread. */
    ONE,
    /** Agreement goes on while the thread beside it writes blocks. */
    TWO
}

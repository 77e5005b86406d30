package io.sealbook.consensus.config;

/** Whether agreement and the commit of its blocks share a thread. */
public enum ThreadLayout {
    /** Agreement and commit alternate on one thread. */
    ONE,
    /** Agreement continues while another thread writes blocks. */
    TWO
}

package io.sealbook.consensus.config;

/** How the work on a batch is dealt to threads. */
public enum ThreadLayout {
    /** Agreement and commit alternate on one thread. */
    ONE,
    /** Agreement continues while another thread writes blocks. */
    TWO
}

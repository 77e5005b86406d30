package io.sealbook.consensus.config;

/** How the work on a batch is dealt to threads. */
public enum ThreadLayout {
    /** Agreement and commit alternate on one thread. */
    ONE,
    /** Agreement continues while another thread writes blocks. */
    TWO,
    /** One event loop does all from the connection to the receipt: it reads, verifies, agrees, commits and answers. */
    LOOP
}

package io.sealbook.perf.experiment;

/** How a primary is lost. */
enum PrimaryFault {
    /** Its process ends, and the system closes its connections. */
    KILL("SIGKILL", "gets a SIGKILL and is started again when the others have gone on"),
    /** Its process stands still, as if its machine were gone: its connections last, and nothing comes over them. */
    STOP("SIGSTOP", "gets a SIGSTOP, and is killed and started again when the others have gone on");

    /** Name of the signal. */
    final String signal;
    /** What happens to the process, in a sentence. */
    final String course;

    PrimaryFault(String signal, String course) {
        this.signal = signal;
        this.course = course;
    }
}

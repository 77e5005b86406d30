package io.sealbook.simulator.mutation;

import java.lang.instrument.Instrumentation;

/** Takes from the virtual machine what redefines classes; started by it before {@link HuntWorker}. */
public final class HuntAgent {
    private static Instrumentation instrumentation;

    private HuntAgent() {}

    /**
     * Is called by the virtual machine before the worker begins.
     *
     * @param arguments not used
     * @param given redefines classes
     */
    public static void premain(String arguments, Instrumentation given) {
        instrumentation = given;
    }

    static Instrumentation instrumentation() {
        return instrumentation;
    }
}

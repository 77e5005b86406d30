package io.sealbook.fuzz;

/** What Jazzer calls. One decoder per process. */
public final class JazzerEntry {
    private static Decoder decoder;

    private JazzerEntry() {}

    /**
     * Chooses the decoder.
     *
     * @param arguments its name
     */
    public static void fuzzerInitialize(String[] arguments) {
        decoder = Decoders.named(arguments[0]);
    }

    /** Probes the decoder; what it throws is a finding. */
    public static void fuzzerTestOneInput(byte[] bytes) throws Throwable {
        Probe.probe(decoder, bytes);
    }
}

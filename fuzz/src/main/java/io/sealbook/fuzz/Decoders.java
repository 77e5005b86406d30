package io.sealbook.fuzz;

import java.util.List;
import java.util.stream.Stream;

/** All decoders, in the order in which a run goes through them. */
public final class Decoders {
    private Decoders() {}

    /** Returns every decoder; those that this machine lacks are left out. */
    public static List<Decoder> all() {
        return Stream.of(
                        WireDecoders.all(),
                        ArchiveDecoders.all(),
                        NodeFileDecoders.all(),
                        EngineFileDecoders.all(),
                        TermsDecoders.all(),
                        OperatorFileDecoders.all(),
                        KeyDecoders.all(),
                        ClientDecoders.all())
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Returns one decoder.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public static Decoder named(String name) {
        return all().stream()
                .filter(decoder -> decoder.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no decoder " + name));
    }
}

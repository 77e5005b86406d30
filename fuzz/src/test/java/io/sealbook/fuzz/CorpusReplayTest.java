package io.sealbook.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each decoder keeps its promise for valid bytes, for all inputs that fuzzing has kept, and for some mutations. */
class CorpusReplayTest {
    private static final Path MODULE = Path.of("");
    private static final int MUTATIONS = 200;

    @TestFactory
    Stream<DynamicTest> shouldKeepThePromise() {
        return Decoders.all().stream().map(decoder -> DynamicTest.dynamicTest(decoder.name(), () -> replay(decoder)));
    }

    private static void replay(Decoder decoder) throws Throwable {
        List<byte[]> seeds = decoder.seeds().get();
        assertThat(seeds).isNotEmpty();
        for (byte[] seed : seeds) {
            probe(decoder, seed);
        }
        for (byte[] kept : Corpus.of(MODULE, decoder).read()) {
            probe(decoder, kept);
        }
        SplittableRandom random = new SplittableRandom(decoder.name().hashCode());
        for (int i = 0; i < MUTATIONS; i++) {
            probe(decoder, Mutations.of(seeds.get(random.nextInt(seeds.size())), random));
        }
    }

    private static void probe(Decoder decoder, byte[] bytes) {
        try {
            Probe.probe(decoder, bytes);
        } catch (Throwable e) {
            throw new AssertionError(
                    decoder.name() + " breaks its promise for "
                            + java.util.Base64.getEncoder().encodeToString(bytes),
                    e);
        }
    }

    /** A corpus without a decoder would be replayed by no test. */
    @Test
    void shouldHaveADecoderForEachCorpus() throws IOException {
        List<String> names = Decoders.all().stream().map(Decoder::name).toList();
        try (Stream<Path> files = Files.list(MODULE.resolve("corpus"))) {
            List<String> corpora = files.map(
                            file -> file.getFileName().toString().replace(".txt", ""))
                    .filter(name -> !name.equals("native-signature"))
                    .toList();

            assertThat(names).containsAll(corpora).doesNotHaveDuplicates();
        }
    }
}

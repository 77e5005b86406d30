package io.sealbook.perf.experiment;

import io.sealbook.perf.cluster.NodeShape;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A way to run the platform. */
enum AblationVariant {
    ALL_ON("everything on"),
    IDS_ONLY("payloads go with the proposal", experiment("payload-route=primary")),
    PIPELINING("one proposal in flight", "--pipeline-window", "1"),
    PARALLEL_VERIFY("signatures verified one by one", experiment("verify-batch-max=1")),
    OFFLOAD("agent checks peer messages", experiment("offload=agent")),
    TWO_THREADS("agreement and commit on one thread", experiment("threads=one")) {
        @Override
        Optional<String> withoutEffect(LoadOptions load) {
            return load.mayShareStages()
                    ? Optional.of("has no effect if one event loop does all for a batch: it needs --shape split, or"
                            + " --node-property stage-threads=own")
                    : Optional.empty();
        }
    },
    HAND_OFF("the engine's queue carries blocks", properties("handoff=blocks")) {
        @Override
        Optional<String> withoutEffect(LoadOptions load) {
            return load.shape() == NodeShape.REPLICA
                    ? Optional.of(
                            "has no effect in a replica, which has no queue to its engine: it needs --shape split")
                    : Optional.empty();
        }
    },
    DECODE_ONCE("headers decoded at every stage", experiment("decoding=every-stage")),
    ACCELERATOR("Bouncy Castle verifies", properties("verifier=bc")),
    /** The one that is switched on: what it costs. */
    SECURITY("TLS and roles at every port", "--tls");

    final String label;
    final List<String> testnetOptions;

    AblationVariant(String label, String... testnetOptions) {
        this.label = label;
        this.testnetOptions = List.of(testnetOptions);
    }

    /** Returns why it would run as {@link #ALL_ON} does with these options, after its name; empty if it would not. */
    Optional<String> withoutEffect(LoadOptions load) {
        return Optional.empty();
    }

    /** Nodes have settings of experiments only if they are declared a laboratory. */
    private static String[] experiment(String setting) {
        return properties("laboratory=true", "experiment." + setting);
    }

    /** Returns the options that give settings to every node. */
    private static String[] properties(String... settings) {
        return Stream.of(settings)
                .flatMap(setting -> Stream.of("--node-property", setting))
                .toArray(String[]::new);
    }
}

package io.sealbook.perf.experiment;

import io.sealbook.perf.cluster.ClusterPlan.Recording;
import io.sealbook.perf.cluster.LocalCluster;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Lets the virtual machines of later clusters of this build begin with what those of one cluster have learnt under
 * load: which classes they need, and which of their methods are hot and how they branch. Until a fresh virtual machine
 * knows that, it runs code that counts instead of code that is fast, and eight of them on a few cores take minutes.
 */
@Command(
        name = "train",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = {
            "Puts a cluster under load; later clusters of this build start with what it learned (Java 25 or later).",
            "Give it the load of the experiment that follows."
        })
public final class TrainCommand implements Callable<Integer> {
    @Option(names = "--orders", defaultValue = "30", description = "Orders in a batch.")
    private int ordersPerBatch;

    @Mixin
    private LoadOptions load;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        load.refuse("has no effect on train: nothing is measured", List.of("--rate-min"));
        load.rate.minPercent = 0;
        LocalCluster.checkTraining();
        LoadedCluster cluster = LoadedCluster.start(load, Recording.TRAINING, List.of());
        try (cluster) {
            out.println("Training under " + ordersPerBatch + " orders per batch for "
                    + (load.warmUpSeconds + load.seconds) + " s");
            cluster.warmUp(ordersPerBatch, load.warmUpSeconds);
            cluster.measure(ordersPerBatch, load.seconds);
        }
        cluster.keepTraining();
        out.println("Clusters of this build start trained from now on");
        return 0;
    }
}

package io.sealbook.perf.storage;

import io.sealbook.perf.bench.archive.BenchBlocks;
import io.sealbook.perf.bench.archive.BenchDirectory;
import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.cluster.PageCache;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultFile;
import io.sealbook.perf.results.ResultRow;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What do sequential files give over a key-value store? The same blocks go into the block archive, LevelDB and RocksDB;
 * reads at growing lengths of the chain show whether a read costs more with them.
 *
 * <p>Refuted if the archive appends no faster than both, or if its reads grow with the chain. It fails if a store
 * returns a block that is not the one that was written.
 */
@Command(
        name = "storage",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures the block archive beside LevelDB and RocksDB: appends, and reads by number.")
public final class StorageCommand implements Callable<Integer> {
    private static final double NS_PER_US = 1_000;

    @Option(
            names = "--stores",
            split = ",",
            defaultValue = "archive,leveldb,rocksdb",
            description = "Stores to measure: ${COMPLETION-CANDIDATES}.")
    private List<StoreKind> stores;

    @Option(
            names = "--lengths",
            split = ",",
            defaultValue = "1000,10000,100000",
            description = "Numbers of blocks at which reads are measured, ascending.")
    private List<Long> lengths;

    @Option(
            names = "--sync",
            arity = "1",
            split = ",",
            defaultValue = "false,true",
            description = "Whether each block is forced to the disk; a run for each.")
    private List<Boolean> syncs;

    @Option(names = "--batches", defaultValue = "10", description = "Batches in a block.")
    private int batches;

    @Option(names = "--batch-bytes", defaultValue = "597", description = "Bytes of a batch; ten orders take 597.")
    private int batchBytes;

    @Option(names = "--reads", defaultValue = "10000", description = "Reads at each length, at random places.")
    private int reads;

    @Option(
            names = "--seconds",
            defaultValue = "60",
            description = "Appending ends after this time, at each length, if it takes longer.")
    private long seconds;

    @Option(
            names = "--series",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "Append for as long as --seconds says, with reads after each interval of this length, instead"
                    + " of up to the --lengths; 0: not.")
    private int seriesSeconds;

    @Option(
            names = "--rate",
            paramLabel = "BLOCKS",
            defaultValue = "0",
            description = "With --series: append this number of blocks per second, at most; rates count the time of"
                    + " appending alone. 0: as fast as a store takes them, which fills a disk within minutes.")
    private long rate;

    @Option(
            names = "--warm-up",
            defaultValue = "20000",
            description = "Blocks that go into each store first and do not count: they warm the virtual machine up.")
    private long warmUpBlocks;

    @Option(
            names = "--cold",
            description = "Also read with an empty page cache; needs the right to write /proc/sys/vm/drop_caches.")
    private boolean isCold;

    @Option(names = "--dir", description = "Directory of the files (default: a temporary one); removed at the end.")
    private Path directory;

    @Mixin
    private ResultFile resultFile;

    @Spec
    private CommandSpec spec;

    private final PrintStream out = System.out;
    private final List<ResultRow> rows = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Path root = directory == null ? BenchDirectory.create() : Files.createDirectories(directory);
        out.printf(
                Locale.ROOT,
                "Blocks of %d batches of %d bytes; %d reads at each length.%n%n",
                batches,
                batchBytes,
                reads);
        out.printf(
                Locale.ROOT,
                "%-8s %-6s %10s %12s %10s %12s %12s%n",
                "store",
                "sync",
                "blocks",
                "appends/s",
                "MiB/s",
                "read p50 us",
                "read p99 us");
        try {
            for (StoreKind kind : stores) {
                warmUp(kind, root.resolve("warm-up"));
            }
            for (boolean isSync : syncs) {
                for (StoreKind kind : stores) {
                    measure(kind, isSync, root.resolve(kind.name().toLowerCase(Locale.ROOT) + "-" + isSync));
                }
            }
        } finally {
            if (directory == null) {
                BenchDirectory.delete(root);
            }
        }
        if (resultFile.isWanted()) {
            resultFile.write("The block archive beside key-value stores", Home.find(), notes(), rows);
        }
        return 0;
    }

    private void check() {
        if (!lengths.equals(lengths.stream().sorted().distinct().toList()) || lengths.getFirst() < 1) {
            throw new ParameterException(spec.commandLine(), "--lengths must be positive and ascend: " + lengths);
        }
        if (batches < 1
                || batchBytes < 1
                || reads < 1
                || seconds < 1
                || warmUpBlocks < 0
                || seriesSeconds < 0
                || rate < 0
                || seriesSeconds > seconds) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--batches, --batch-bytes, --reads and --seconds must be positive, --series at most --seconds");
        }
        if (isCold && !PageCache.canBeDropped()) {
            throw new ParameterException(
                    spec.commandLine(), "--cold: this process may not write " + PageCache.DROP_CACHES);
        }
        if (directory != null && Files.exists(directory) && !isEmpty(directory)) {
            throw new ParameterException(spec.commandLine(), "--dir: " + directory + " is not empty");
        }
    }

    private static boolean isEmpty(Path directory) {
        try (var files = Files.list(directory)) {
            return files.findAny().isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    private void warmUp(StoreKind kind, Path files) throws IOException {
        if (warmUpBlocks > 0) {
            Files.createDirectories(files);
            try (BlockStore store = kind.open(files, false)) {
                StorageRun run = new StorageRun(store, new BenchBlocks(batches, batchBytes));
                run.append(warmUpBlocks, TimeUnit.SECONDS.toNanos(seconds));
                run.read(reads);
            }
            BenchDirectory.delete(files);
        }
    }

    private void measure(StoreKind kind, boolean isSync, Path files) throws IOException, InterruptedException {
        Files.createDirectories(files);
        try (BlockStore store = kind.open(files, isSync)) {
            StorageRun run = new StorageRun(store, new BenchBlocks(batches, batchBytes));
            if (seriesSeconds > 0) {
                measureOverTime(kind, isSync, run);
            } else {
                measureAtLengths(kind, isSync, run);
            }
        }
        BenchDirectory.delete(files);
    }

    private void measureAtLengths(StoreKind kind, boolean isSync, StorageRun run) throws IOException {
        for (long length : lengths) {
            run.append(length, (lengths.indexOf(length) + 1) * TimeUnit.SECONDS.toNanos(seconds));
            report(kind, isSync, "", run);
            if (isCold) {
                PageCache.drop();
                report(kind, isSync, ", cold", run);
            }
            if (run.count() < length) {
                break;
            }
        }
    }

    /** The rate of each line is that of its interval: a store that slows down as it grows shows it. */
    private void measureOverTime(StoreKind kind, boolean isSync, StorageRun run)
            throws IOException, InterruptedException {
        for (long end = seriesSeconds; end <= seconds; end += seriesSeconds) {
            run.beginInterval();
            run.appendFor(TimeUnit.SECONDS.toNanos(seriesSeconds), rate);
            report(kind, isSync, ", until " + end + " s", run);
        }
    }

    private void report(StoreKind kind, boolean isSync, String cache, StorageRun run) throws IOException {
        StorageRun.Reads took = run.read(reads);
        String name = kind.name().toLowerCase(Locale.ROOT);
        out.printf(
                Locale.ROOT,
                "%-8s %-6s %,10d %,12.0f %10.1f %12.1f %12.1f%s%n",
                name,
                isSync,
                run.count(),
                run.appendedPerSecond(),
                run.mebibytesPerSecond(),
                took.p50Ns() / NS_PER_US,
                took.p99Ns() / NS_PER_US,
                cache);
        rows.add(ResultRow.of(name + (isSync ? ", sync" : "") + cache)
                .with(Figure.BLOCKS, run.count())
                .with(Figure.BLOCKS_PER_SECOND, run.appendedPerSecond())
                .with(Figure.SLOWEST_SECOND_BLOCKS, slowest(run))
                .with(Figure.MEBIBYTES_PER_SECOND, run.mebibytesPerSecond())
                .with(Figure.READ_P50_MICROS, took.p50Ns() / NS_PER_US)
                .with(Figure.READ_P99_MICROS, took.p99Ns() / NS_PER_US));
    }

    /** Returns the rate of the slowest second, or of the whole run if it took less than one. */
    private static double slowest(StorageRun run) {
        return run.blocksPerSecond().stream().min(Comparator.naturalOrder()).orElse(run.appendedPerSecond());
    }

    private List<String> notes() {
        return List.of(
                "One thread. Blocks of " + batches + " batches of " + batchBytes
                        + " random bytes, made before the clock" + " runs; " + reads
                        + " reads at random places, each compared with what was written.",
                "Key-value stores have their default options and the block's number as the key. The archive also checks"
                        + " each block's links and Merkle root, and has a checksum per block.");
    }
}

package io.sealbook.perf.siege.hole;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.sealbook.perf.broker.LoadMarket;
import io.sealbook.perf.cluster.ClusterPlan;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.simulator.mutation.Mutant;
import io.sealbook.simulator.mutation.MutantCompiler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * Plants holes, and lets a siege look for them. The siege is a process whose environment has the agent: all that it
 * starts, nodes, engines and tools, has the hole. One thread.
 */
final class HoleHunt implements AutoCloseable {
    /** Read by every virtual machine, and inherited by those that it starts. */
    private static final String OPTIONS = "JAVA_TOOL_OPTIONS";

    private static final LoadMarket MARKET = new LoadMarket(1, 1, 1);

    private static final String LIBRARIES = "BOOT-INF/lib/";

    private final Path home;
    private final Path work;
    private final Path agent;
    private final MutantCompiler compiler;

    /**
     * Prepares compiler and agent.
     *
     * @param home root of the source tree, with the built jars below it
     * @param work an empty directory; no part of its path has a space
     */
    HoleHunt(Path home, Path work) throws IOException {
        if (work.toAbsolutePath().toString().contains(" ")) {
            throw new IOException(work.toAbsolutePath() + " has a space, which " + OPTIONS + " cannot name");
        }
        this.home = home;
        this.work = work.toAbsolutePath();
        this.agent = writeAgent(this.work.resolve("agent.jar"));
        this.compiler = new MutantCompiler(classPath());
    }

    /**
     * Has the archives of classes made that clusters start from: with the agent no virtual machine writes one.
     *
     * @throws IOException if a jar is not built, or the directory cannot be written
     */
    void makeArchives() throws IOException, InterruptedException {
        ClusterPlan plan = ClusterPlan.of(
                home,
                work.resolve("unplanted"),
                LocalCluster.freeBasePort(ClusterPlan.NODES_MIN),
                ClusterPlan.NODES_MIN,
                List.of("sm2"),
                MARKET.instruments());
        LocalCluster.prepare(plan).close();
    }

    private static Path writeAgent(Path jar) throws IOException {
        String entry = HoleAgent.class.getName().replace('.', '/') + ".class";
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", HoleAgent.class.getName());
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream bytes = HoleAgent.class.getResourceAsStream("/" + entry)) {
            out.putNextEntry(new JarEntry(entry));
            bytes.transferTo(out);
        }
        return jar;
    }

    /** All classes of the product: those of a node in its jar, those of an engine in jars inside of its own. */
    private List<Path> classPath() throws IOException {
        List<Path> classPath = new ArrayList<>();
        Path unpacked = Files.createDirectories(work.resolve("engine"));
        classPath.add(unpacked.resolve("BOOT-INF/classes"));
        try (JarFile engine =
                new JarFile(LocalCluster.jar(home, "matching-engine").toFile())) {
            for (JarEntry entry :
                    engine.stream().filter(each -> !each.isDirectory()).toList()) {
                if (entry.getName().startsWith("BOOT-INF/")) {
                    Path file = unpacked.resolve(entry.getName());
                    Files.createDirectories(file.getParent());
                    try (InputStream in = engine.getInputStream(entry)) {
                        Files.copy(in, file);
                    }
                    if (entry.getName().startsWith(LIBRARIES)) {
                        classPath.add(file);
                    }
                }
            }
        }
        classPath.add(LocalCluster.jar(home, "consensus-node"));
        classPath.add(LocalCluster.jar(home, "block-archive"));
        return classPath;
    }

    /**
     * Divides holes into groups that can be planted together: no two are in one file, and no attack looks for two.
     *
     * @param holes in the order of the catalogue
     */
    static List<List<Mutant>> groups(List<Mutant> holes) {
        List<List<Mutant>> groups = new ArrayList<>();
        for (Mutant hole : holes) {
            groups.stream()
                    .filter(group -> group.stream().noneMatch(other -> excludes(hole, other)))
                    .findFirst()
                    .ifPresentOrElse(group -> group.add(hole), () -> groups.add(new ArrayList<>(List.of(hole))));
        }
        return groups;
    }

    private static boolean excludes(Mutant hole, Mutant other) {
        return hole.file().equals(other.file()) || !Collections.disjoint(hole.tests(), other.tests());
    }

    /**
     * Plants a group of holes, and makes the attacks that should find them.
     *
     * @param group one hole, or several that {@link #groups} has put together
     * @return a verdict for each hole
     * @throws io.sealbook.simulator.mutation.StaleMutantException if a hole does not fit the source, or does not
     *     compile
     * @throws IOException if the siege could not be made
     */
    List<HoleVerdict> find(List<Mutant> group) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(work.resolve(group.getFirst().name()));
        Path classes = directory.resolve("classes");
        List<String> attacks = new ArrayList<>();
        for (Mutant hole : group) {
            compiler.compile(hole, hole.applyTo(home), classes);
            attacks.addAll(hole.tests());
        }
        Path findings = directory.resolve("findings.json");
        Path log = directory.resolve("siege.log");
        ProcessBuilder siege = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        LocalCluster.jar(home, "perf").toString(),
                        "siege",
                        "--home=" + home,
                        "--dir=" + directory.resolve("siege"),
                        "--attacks=" + String.join(",", attacks),
                        "--json=" + findings)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        siege.environment().put(OPTIONS, "-javaagent:" + agent + "=" + classes);
        Process process = siege.start();
        Thread shutdownHook = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(shutdownHook);
        try {
            int exitCode = process.waitFor();
            if (!Files.exists(findings)) {
                throw new IOException("with " + group.getFirst().name() + " the siege ended with exit code " + exitCode
                        + "; see " + log);
            }
        } finally {
            end(process, shutdownHook);
        }
        JsonArray lines = JsonParser.parseString(Files.readString(findings)).getAsJsonArray();
        return group.stream().map(hole -> verdict(hole, lines)).toList();
    }

    private static void end(Process process, Thread shutdownHook) {
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException e) {
            // This virtual machine is going down, and the hook does the same.
        }
        process.destroy();
    }

    private static HoleVerdict verdict(Mutant hole, JsonArray lines) {
        List<String> finders = new ArrayList<>();
        String fact = "";
        for (JsonElement each : lines) {
            JsonObject line = each.getAsJsonObject();
            String attack = line.get("attack").getAsString();
            if (hole.tests().contains(attack) && !line.get("isHeld").getAsBoolean()) {
                fact = finders.isEmpty() ? line.get("fact").getAsString() : fact;
                finders.add(attack);
            }
        }
        return new HoleVerdict(hole.name(), hole.tests(), List.copyOf(finders), fact);
    }

    @Override
    public void close() throws IOException {
        compiler.close();
    }
}

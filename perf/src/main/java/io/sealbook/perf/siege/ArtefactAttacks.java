package io.sealbook.perf.siege;

import io.sealbook.perf.cluster.LocalCluster;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Archives, proofs and genesis files that were altered, judged by the auditor's tool as a process. */
final class ArtefactAttacks {
    private static final String CERTIFICATES = "certificates.log";
    /** Blocks that a running node may have before it certifies them: the default log window. */
    private static final String UNCERTIFIED = "--allow-uncertified-tail=128";

    private static final int DONE = 0;
    private static final int WRONG = 1;
    private static final int UNREADABLE = 3;
    private static final int PROOFS = 12;
    private static final int CHECKSUM_LENGTH = 4;

    private ArtefactAttacks() {}

    /** Alters a copy. */
    private interface Forgery {
        void alter(Path copy) throws IOException;
    }

    static List<Attack> all() {
        return List.of(
                new Attack(
                        "archives",
                        "archives cut, altered, without or with foreign certificates; found: verify ends with 0",
                        ArtefactAttacks::archives),
                new Attack(
                        "proofs",
                        "a proof with a forged part and the right checksum, a foreign genesis file; found: verify-proof"
                                + " ends with 0",
                        ArtefactAttacks::proofs));
    }

    private static AttackResult archives(Besieged besieged) throws Exception {
        Path copy = copy(besieged, "archives");
        String genesis = besieged.cluster().directory().resolve("genesis.json").toString();
        List<String> faults = new ArrayList<>();
        int honest = verify(besieged, copy, genesis);
        if (honest != DONE) {
            faults.add("the archive itself: exit code " + honest);
        }
        List<String> names = new ArrayList<>();
        List<Integer> codes = new ArrayList<>();
        judge(besieged, "cut in half", genesis, names, codes, archive -> cut(segment(archive), 2));
        judge(besieged, "with another byte", genesis, names, codes, archive -> flip(segment(archive), 0.4));
        judge(besieged, "in another order", genesis, names, codes, archive -> swap(segment(archive)));
        judge(
                besieged,
                "without certificates",
                genesis,
                names,
                codes,
                archive -> Files.delete(archive.resolve(CERTIFICATES)));
        judge(
                besieged,
                "with another certificate",
                genesis,
                names,
                codes,
                archive -> flip(archive.resolve(CERTIFICATES), 0.5));
        judge(
                besieged,
                "whose certificates somebody else signed",
                genesis,
                names,
                codes,
                archive -> ForgedArtefacts.forgeCertificates(archive, CERTIFICATES));
        for (Map.Entry<String, Path> foreign : foreignGenesisFiles(besieged).entrySet()) {
            String file = foreign.getValue().toString();
            judge(besieged, "of a genesis file " + foreign.getKey(), file, names, codes, archive -> {});
        }
        for (int i = 0; i < names.size(); i++) {
            if (codes.get(i) != WRONG && codes.get(i) != UNREADABLE) {
                faults.add("an archive " + names.get(i) + ": exit code " + codes.get(i));
            }
        }
        return AttackResult.of(names.size(), "altered archives are named as such", faults);
    }

    private static void judge(
            Besieged besieged, String name, String genesis, List<String> names, List<Integer> codes, Forgery forgery)
            throws IOException, InterruptedException {
        Path copy = copy(besieged, "forged-" + names.size());
        forgery.alter(copy);
        names.add(name);
        codes.add(verify(besieged, copy, genesis));
    }

    /** Copies the archive of node 0 while it runs: certificates first, so that none is of a block after the end. */
    private static Path copy(Besieged besieged, String name) throws IOException {
        Path archive = besieged.cluster().directory().resolve("node0/archive");
        Path copy = besieged.scratch(name);
        try (Stream<Path> files = Files.list(archive)) {
            List<Path> ordered = files.filter(file -> !file.toString().endsWith(".lock"))
                    .sorted(Comparator.comparing(
                            file -> !file.getFileName().toString().equals(CERTIFICATES)))
                    .toList();
            for (Path file : ordered) {
                Files.copy(file, copy.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return copy;
    }

    private static Path segment(Path archive) throws IOException {
        try (Stream<Path> files = Files.list(archive)) {
            return files.filter(file -> file.toString().endsWith(".blocks"))
                    .min(Comparator.naturalOrder())
                    .orElseThrow(() -> new IOException(archive + " has no segment"));
        }
    }

    private static void cut(Path file, int share) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() / share);
        }
    }

    private static void flip(Path file, double at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) (bytes.length * at)] ^= 1;
        Files.write(file, bytes);
    }

    /** Exchanges two parts of the file. */
    private static void swap(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int part = bytes.length / 4;
        byte[] first = Arrays.copyOfRange(bytes, part, 2 * part);
        System.arraycopy(bytes, 2 * part, bytes, part, part);
        System.arraycopy(first, 0, bytes, 2 * part, part);
        Files.write(file, bytes);
    }

    /** Returns genesis files with the same members: one of another chain, and one that names an auditor otherwise. */
    private static Map<String, Path> foreignGenesisFiles(Besieged besieged) throws IOException {
        String genesis = Files.readString(besieged.cluster().directory().resolve("genesis.json"));
        String chain =
                Long.toUnsignedString(besieged.cluster().genesis().genesis().getChainId());
        Path directory = besieged.scratch("genesis");
        return Map.of(
                "of another chain",
                Files.writeString(directory.resolve("other-chain.json"), genesis.replace(chain, "4711")),
                "with another name",
                Files.writeString(directory.resolve("other-name.json"), genesis.replace("auditor1", "auditor9")));
    }

    private static AttackResult proofs(Besieged besieged) throws Exception {
        String genesis = besieged.cluster().directory().resolve("genesis.json").toString();
        Path proof = besieged.scratch("proof").resolve("batch.proof");
        List<String> faults = new ArrayList<>();
        Await.fact("a proof of block 2", () -> {
            String archive = copy(besieged, "proven").toString();
            return tool(besieged, "prove", archive, "--block=2", "--index=0", "--out=" + proof) == DONE;
        });
        int honest = tool(besieged, "verify-proof", proof.toString(), "--genesis", genesis);
        if (honest != DONE) {
            return AttackResult.found("verify-proof ended with " + honest);
        }
        Map<String, Path> foreignFiles = foreignGenesisFiles(besieged);
        for (Map.Entry<String, Path> foreign : foreignFiles.entrySet()) {
            String file = foreign.getValue().toString();
            if (tool(besieged, "verify-proof", proof.toString(), "--genesis", file) == DONE) {
                faults.add("a genesis file " + foreign.getKey() + " convinces");
            }
        }
        byte[] genuine = Files.readAllBytes(proof);
        Map<String, byte[]> forgeries = new LinkedHashMap<>(ForgedArtefacts.proofs(genuine));
        for (int i = 0; i < PROOFS; i++) {
            int at = (genuine.length - CHECKSUM_LENGTH - 1) * i / (PROOFS - 1);
            forgeries.put("with another byte at " + at, ForgedArtefacts.withOtherByte(genuine, at));
        }
        Path forged = besieged.scratch("proof").resolve("forged.proof");
        for (Map.Entry<String, byte[]> forgery : forgeries.entrySet()) {
            Files.write(forged, forgery.getValue());
            int code = tool(besieged, "verify-proof", forged.toString(), "--genesis", genesis);
            if (code != WRONG && code != UNREADABLE) {
                faults.add("a proof " + forgery.getKey() + ": exit code " + code);
            }
        }
        return AttackResult.of(forgeries.size() + foreignFiles.size(), "forged proofs are refused", faults);
    }

    private static int verify(Besieged besieged, Path archive, String genesis)
            throws IOException, InterruptedException {
        return tool(besieged, "verify", archive.toString(), "--genesis", genesis, UNCERTIFIED, "--durability=process");
    }

    private static int tool(Besieged besieged, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-jar",
                LocalCluster.jar(besieged.home(), "block-archive").toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        besieged.scratch("tool").resolve("tool.log").toFile()))
                .start()
                .waitFor();
    }
}

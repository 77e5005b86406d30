package io.sealbook.perf.proxy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Moves members to loopback addresses of their own, so that the proxy can listen where the genesis file names them. */
public final class ProxiedMembers {
    private static final List<String> NODE_KEYS = List.of("bind-address");
    private static final List<String> ENGINE_KEYS = List.of("server.address", "sealbook.engine.grpc-address");

    private ProxiedMembers() {}

    /**
     * Rewrites the settings of nodes and engines.
     *
     * @param cluster directory of the cluster
     * @param nodes members
     */
    public static void move(Path cluster, int nodes) throws IOException {
        for (int i = 0; i < nodes; i++) {
            Path directory = cluster.resolve("node" + i);
            String host = MemberProxy.memberHost(i);
            rewrite(directory.resolve("node.properties"), NODE_KEYS, host);
            rewrite(directory.resolve("engine.properties"), ENGINE_KEYS, host);
        }
    }

    private static void rewrite(Path file, List<String> keys, String host) throws IOException {
        List<String> lines = Files.readAllLines(file);
        for (String key : keys) {
            if (lines.stream().noneMatch(line -> line.startsWith(key + "="))) {
                throw new IOException(file + " has no key " + key);
            }
        }
        Files.write(
                file,
                lines.stream()
                        .map(line -> keys.stream().anyMatch(key -> line.startsWith(key + "="))
                                ? line.substring(0, line.indexOf('=') + 1) + host
                                : line)
                        .toList());
    }
}

package io.sealbook.consensus.tool;

import com.google.protobuf.Descriptors.FieldDescriptor;
import io.sealbook.consensus.administration.PublicKeyFile;
import io.sealbook.protocol.v1.AddNode;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.RemoveNode;
import io.sealbook.protocol.v1.ReplaceNode;
import io.sealbook.protocol.v1.SetParameters;
import io.sealbook.tls.endpoint.HostPort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The changes that end an epoch of agreement, as options. */
final class EpochChangeOptions {
    private static final int WITH_HOST = 3;
    private static final int WITH_PORTS = 7;
    private static final int WITH_NAME = 8;
    private static final Pattern COLON_OUTSIDE_BRACKETS = Pattern.compile(":(?![^\\[]*])");

    @Option(
            names = "--replace-node",
            paramLabel = "ID:FILE[:HOST[:VOTE:PAYLOAD:GATEWAY:ENGINE[:NAME]]]",
            description = "Another machine or key in the place of a node: its public key, its host (an IPv6"
                    + " address in brackets) and its ports. A part that"
                    + " is left out, or empty, stays as it is: with --node-dir, host and ports are those that"
                    + " the node has signed last. The exchange pauses for a second or two.")
    private List<String> replaceNode = List.of();

    @Option(
            names = "--add-node",
            paramLabel = "ID:FILE:HOST:VOTE:PAYLOAD:GATEWAY:ENGINE[:NAME]",
            description = "One more node, with the id that follows the last one: its public key, its host (an IPv6"
                    + " address in brackets) and its ports. Its machine is started first."
                    + " The exchange pauses for a second or two.")
    private List<String> addNode = List.of();

    @Option(
            names = "--remove-node",
            paramLabel = "ID",
            description = "The node with the last id leaves. The exchange pauses for a second or two.")
    private List<String> removeNode = List.of();

    @Option(
            names = "--parameter",
            paramLabel = "NAME:VALUE",
            description = "A parameter of agreement, by its name in the genesis file: blockMaxBatches, blockMaxWaitMs,"
                    + " pipelineWindow, checkpointInterval, requestTimeoutMs, viewChangeTimeoutMaxMs,"
                    + " blockTimeDriftMaxMs, or, alone, protocolVersion: the present one plus one. The exchange"
                    + " pauses for a second or two.")
    private List<String> parameter = List.of();

    /**
     * Returns the changes.
     *
     * @param present has the nodes at present
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException if an option has another form
     */
    List<Change> changes(PresentTerms present) throws IOException {
        List<Change> list = new ArrayList<>();
        for (String text : replaceNode) {
            list.add(Change.newBuilder()
                    .setReplaceNode(ReplaceNode.newBuilder().setNode(node(text, present.get())))
                    .build());
        }
        int count = addNode.isEmpty() ? 0 : present.get().getNodesCount();
        for (String text : addNode) {
            list.add(Change.newBuilder()
                    .setAddNode(AddNode.newBuilder().setNode(added(text, count++)))
                    .build());
        }
        for (String text : removeNode) {
            list.add(Change.newBuilder()
                    .setRemoveNode(RemoveNode.newBuilder().setNodeId(ChangeOptions.id(text)))
                    .build());
        }
        if (!parameter.isEmpty()) {
            list.add(Change.newBuilder().setSetParameters(parameters()).build());
        }
        return list;
    }

    /** Returns the parts between colons; an IPv6 address in brackets is one, without them. */
    private static String[] parts(String text) {
        String[] parts = COLON_OUTSIDE_BRACKETS.split(text, -1);
        if (parts.length >= WITH_HOST && parts[2].startsWith("[") && parts[2].endsWith("]")) {
            parts[2] = parts[2].substring(1, parts[2].length() - 1);
        }
        return parts;
    }

    private static Node node(String text, Genesis present) throws IOException {
        String[] parts = parts(text);
        int count = parts.length;
        if (count != 2 && count != WITH_HOST && count != WITH_PORTS && count != WITH_NAME) {
            throw new IllegalArgumentException("--replace-node " + text + ": " + count
                    + " parts between colons, expected 2, " + WITH_HOST + ", " + WITH_PORTS + " or " + WITH_NAME);
        }
        int nodeId = ChangeOptions.id(parts[0]);
        if (Integer.compareUnsigned(nodeId, present.getNodesCount()) >= 0) {
            throw new IllegalArgumentException(
                    "--replace-node " + text + ": there are " + present.getNodesCount() + " nodes, from 0 on");
        }
        return node(present.getNodes(nodeId), parts);
    }

    private static Node added(String text, int nodeId) throws IOException {
        String[] parts = parts(text);
        if (parts.length != WITH_PORTS && parts.length != WITH_NAME) {
            throw new IllegalArgumentException("--add-node " + text + ": " + parts.length
                    + " parts between colons, expected " + WITH_PORTS + " or " + WITH_NAME);
        }
        if (ChangeOptions.id(parts[0]) != nodeId) {
            throw new IllegalArgumentException("--add-node " + text + ": the next node is node " + nodeId);
        }
        if (Arrays.asList(parts).subList(1, WITH_PORTS).contains("")) {
            throw new IllegalArgumentException("--add-node " + text + ": a part is empty");
        }
        return node(Node.newBuilder().setNodeId(nodeId).setName("node" + nodeId).build(), parts);
    }

    /** Returns a node with what the parts after its id name. */
    private static Node node(Node before, String[] parts) throws IOException {
        int count = parts.length;
        Node.Builder node = before.toBuilder().setIdentity(PublicKeyFile.read(Path.of(parts[1])));
        if (count >= WITH_HOST && !parts[2].isEmpty()) {
            if (!HostPort.isHost(parts[2])) {
                throw new IllegalArgumentException("host '" + parts[2] + "' is no " + HostPort.HOST_FORM);
            }
            node.setHost(parts[2]);
        }
        if (count >= WITH_PORTS) {
            node.setVotePort(port(parts[3], node.getVotePort()))
                    .setPayloadPort(port(parts[4], node.getPayloadPort()))
                    .setGatewayPort(port(parts[5], node.getGatewayPort()))
                    .setEnginePort(port(parts[6], node.getEnginePort()));
        }
        if (count >= WITH_NAME && !parts[WITH_NAME - 1].isEmpty()) {
            node.setName(parts[WITH_NAME - 1]);
        }
        return node.build();
    }

    private static int port(String text, int present) {
        int port = text.isEmpty() ? present : ChangeOptions.id(text);
        if (Integer.compareUnsigned(port, 0xffff) > 0) {
            throw new IllegalArgumentException("'" + text + "' is no port");
        }
        return port;
    }

    private SetParameters parameters() {
        SetParameters.Builder parameters = SetParameters.newBuilder();
        for (String text : parameter) {
            String[] parts = ChangeOptions.parts("--parameter", text, 2);
            FieldDescriptor field = SetParameters.getDescriptor().getFields().stream()
                    .filter(one -> one.getJsonName().equals(parts[0]))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("--parameter " + text
                            + ": no parameter of agreement, which are "
                            + SetParameters.getDescriptor().getFields().stream()
                                    .map(FieldDescriptor::getJsonName)
                                    .collect(Collectors.joining(", "))));
            int value = ChangeOptions.id(parts[1]);
            if (value == 0) {
                throw new IllegalArgumentException("--parameter " + text + ": the value is at least 1");
            }
            parameters.setField(field, value);
        }
        return parameters.build();
    }
}

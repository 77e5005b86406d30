package io.sealbook.consensus.survey;

import io.grpc.StatusRuntimeException;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.endpoint.KnownNodesFile;
import io.sealbook.pbft.Quorum;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.Node;
import io.sealbook.tls.endpoint.EndpointBook;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Finds who the members are at present, and where: from a directory, and from those members that answer. Nodes and
 * parameters count as f + 1 of the nodes known before report them alike, addresses as each node has signed them.
 */
public final class PresentCluster {
    /** Each round may find nodes at addresses that the one before brought. */
    private static final int ROUNDS_MAX = 3;

    private PresentCluster() {}

    /** What a gateway said; no membership if the caller may not read it. */
    private record Answer(Optional<MembershipView> view, List<EndpointRecord> records) {}

    /**
     * Returns the genesis file's content with the nodes that a directory knows, at the addresses that it knows.
     *
     * @param files of a node, or any that has the genesis file
     * @param genesis of the chain
     * @throws IOException if a file cannot be read
     */
    public static Genesis known(NodeDirectory files, Genesis genesis) throws IOException {
        return ownOver(
                files,
                genesis,
                KnownNodesFile.present(files.knownNodesFile(), genesis.getChainId(), genesis.getNodesList()));
    }

    /**
     * Returns terms with their nodes at the addresses that a directory knows. A node that has no record there keeps
     * that of the terms.
     *
     * @param files of a node
     * @param terms of the chain, of any epoch
     * @throws IOException if a file cannot be read
     */
    public static Genesis at(NodeDirectory files, Genesis terms) throws IOException {
        return ownOver(
                files, terms, KnownNodesFile.at(files.knownNodesFile(), terms.getChainId(), terms.getNodesList()));
    }

    /** The directory's own node is at the addresses of its settings. */
    private static Genesis ownOver(NodeDirectory files, Genesis terms, List<Node> nodes) throws IOException {
        if (!Files.exists(files.propertiesFile())) {
            return with(terms, nodes);
        }
        NodeConfig config = NodeConfig.read(files);
        return with(
                terms,
                nodes.stream()
                        .map(node -> node.getNodeId() == config.nodeId()
                                ? config.address().over(node)
                                : node)
                        .toList());
    }

    /**
     * Returns the address of the gateway of a directory's own node.
     *
     * @param files of a node
     * @throws IOException if a file cannot be read
     * @throws IllegalArgumentException if neither genesis file nor node have named it yet
     */
    public static String ownGateway(NodeDirectory files) throws IOException {
        int nodeId = NodeConfig.read(files).nodeId();
        return own(nodeId, known(files, files.readGenesis().genesis()))
                .map(MemberGateway::address)
                .orElseThrow(() -> new IllegalArgumentException(
                        "no address of node " + nodeId + " is known here: it has not been in the chain at its starts"));
    }

    /**
     * Returns the address of the gateway that a member's tools ask: its own, or of a node that has not been in the
     * chain at its starts, the first one.
     *
     * @param files of a node
     * @throws IOException if a file cannot be read
     */
    public static String contact(NodeDirectory files) throws IOException {
        Genesis known = known(files, files.readGenesis().genesis());
        return MemberGateway.address(own(NodeConfig.read(files).nodeId(), known).orElseGet(() -> known.getNodes(0)));
    }

    private static Optional<Node> own(int nodeId, Genesis known) {
        return known.getNodesList().stream()
                .filter(node -> node.getNodeId() == nodeId)
                .findFirst();
    }

    /**
     * Returns the present terms, with the nodes at their present addresses; what is known if too few members answer.
     *
     * @param known as {@link #known} returns it
     * @param access what gateways are called with
     * @param timeoutMs longest wait for an answer
     */
    public static Genesis ask(Genesis known, MemberGateway.Access access, long timeoutMs) throws InterruptedException {
        Genesis present = known;
        for (int round = 0; round < ROUNDS_MAX; round++) {
            List<Answer> answers = askAll(present.getNodesList(), access, timeoutMs);
            Genesis before = present;
            Genesis terms = agreed(answers, before);
            EndpointBook book = new EndpointBook(known.getChainId());
            for (Answer answer : answers) {
                answer.records().stream()
                        .limit(terms.getNodesCount())
                        .forEach(record -> book.offer(record, terms.getNodesList()));
            }
            present = with(
                    terms,
                    terms.getNodesList().stream()
                            .map(node -> book.of(node).isPresent() ? book.present(node) : knownAddress(node, before))
                            .toList());
            if (present.getNodesList().equals(before.getNodesList())) {
                break;
            }
        }
        return present;
    }

    /** A record that the directory has may be newer than what the terms name. */
    private static Node knownAddress(Node node, Genesis before) {
        return before.getNodesList().stream()
                .filter(known -> known.getIdentity().equals(node.getIdentity()))
                .findFirst()
                .orElse(node);
    }

    private static Genesis agreed(List<Answer> answers, Genesis known) {
        int needed = Quorum.of(known.getNodesCount()).oneCorrect();
        List<MembershipView> views = answers.stream()
                .flatMap(answer -> answer.view().stream())
                .filter(view -> view.getTerms().getChainId() == known.getChainId())
                .toList();
        return views.stream()
                .filter(view -> views.stream()
                                .filter(other -> other.getTerms().equals(view.getTerms()))
                                .count()
                        >= needed)
                .max((one, other) -> Long.compareUnsigned(one.getNumber(), other.getNumber()))
                .map(MembershipView::getTerms)
                .orElse(known);
    }

    private static List<Answer> askAll(List<Node> nodes, MemberGateway.Access access, long timeoutMs)
            throws InterruptedException {
        List<Callable<Answer>> calls = new ArrayList<>();
        nodes.forEach(node -> calls.add(() -> ask(MemberGateway.address(node), access, timeoutMs)));
        List<Answer> answers = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Answer> answer : callers.invokeAll(calls)) {
                try {
                    answers.add(answer.get());
                } catch (ExecutionException e) {
                    // It does not answer; the survey names that.
                }
            }
        }
        return answers;
    }

    private static Answer ask(String address, MemberGateway.Access access, long timeoutMs) {
        try (MemberGateway gateway = new MemberGateway(address, access, timeoutMs)) {
            return new Answer(membership(gateway), gateway.endpoints());
        }
    }

    private static Optional<MembershipView> membership(MemberGateway gateway) {
        try {
            return Optional.of(gateway.membership());
        } catch (StatusRuntimeException e) {
            return Optional.empty();
        }
    }

    private static Genesis with(Genesis terms, List<Node> nodes) {
        return terms.toBuilder().clearNodes().addAllNodes(nodes).build();
    }
}

package io.sealbook.consensus.endpoint;

import io.sealbook.crypto.Signer;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.KnownNodes;
import io.sealbook.protocol.v1.Node;
import io.sealbook.tls.endpoint.EndpointBook;
import io.sealbook.tls.endpoint.HostPort;
import io.sealbook.tls.endpoint.SignedEndpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The signed addresses of the present nodes, as this node has them, durably; and of the nodes of a later epoch, if a
 * membership proof has shown them: those are where this node must dial to come there. Any thread; what comes from
 * others is limited in rate, because each new record costs the verification of a signature.
 */
public final class NodeEndpoints {
    private static final Logger log = LoggerFactory.getLogger(NodeEndpoints.class);

    /** Signatures of records that are verified per second. */
    static final int VERIFICATIONS_PER_SECOND = 100;

    /** Between two writes of the file for the news of others, of which one member can sign as many as it likes. */
    private static final long SAVE_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Path file;
    private final long chainId;
    private final Supplier<List<Node>> nodes;
    private final LaterNodes later;
    private final LongSupplier clock;
    private final EndpointBook book;
    private Runnable onNews = () -> {};
    private volatile Own own;
    private List<Node> keptNodes = List.of();
    private boolean isUnsaved;
    private long savedNs;
    private long secondBegan;
    private int verifiedInSecond;

    /** This node: where it wants to be reached, and what signs that. */
    private record Own(Node wanted, Signer identity) {}

    /** What became of records of others. */
    public enum Answer {
        /** Each was judged. */
        JUDGED,
        /** They are more than there are nodes; none was looked at. */
        TOO_MANY,
        /** Enough were verified in this second; the rest may come again. */
        BUSY
    }

    /**
     * Reads the file, in which each record is verified again.
     *
     * @param file replaced with each change; may be absent
     * @param chainId of the genesis file
     * @param nodes returns those of the present membership
     * @param later the nodes that the others are by now
     * @throws IOException if the file exists and cannot be read
     */
    public NodeEndpoints(Path file, long chainId, Supplier<List<Node>> nodes, LaterNodes later) throws IOException {
        this(file, chainId, nodes, later, System::nanoTime);
    }

    /** With another clock, in nanoseconds, for tests. */
    NodeEndpoints(Path file, long chainId, Supplier<List<Node>> nodes, LaterNodes later, LongSupplier clock)
            throws IOException {
        this.file = file;
        this.chainId = chainId;
        this.nodes = nodes;
        this.later = later;
        this.clock = clock;
        secondBegan = clock.getAsLong();
        savedNs = secondBegan - SAVE_PAUSE_NS;
        this.book = new EndpointBook(chainId);
        for (EndpointRecord record : KnownNodesFile.read(file).getRecordsList()) {
            book.offer(record, named());
        }
    }

    /** Returns the nodes of which records are taken and kept, each identity once. */
    private List<Node> named() {
        List<Node> named = new ArrayList<>(nodes.get());
        for (Node node : later.nodes()) {
            if (named.stream().noneMatch(other -> other.getIdentity().equals(node.getIdentity()))) {
                named.add(node);
            }
        }
        return named;
    }

    /** Sets what to run after a change; it must not block. */
    public synchronized void onNews(Runnable listener) {
        onNews = listener;
    }

    /**
     * Has this node be reached at its wanted addresses: signs a record, if they are not what is known of it.
     *
     * @param wanted this node of the membership, at the addresses of its settings
     * @param identity signs as this node
     * @throws IOException if the record cannot be kept; no other node has it then
     */
    public synchronized void publish(Node wanted, Signer identity) throws IOException {
        own = new Own(wanted, identity);
        issueIfOthersAreKnown(wanted);
        save();
    }

    /** Keeps what is known; a node that does not take part yet has no record. */
    public synchronized void save() throws IOException {
        List<Node> present = nodes.get();
        KnownNodes known = KnownNodes.newBuilder()
                .addAllNodes(present)
                .addAllRecords(book.records(named()))
                .build();
        if (!known.equals(KnownNodesFile.read(file))) {
            KnownNodesFile.write(file, known);
        }
        keptNodes = present;
        isUnsaved = false;
    }

    /** Keeps news of others that came too soon after those before; to be called now and then, and at the end. */
    public synchronized void saveNews() {
        if (isUnsaved) {
            trySave();
        }
    }

    /** Compares with the membership's addresses if there is no record: the first one is needed only to differ. */
    private void issueIfOthersAreKnown(Node wanted) {
        Node known = nodes.get().stream()
                .filter(node -> node.getIdentity().equals(wanted.getIdentity()))
                .findFirst()
                .map(book::present)
                .orElse(wanted);
        if (isSameAddress(known, wanted)) {
            return;
        }
        if (!HostPort.isHost(wanted.getHost())) {
            // The chain may name such a host: nodes of earlier versions checked none.
            log.error(
                    "host {} of this node is no {}: other nodes and clients are not notified of its addresses; set"
                            + " address.host",
                    wanted.getHost(),
                    HostPort.HOST_FORM);
            return;
        }
        long serial = book.of(wanted).map(SignedEndpoint::serial).orElse(0L) + 1;
        SignedEndpoint record =
                SignedEndpoint.sign(chainId, serial, System.currentTimeMillis(), wanted, own.identity());
        book.offer(record.record(), named());
        log.info(
                "this node is at {} with ports {} for votes, {} for payloads, {} of the gateway, {} of the engine:"
                        + " record {}",
                wanted.getHost(),
                wanted.getVotePort(),
                wanted.getPayloadPort(),
                wanted.getGatewayPort(),
                wanted.getEnginePort(),
                Long.toUnsignedString(serial));
    }

    private static boolean isSameAddress(Node one, Node other) {
        return one.getHost().equals(other.getHost())
                && one.getVotePort() == other.getVotePort()
                && one.getPayloadPort() == other.getPayloadPort()
                && one.getGatewayPort() == other.getGatewayPort()
                && one.getEnginePort() == other.getEnginePort();
    }

    /** Takes those records of others that are genuine and newer. A newer one of this node is answered with the next. */
    public synchronized Answer take(List<EndpointRecord> records) {
        List<Node> present = nodes.get();
        if (records.size() > Math.max(present.size(), later.nodes().size())) {
            return Answer.TOO_MANY;
        }
        boolean isNews = false;
        for (EndpointRecord record : records) {
            if (!book.isNews(record)) {
                continue;
            }
            if (!mayVerify()) {
                return Answer.BUSY;
            }
            isNews |= book.offer(record, named()) == EndpointBook.Outcome.TAKEN;
        }
        if (isNews || !present.equals(keptNodes)) {
            changed();
        }
        return Answer.JUDGED;
    }

    private void changed() {
        if (own != null) {
            issueIfOthersAreKnown(own.wanted());
        }
        isUnsaved = true;
        if (clock.getAsLong() - savedNs >= SAVE_PAUSE_NS) {
            trySave();
        }
        onNews.run();
    }

    private void trySave() {
        savedNs = clock.getAsLong();
        try {
            save();
        } catch (IOException e) {
            log.warn("{} cannot be written, addresses come back from the other nodes after a restart", file, e);
        }
    }

    private boolean mayVerify() {
        long nowNs = clock.getAsLong();
        if (nowNs - secondBegan >= TimeUnit.SECONDS.toNanos(1)) {
            secondBegan = nowNs;
            verifiedInSecond = 0;
        }
        return verifiedInSecond++ < VERIFICATIONS_PER_SECOND;
    }

    /** Returns a node of the membership at its present addresses; this node at those of its settings. */
    public Node present(Node node) {
        Own self = own;
        return self != null && self.wanted().getIdentity().equals(node.getIdentity())
                ? self.wanted()
                : book.present(node);
    }

    /** Returns the nodes that the others are by now. */
    public LaterNodes later() {
        return later;
    }

    /**
     * Returns a node at each address that it may have, the likeliest first: that of its later identity, which may be a
     * stale one if it moved and no record of that is here; that of its present identity; and the genesis file's.
     *
     * @param node of the membership
     * @return at least one; just one unless a later epoch is known
     */
    public List<Node> addresses(Node node) {
        int id = node.getNodeId();
        return Stream.of(
                        id < later.nodes().size()
                                ? Stream.of(present(later.nodes().get(id)))
                                : Stream.<Node>empty(),
                        Stream.of(present(node)),
                        id < later.hints().size() ? Stream.of(later.hints().get(id)) : Stream.<Node>empty())
                .flatMap(each -> each)
                .map(address -> address.toBuilder()
                        .setIdentity(node.getIdentity())
                        .setName(node.getName())
                        .build())
                .distinct()
                .toList();
    }

    /**
     * Returns the records for the gateways of others, which take only those of their own epoch: those of the later
     * nodes, if any are known.
     */
    List<EndpointRecord> news() {
        return book.records(later.nodes().isEmpty() ? nodes.get() : later.nodes());
    }

    /** Returns the present nodes at each address that they may have, for the exchange of records. */
    List<Node> partners() {
        return nodes.get().stream().flatMap(node -> addresses(node).stream()).toList();
    }

    /** Returns the newest records of the present nodes. */
    public List<EndpointRecord> records() {
        return book.records(nodes.get());
    }

    /** Returns the sum of their serial numbers. */
    public long serials() {
        return book.serials(nodes.get());
    }

    /** Returns the present nodes at their present addresses. */
    public List<Node> nodes() {
        return nodes.get().stream().map(this::present).toList();
    }
}

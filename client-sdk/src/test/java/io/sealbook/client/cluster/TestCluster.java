package io.sealbook.client.cluster;

import com.google.protobuf.ByteString;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.Status;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.client.broker.BrokerClientBuilder;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.crypto.SigningKey;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Depth;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.EndpointStatement;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SessionState;
import io.sealbook.tls.endpoint.SignedEndpoint;
import io.sealbook.vocabulary.Digest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * Four nodes that a test scripts, to which it may add others. All public methods may be called from the test's thread.
 */
public final class TestCluster implements AutoCloseable {
    public static final long CHAIN_ID = 0x5EA1_B00CL;
    public static final int NODE_COUNT = 4;
    public static final int BROKER_ID = 1;
    public static final int SESSIONS_PER_KEY = 16;

    final Object lock = new Object();
    final TestHistory history = new TestHistory();
    MembershipView membership;
    final List<Submission> submissions = new ArrayList<>();
    boolean isCommitting = true;
    boolean areReceiptsHeld;
    final AtomicInteger proofsAsked = new AtomicInteger();

    final Map<Integer, EndpointRecord> endpoints = new TreeMap<>();
    private final byte[] genesisJson;
    private final GenesisFile genesis;
    private final ProvenChanges changes;
    private final List<TestNode> nodes = new ArrayList<>();
    private final ServerCredentials credentials;
    private final SigningKey signingKey = SigningKey.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);
    private final Signer signer = signingKey.signer();

    public TestCluster() {
        this(InsecureServerCredentials.create());
    }

    public TestCluster(ServerCredentials credentials) {
        this.credentials = credentials;
        for (int i = 0; i < NODE_COUNT; i++) {
            nodes.add(new TestNode(this, i, credentials));
        }
        genesisJson = makeGenesis();
        genesis = GenesisFile.parse(genesisJson);
        changes = changes(nodes.stream().map(node -> node.identity).toList());
        membership = membershipOf(0, genesis.genesis());
    }

    private static MembershipView membershipOf(long number, Genesis terms) {
        return MembershipView.newBuilder()
                .setNumber(number)
                .setDigest(ByteString.copyFromUtf8("transactions 1.." + number))
                .setTerms(terms)
                .build();
    }

    /** Executes an administrative transaction on all nodes. */
    public void change(UnaryOperator<Genesis.Builder> change) {
        synchronized (lock) {
            Genesis terms = change.apply(membership.getTerms().toBuilder()).build();
            membership = membershipOf(membership.getNumber() + 1, terms);
        }
    }

    /**
     * Makes a node lie.
     *
     * @param nodeId of the node
     * @param number of transactions that it claims
     * @param change that it claims
     */
    public void claimChange(int nodeId, long number, UnaryOperator<Genesis.Builder> change) {
        synchronized (lock) {
            node(nodeId).claimedMembership = membershipOf(
                    number, change.apply(membership.getTerms().toBuilder()).build());
        }
    }

    /** Returns how often a node was asked for its membership. */
    public int membershipsAsked(int nodeId) {
        synchronized (lock) {
            return node(nodeId).membershipsAsked;
        }
    }

    /**
     * Returns a builder for the one broker, which is patient with silent nodes and nothing else. Its home is node 1.
     */
    public BrokerClientBuilder client() {
        return BrokerClient.builder()
                .genesis(genesis())
                .brokerId(BROKER_ID)
                .keyId(1)
                .signer(signer)
                .batchDelay(Duration.ZERO)
                .receiptTimeout(Duration.ofSeconds(60))
                .backoff(Duration.ofMillis(20), Duration.ofMillis(200))
                .connectTimeout(Duration.ofMinutes(2))
                .submitTimeout(Duration.ofMinutes(2))
                .probe(Duration.ofMillis(200), Duration.ofMinutes(1))
                .reportPatience(Duration.ofMillis(100))
                .closeTimeout(Duration.ofSeconds(2));
    }

    public GenesisFile genesis() {
        return genesis;
    }

    /** Moves a node to other ports, and signs that. */
    public void move(int nodeId) {
        node(nodeId).move();
        synchronized (lock) {
            node(nodeId).forgetStreams();
            endpoints.put(nodeId, record(nodeId, endpoints.size() + 1, node(nodeId).identity));
        }
    }

    /** Has another machine with another key take the place of a node, at other ports. */
    public void replace(int nodeId) {
        TestNode node = node(nodeId);
        node.move();
        synchronized (lock) {
            node.forgetStreams();
        }
        replaceInPlace(nodeId);
    }

    /** Has another machine with another key take the place of a node, at the same ports; connections stay. */
    public void replaceInPlace(int nodeId) {
        TestNode node = node(nodeId);
        node.identity = Signers.generate(SignatureScheme.SM2_SM3);
        synchronized (lock) {
            changes.replace(nodeOf(node), node.identity);
        }
        change(terms -> terms.setNodes(nodeId, nodeOf(node)));
    }

    /** Returns the present nodes, as the chain has them. */
    public List<Node> nodes() {
        synchronized (lock) {
            return membership.getTerms().getNodesList();
        }
    }

    /** Returns a chain of this genesis file whose blocks these keys certify, in place of those of its nodes. */
    public ProvenChanges changes(List<Signer> identities) {
        return new ProvenChanges(genesisJson, identities);
    }

    /** Returns the proof of all replacements of nodes so far. */
    public byte[] membershipProof() {
        synchronized (lock) {
            return changes.proof();
        }
    }

    /** Has a node send these bytes as its membership proof. */
    public void claimMembershipProof(int nodeId, byte[] proof) {
        node(nodeId).claimedMembershipProof = proof;
    }

    /** Returns how often a node was asked for its membership proof. */
    public int membershipProofsAsked(int nodeId) {
        return node(nodeId).membershipProofsAsked;
    }

    /** Adds a node to the chain; clients learn of it. */
    public void add() {
        TestNode node = new TestNode(this, nodes.size(), credentials);
        synchronized (lock) {
            nodes.add(node);
        }
        change(terms -> terms.addNodes(nodeOf(node)));
    }

    /** Takes the last node out of the chain; it goes on to speak. */
    public void removeLast() {
        change(terms -> terms.removeNodes(terms.getNodesCount() - 1));
    }

    /**
     * Returns an endpoint record of a node at the ports that it has.
     *
     * @param nodeId of the node
     * @param serial of the record
     * @param identity signs it
     */
    public EndpointRecord record(int nodeId, long serial, Signer identity) {
        Node at = genesis.genesis().getNodes(nodeId).toBuilder()
                .setGatewayPort(node(nodeId).gatewayPort())
                .setEnginePort(node(nodeId).enginePort())
                .build();
        return SignedEndpoint.sign(CHAIN_ID, serial, 1, at, identity).record();
    }

    /**
     * Returns an endpoint record that a node signed, whatever its form.
     *
     * @param nodeId of the node
     * @param serial of the record
     * @param host that it names
     */
    public EndpointRecord recordAt(int nodeId, long serial, String host) {
        ByteString statement = EndpointStatement.newBuilder()
                .setChainId(CHAIN_ID)
                .setIdentity(key(identity(nodeId)))
                .setSerial(serial)
                .setIssuedMs(1)
                .setHost(host)
                .setGatewayPort(1)
                .setEnginePort(1)
                .build()
                .toByteString();
        ByteString signed = ByteString.copyFromUtf8("SBENDPT1")
                .concat(ByteString.copyFrom(
                        Digest.sha256(statement.toByteArray()).bytes()));
        return EndpointRecord.newBuilder()
                .setStatement(statement)
                .setSignature(ByteString.copyFrom(identity(nodeId).sign(signed.toByteArray())))
                .build();
    }

    /** Has a node send these bytes as the proof of any batch. */
    public void proof(int nodeId, byte[] proof) {
        node(nodeId).proof = proof;
    }

    /**
     * Has a node send proofs late.
     *
     * @param nodeId of the node
     * @param delay before each proof
     */
    public void proofAfter(int nodeId, Duration delay) {
        node(nodeId).proofDelay = delay;
    }

    /** Makes the engine of a node report a further state of a book. */
    public void depth(int nodeId, Depth depth) {
        node(nodeId).marketData.report(depth);
    }

    /** The engine of a node has no state of a book any more; it is as if just started. */
    public void forgetDepth(int nodeId) {
        node(nodeId).marketData.forget();
    }

    /** Waits until the engine of a node has so many readers of depth. */
    public void awaitDepthReaders(int nodeId, int count) throws Exception {
        Facts.await(count + " readers of depth", () -> depthReaders(nodeId) == count);
    }

    /** Returns how many streams of depth the engine of a node serves. */
    public int depthReaders(int nodeId) {
        return node(nodeId).marketData.readerCount();
    }

    /** The engine of a node has executed this block, and answers questions. */
    public void reach(int nodeId, long block) {
        node(nodeId).queries.reach(block);
    }

    /**
     * Makes the engine of a node answer questions wrongly.
     *
     * @param nodeId of the node
     * @param difference between its figures and those of others
     */
    public void lie(int nodeId, long difference) {
        node(nodeId).queries.lie(difference);
    }

    /** Makes the engine of a node answer no question. */
    public void fallSilent(int nodeId) {
        node(nodeId).queries.fallSilent();
    }

    /**
     * Makes the engine of a node answer questions late.
     *
     * @param nodeId of the node
     * @param delay before each answer
     */
    public void answerAfter(int nodeId, Duration delay) {
        node(nodeId).queries.answerAfter(delay);
    }

    /** Returns as of which blocks the engine of a node was asked. */
    public List<Long> asked(int nodeId) {
        return node(nodeId).queries.asked();
    }

    /** Waits until the engine of a node was asked so often. */
    public void awaitAsked(int nodeId, int count) throws Exception {
        Facts.await(count + " questions", () -> asked(nodeId).size() >= count);
    }

    /** Waits until nodes have been asked for so many proofs. */
    public void awaitProofsAsked(int count) throws Exception {
        Facts.await(count + " requests for proofs", () -> proofsAsked.get() >= count);
    }

    public Signer identity(int nodeId) {
        return node(nodeId).identity;
    }

    /** Makes a node answer with these records. */
    public void claimEndpoints(int nodeId, EndpointRecord... records) {
        node(nodeId).claimedEndpoints = List.of(records);
    }

    /** Returns how often a node was asked for addresses. */
    public long endpointsAsked(int nodeId) {
        return node(nodeId).endpointsAsked;
    }

    private byte[] makeGenesis() {
        Genesis.Builder genesis = Genesis.newBuilder()
                .setChainId(CHAIN_ID)
                .setParameters(Parameters.newBuilder()
                        .setOrderCountMax(30)
                        .setSessionsPerBroker(GenesisFile.NEW_SESSIONS_PER_BROKER)
                        .setSessionsPerKey(SESSIONS_PER_KEY))
                .addInstruments(Instrument.newBuilder()
                        .setInstrumentId(1)
                        .setSymbol("GOOG")
                        .setPriceDecimals(2)
                        .setPriceMin(1)
                        .setPriceMax(200_000)
                        .setQuantityMax(1_000_000))
                .addBrokers(Broker.newBuilder()
                        .setBrokerId(BROKER_ID)
                        .addAccounts(AccountRange.newBuilder().setFirst(1))
                        .addKeys(BrokerKey.newBuilder().setKeyId(1).setKey(key(signer))));
        for (TestNode node : nodes) {
            genesis.addNodes(nodeOf(node));
        }
        return GenesisFile.toJson(genesis.build()).getBytes(StandardCharsets.UTF_8);
    }

    private static Node nodeOf(TestNode node) {
        return Node.newBuilder()
                .setNodeId(node.nodeId)
                .setHost("127.0.0.1")
                .setGatewayPort(node.gatewayPort())
                .setEnginePort(node.enginePort())
                .setIdentity(key(node.identity))
                .build();
    }

    public SigningKey signingKey() {
        return signingKey;
    }

    public TestNode node(int nodeId) {
        return nodes.get(nodeId);
    }

    /** Whether a block is made as soon as a batch is admitted; true at the start. */
    public void committing(boolean isOn) {
        synchronized (lock) {
            isCommitting = isOn;
            if (isOn) {
                commitLocked();
            }
        }
    }

    /** Whether blocks come after the time to live of every batch; false at the start. */
    public void late(boolean isOn) {
        synchronized (lock) {
            history.areBlocksLate = isOn;
        }
    }

    /** Makes so many blocks, the first of what is pending, the others empty. */
    public void commit(int blockCount) {
        synchronized (lock) {
            for (int i = 0; i < blockCount; i++) {
                commitLocked();
            }
        }
    }

    public void submits(int nodeId, TestNode.Submits value) {
        node(nodeId).submits = value;
    }

    public void refusing(int nodeId, RefusalReason reason) {
        synchronized (lock) {
            node(nodeId).refusal = reason;
            node(nodeId).submits = TestNode.Submits.REFUSING;
        }
    }

    /** Has all nodes refuse batches. */
    public void refusing(RefusalReason reason) {
        for (int nodeId = 0; nodeId < NODE_COUNT; nodeId++) {
            refusing(nodeId, reason);
        }
    }

    /**
     * Has a node change each session when it answers a logon.
     *
     * @param nodeId of the node
     * @param lie what it makes of what is true
     */
    public void logon(int nodeId, UnaryOperator<SessionState.Builder> lie) {
        node(nodeId).logon = lie;
    }

    /** Whether a node answers logons; true at the start. */
    public void loggingOn(int nodeId, boolean isOn) {
        node(nodeId).isLoggingOn = isOn;
    }

    /** Has a node refuse the logon with this status. */
    public void refusingLogons(int nodeId, Status why) {
        node(nodeId).logonFailure = why;
        loggingOn(nodeId, false);
    }

    /** Counts logons anew. */
    public void countLogons() {
        synchronized (lock) {
            nodes.forEach(node -> node.logonsAsked = 0);
        }
    }

    /** Waits until each node has had so many logons. */
    public void awaitLogons(int count) throws Exception {
        Facts.await(count + " logons", () -> {
            synchronized (lock) {
                return nodes.stream().allMatch(node -> node.logonsAsked >= count);
            }
        });
    }

    /** Has the other nodes answer logons after this one. */
    public void logsOnFirst(int nodeId) {
        synchronized (lock) {
            node(nodeId).logonsAsked = 0;
            nodes.stream().filter(other -> other.nodeId != nodeId).forEach(other -> other.logsOnAfter = node(nodeId));
        }
    }

    public void receipts(int nodeId, TestNode.Receipts value) {
        node(nodeId).receipts = value;
    }

    /** Whether all nodes keep receipts back, to send them later; false at the start. */
    public void holdReceipts(boolean isOn) {
        synchronized (lock) {
            areReceiptsHeld = isOn;
            nodes.forEach(TestNode::pump);
        }
    }

    public void reports(int nodeId, TestNode.Reports value) {
        node(nodeId).reports = value;
    }

    /**
     * Has the engine send reports run by run.
     *
     * @param nodeId of the node
     * @param pace between runs
     */
    public void reportsPace(int nodeId, Duration pace) {
        node(nodeId).reportsPace = pace;
    }

    /** The engine keeps no report before this sequence; streams that are open go on. */
    public void reportsFirst(int nodeId, long sequence) {
        node(nodeId).reportsFirst = sequence;
    }

    /** The engine sends no report beyond this sequence. */
    public void reportsMax(int nodeId, long sequence) {
        synchronized (lock) {
            node(nodeId).reportsMax = sequence;
            node(nodeId).pump();
        }
    }

    public void answering(int nodeId, boolean isOn) {
        node(nodeId).isAnswering = isOn;
    }

    public void claimsNode(int nodeId, int claimed) {
        node(nodeId).claimedNodeId = claimed;
    }

    public void claimsBlock(int nodeId, long block) {
        node(nodeId).claimedBlock = block;
    }

    public void state(int nodeId, String state) {
        node(nodeId).state = state;
    }

    public void kill(int nodeId) {
        node(nodeId).kill();
        synchronized (lock) {
            node(nodeId).forgetStreams();
        }
    }

    public void restart(int nodeId) {
        node(nodeId).start();
    }

    /** Returns what gateways have got so far, in order of arrival. */
    public List<Submission> submissions() {
        synchronized (lock) {
            return List.copyOf(submissions);
        }
    }

    /** Returns the ClOrdIDs of all orders in the order of their execution. */
    public List<Long> executed() {
        synchronized (lock) {
            return List.copyOf(history.executedClOrdIds());
        }
    }

    /** Returns how many batches wait for a block. */
    public int pendingCount() {
        synchronized (lock) {
            return history.pendingCount();
        }
    }

    public long lastBlock() {
        synchronized (lock) {
            return history.lastBlock();
        }
    }

    public List<Long> receiptsFrom(int nodeId) {
        synchronized (lock) {
            return List.copyOf(node(nodeId).receiptsFrom);
        }
    }

    public List<Long> reportsFrom(int nodeId) {
        synchronized (lock) {
            return List.copyOf(node(nodeId).reportsFrom);
        }
    }

    /** Returns from which reports on the engine was asked for reports, not for digests. */
    public List<Long> sentReportsFrom(int nodeId) {
        synchronized (lock) {
            return List.copyOf(node(nodeId).sentReportsFrom);
        }
    }

    @Override
    public void close() {
        nodes.forEach(TestNode::close);
    }

    void commitLocked() {
        history.commit();
        nodes.forEach(TestNode::pump);
    }

    public static PublicKey key(Signer signer) {
        return PublicKey.newBuilder()
                .setSchemeValue(signer.scheme().code())
                .setPoint(ByteString.copyFrom(signer.verificationKey().point()))
                .build();
    }
}

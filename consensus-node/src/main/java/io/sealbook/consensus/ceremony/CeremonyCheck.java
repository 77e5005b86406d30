package io.sealbook.consensus.ceremony;

import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.sealbook.crypto.PublicKeyPem;
import io.sealbook.keytool.Finding;
import io.sealbook.membership.ChangeText;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Auditor;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.GenesisContribution;
import io.sealbook.protocol.v1.GenesisSignature;
import io.sealbook.protocol.v1.GenesisSignatures;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.SignedContribution;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Compares a genesis file with the contributions of its members, and checks who signed it: each contribution is signed
 * and stands unaltered in the file, the file has no node, broker or auditor that nobody contributed, and each member
 * signed its digest. Addresses may differ: nodes move. One thread.
 */
public final class CeremonyCheck {
    private static final String CONTRIBUTION = "contribution";
    private static final String SIGNATURE = "signature";
    private static final String ADDRESS = "address";

    private final GenesisFile file;
    private final Genesis written;
    private final GenesisSignatures signatures;
    private final List<Finding> findings = new ArrayList<>();
    private final SortedSet<Integer> signers = new TreeSet<>();

    private CeremonyCheck(GenesisFile file, Genesis written, GenesisSignatures signatures) {
        this.file = file;
        this.written = written;
        this.signatures = signatures;
    }

    /**
     * Checks a genesis file.
     *
     * @param genesis bytes of the file
     * @param signatures that are said to belong to it
     * @throws IllegalArgumentException if the bytes are no genesis file
     */
    public static CeremonyCheck of(byte[] genesis, GenesisSignatures signatures) {
        CeremonyCheck check = new CeremonyCheck(GenesisFile.parse(genesis), withoutDefaults(genesis), signatures);
        check.run();
        return check;
    }

    /** The defaults of a file must not pass for what a member contributed. */
    private static Genesis withoutDefaults(byte[] json) {
        Genesis.Builder genesis = Genesis.newBuilder();
        try {
            JsonFormat.parser().merge(new String(json, StandardCharsets.UTF_8), genesis);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("genesis: " + e.getMessage(), e);
        }
        return genesis.build();
    }

    /** Returns what was found: FAIL for a contradiction, WARN for a missing signature or another address. */
    public List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** Returns what is wrong or missing; another address is neither. */
    public List<Finding> faults() {
        return findings.stream()
                .filter(finding ->
                        finding.level() != Finding.Level.OK && !finding.check().equals(ADDRESS))
                .toList();
    }

    /** Returns the nodes that signed the digest. */
    public SortedSet<Integer> signers() {
        return signers;
    }

    /** Returns the genesis file. */
    public GenesisFile file() {
        return file;
    }

    /** Returns whether nothing contradicts; signatures may be missing. */
    public boolean isConsistent() {
        return findings.stream().noneMatch(finding -> finding.level() == Finding.Level.FAIL);
    }

    /** Returns whether nothing contradicts and every member has signed. */
    public boolean isComplete() {
        return isConsistent() && signers.size() == written.getNodesCount();
    }

    private void run() {
        String digest = file.digest().hex();
        findings.add(
                digest.equals(signatures.getGenesisDigest())
                        ? Finding.ok("digest", digest)
                        : Finding.fail(
                                "digest",
                                "the genesis file has " + digest + ", the signatures are for "
                                        + ChangeText.oneLine(signatures.getGenesisDigest()),
                                "get both files from the same member"));
        checkCount();
        int count = Math.min(written.getNodesCount(), signatures.getContributionsCount());
        for (int i = 0; i < count; i++) {
            checkContribution(i, signatures.getContributions(i));
        }
        checkOrigins();
        checkSignatures();
        for (Node node : written.getNodesList()) {
            if (!signers.contains(node.getNodeId()) && !hasSignature(node.getNodeId())) {
                findings.add(Finding.warn(SIGNATURE, name(node) + " has not signed", "'genesis sign' signs"));
            }
        }
    }

    private void checkCount() {
        int nodes = written.getNodesCount();
        int contributions = signatures.getContributionsCount();
        if (nodes != contributions) {
            findings.add(Finding.fail(
                    CONTRIBUTION,
                    nodes + " nodes and " + contributions + " contributions",
                    "the file was not collected from these contributions"));
        }
    }

    private void checkContribution(int index, SignedContribution signed) {
        Node node = written.getNodes(index);
        String who = name(node);
        List<String> faults = new ArrayList<>();
        String fault = MemberContribution.fault(signed);
        if (!fault.isEmpty()) {
            faults.add(fault);
        }
        GenesisContribution contribution = signed.getContribution();
        if (contribution.getChainId() != written.getChainId()) {
            faults.add("it is for chain " + Long.toUnsignedString(contribution.getChainId()) + ", the file for "
                    + Long.toUnsignedString(written.getChainId()));
        }
        compare(contribution.getNode().toBuilder().setNodeId(index).build(), node, faults);
        contribution.getBrokersList().forEach(broker -> compare(broker, faults));
        contribution.getAuditorsList().forEach(auditor -> compare(auditor, faults));
        if (faults.isEmpty()) {
            findings.add(Finding.ok(
                    CONTRIBUTION,
                    who + " stands in the file as it signed it; its identity key has fingerprint "
                            + PublicKeyPem.fingerprint(MemberSignature.key(node.getIdentity()))));
        }
        faults.forEach(each -> findings.add(
                Finding.fail(CONTRIBUTION, who + ": " + each, "do not sign; ask the member and the proposer")));
    }

    private void compare(Broker contributed, List<String> faults) {
        String name = name(contributed);
        written.getBrokersList().stream()
                .filter(broker -> broker.getBrokerId() == contributed.getBrokerId())
                .findFirst()
                .ifPresentOrElse(
                        broker -> {
                            if (!broker.equals(contributed)) {
                                faults.add(name + " was changed: " + changes(contributed, broker));
                            }
                        },
                        () -> faults.add(name + " is missing in the file"));
    }

    private void compare(Auditor contributed, List<String> faults) {
        String name = name(contributed);
        written.getAuditorsList().stream()
                .filter(auditor -> auditor.getAuditorId() == contributed.getAuditorId())
                .findFirst()
                .ifPresentOrElse(
                        auditor -> {
                            if (!auditor.equals(contributed)) {
                                faults.add(name + " was changed: " + changes(contributed, auditor));
                            }
                        },
                        () -> faults.add(name + " is missing in the file"));
    }

    private void compare(Node contributed, Node node, List<String> faults) {
        if (node.equals(contributed)) {
            return;
        }
        String changes = changes(contributed, node);
        if (GenesisFile.withoutAddress(node).equals(GenesisFile.withoutAddress(contributed))) {
            findings.add(Finding.warn(
                    ADDRESS,
                    name(node) + " contributed another one: " + changes,
                    "ask the member where its node is; no signature covers it"));
        } else {
            faults.add("its node was changed: " + changes);
        }
    }

    /** Names the fields that differ. */
    private static String changes(Message contributed, Message written) {
        List<String> fields = new ArrayList<>();
        contributed.getDescriptorForType().getFields().forEach(field -> {
            Object before = contributed.getField(field);
            Object after = written.getField(field);
            if (!before.equals(after)) {
                boolean isShort = field.getJavaType() != JavaType.MESSAGE;
                String values = isShort ? ChangeText.oneLine(" was " + before + ", is " + after) : "";
                fields.add(field.getJsonName() + values);
            }
        });
        return String.join("; ", fields);
    }

    /** Nobody may slip in a broker or an auditor that no member answers for. */
    private void checkOrigins() {
        Set<String> origins = new HashSet<>();
        for (SignedContribution signed : signatures.getContributionsList()) {
            GenesisContribution contribution = signed.getContribution();
            contribution.getBrokersList().forEach(broker -> origins.add(name(broker)));
            contribution.getAuditorsList().forEach(auditor -> origins.add(name(auditor)));
        }
        written.getBrokersList().forEach(broker -> requireOrigin(origins, name(broker)));
        written.getAuditorsList().forEach(auditor -> requireOrigin(origins, name(auditor)));
    }

    private void requireOrigin(Set<String> origins, String name) {
        if (!origins.contains(name)) {
            findings.add(Finding.fail(
                    CONTRIBUTION,
                    name + " is in no contribution",
                    "do not sign; ask the proposer where it comes from"));
        }
    }

    private boolean hasSignature(int nodeId) {
        return signatures.getSignaturesList().stream().anyMatch(signature -> signature.getNodeId() == nodeId);
    }

    /** Of a node the first one counts: what is verified does not grow with the file. */
    private void checkSignatures() {
        Map<Integer, GenesisSignature> first = new HashMap<>();
        for (GenesisSignature signature : signatures.getSignaturesList()) {
            GenesisSignature before = first.putIfAbsent(signature.getNodeId(), signature);
            if (before == null) {
                checkSignature(signature);
            } else if (!before.equals(signature)) {
                findings.add(Finding.fail(
                        SIGNATURE,
                        "there is another one of node " + Integer.toUnsignedString(signature.getNodeId()),
                        "take all but the member's own out of the file of signatures"));
            }
        }
    }

    private void checkSignature(GenesisSignature signature) {
        int nodeId = signature.getNodeId();
        if (Integer.compareUnsigned(nodeId, written.getNodesCount()) >= 0) {
            findings.add(Finding.fail(
                    SIGNATURE,
                    "there is one of node " + Integer.toUnsignedString(nodeId) + ", which the file does not have",
                    "take it out of the file of signatures"));
            return;
        }
        Node node = written.getNodes(nodeId);
        if (!MemberSignature.isValid(
                MemberSignature.key(node.getIdentity()), GenesisSigning.signedBytes(file), signature.getSignature())) {
            findings.add(Finding.fail(
                    SIGNATURE,
                    "that of " + name(node) + " is not its own, or is for another file",
                    "the member signs again with 'genesis sign'"));
        } else {
            signers.add(nodeId);
            findings.add(Finding.ok(SIGNATURE, name(node) + " has signed"));
        }
    }

    private static String name(Node node) {
        return "node " + node.getNodeId() + " (" + ChangeText.oneLine(node.getName()) + ")";
    }

    private static String name(Broker broker) {
        return "broker " + Integer.toUnsignedString(broker.getBrokerId());
    }

    private static String name(Auditor auditor) {
        return "auditor " + Integer.toUnsignedString(auditor.getAuditorId());
    }
}

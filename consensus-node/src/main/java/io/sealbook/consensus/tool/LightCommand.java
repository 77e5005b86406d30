package io.sealbook.consensus.tool;

import io.grpc.StatusRuntimeException;
import io.sealbook.archive.administration.KnownEpochs;
import io.sealbook.archive.proof.LightChain;
import io.sealbook.archive.proof.MembershipProof;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.survey.ClusterSurvey;
import io.sealbook.consensus.survey.PresentCluster;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.lock.WholeFile;
import io.sealbook.membership.ChangeText;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Node;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code light}: follows the nodes of a chain by its certificates alone, without its blocks. */
@Command(
        name = "light",
        mixinStandardHelpOptions = true,
        description = {
            "Brings a membership proof up to date: FILE is made, or led further, from what running nodes send.",
            "No node is believed: each step is proven by the nodes before it, from the genesis file on. With FILE,",
            "'block-archive.jar verify-proof --membership' judges proofs of all epochs. A chain that contradicts",
            "FILE is refused."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:FILE is proven, and as new as the newest node that answered",
            "1:a node sent what does not hold, or FILE does not hold; a line names it",
            "2:wrong use",
            "3:no node answered"
        })
public final class LightCommand implements Callable<Integer> {
    private static final int WRONG = 1;
    private static final int NO_ANSWER = 3;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "Membership proof; made if it does not exist.")
    private Path file;

    @Option(names = "--genesis", paramLabel = "FILE", required = true, description = "Genesis file of the chain.")
    private Path genesisFile;

    @ArgGroup(multiplicity = "1")
    private Target target;

    @Option(
            names = "--timeout-ms",
            defaultValue = "10000",
            description = "Wait for an answer, in ms. Default: ${DEFAULT-VALUE}.")
    private long timeoutMs;

    private static final class Target {
        @Option(
                names = "--cluster",
                paramLabel = "DIR",
                description =
                        "Ask the members that DIR knows; with TLS, DIR is that of a node, or of a follower with an"
                                + " auditor's key.")
        private Path cluster;

        @Option(
                names = "--node",
                paramLabel = "HOST:PORT",
                description = "Ask the gateway of a node, without TLS; any number of times.")
        private List<String> nodes;
    }

    @Override
    public Integer call() throws IOException {
        GenesisFile genesis = GenesisFile.parse(Files.readAllBytes(genesisFile));
        MemberGateway.Access access =
                target.cluster == null ? MemberGateway.Access.PLAIN : MemberGateway.Access.of(target.cluster);
        try (SignatureVerifier verifier = SignatureProviders.best()) {
            LightChain chain = new LightChain(genesis, verifier);
            if (Files.exists(file) && !take(chain, file.toString(), Files.readAllBytes(file))) {
                return WRONG;
            }
            return follow(chain, access);
        } finally {
            spec.commandLine().getOut().flush();
        }
    }

    private int follow(LightChain chain, MemberGateway.Access access) throws IOException {
        Deque<String> addresses = new ArrayDeque<>(target.cluster == null ? target.nodes : known(access));
        Set<String> asked = new HashSet<>();
        int answers = 0;
        int faults = 0;
        while (!addresses.isEmpty()) {
            String address = addresses.poll();
            if (!asked.add(address)) {
                continue;
            }
            try (MemberGateway gateway = new MemberGateway(address, access, timeoutMs)) {
                Optional<byte[]> proof = gateway.membershipProof();
                answers++;
                if (proof.isEmpty()) {
                    spec.commandLine().getOut().println("FAULT " + address + ": a membership proof without end");
                    faults++;
                } else if (!take(chain, address, proof.get())) {
                    faults++;
                } else if (target.cluster != null) {
                    present(chain).forEach(addresses::add);
                }
            } catch (StatusRuntimeException e) {
                spec.commandLine().getErr().println("no answer from " + address + ": " + ClusterSurvey.reason(e));
            }
        }
        if (chain.newest().isPresent() && answers > faults) {
            WholeFile.replace(file, chain.newest().get().encode());
            print(chain, chain.newest().get());
        }
        return faults > 0 ? WRONG : answers > 0 ? 0 : NO_ANSWER;
    }

    private List<String> known(MemberGateway.Access access) throws IOException {
        return addresses(PresentCluster.known(new NodeDirectory(target.cluster), access.genesis())
                .getNodesList());
    }

    private static List<String> present(LightChain chain) {
        return addresses(chain.known().epochs().last().terms().getNodesList());
    }

    private static List<String> addresses(List<Node> nodes) {
        return nodes.stream()
                .filter(node -> node.getGatewayPort() != 0)
                .map(MemberGateway::address)
                .toList();
    }

    private boolean take(LightChain chain, String source, byte[] bytes) {
        PrintWriter out = spec.commandLine().getOut();
        try {
            MembershipProof proof = MembershipProof.decode(bytes);
            boolean isNewer = chain.advance(proof);
            out.println(source + ": proven up to block " + proof.tip().sequence() + (isNewer ? "" : ", known already"));
            return true;
        } catch (LightChain.ForkException e) {
            out.println("FORK " + source + ": " + e.getMessage());
        } catch (IllegalArgumentException e) {
            out.println("FAULT " + source + ": " + e.getMessage());
        }
        return false;
    }

    private void print(LightChain chain, MembershipProof proof) {
        PrintWriter out = spec.commandLine().getOut();
        KnownEpochs known = chain.known();
        Membership last = known.epochs().last();
        long nanos = proof.tip().blockTimeNs();
        Instant time = Instant.ofEpochSecond(nanos / TimeUnit.SECONDS.toNanos(1), nanos % TimeUnit.SECONDS.toNanos(1));
        out.println("certified block " + proof.tip().sequence() + " of " + time + ", hash "
                + proof.tip().hash().hex());
        out.println("transactions " + Long.toUnsignedString(last.number()) + ", known through block "
                + known.throughBlock());
        out.println("epoch " + Integer.toUnsignedString(last.epoch()) + " from block " + (last.epochBlock() + 1));
        last.terms().getNodesList().forEach(node -> out.println(ChangeText.line(node)));
    }
}

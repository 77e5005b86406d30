package io.sealbook.consensus.tool;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.channel.ConnectTimeoutException;
import io.sealbook.archive.proof.LightChain;
import io.sealbook.archive.proof.MembershipProof;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.survey.ClusterSurvey;
import io.sealbook.consensus.survey.PresentCluster;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Where a command takes the configuration at present from. */
interface PresentTerms {
    /** A machine that is full answers late; a node that does not run refuses at once. */
    long ANSWER_TIMEOUT_MS = 30_000;

    /** What the platform says of a connection that was made, and then broken by the other side. */
    String RESET = "Connection reset";

    /** Between a call that broke and the next one. */
    long RETRY_MS = 250;

    /**
     * Returns the genesis file's content as the transactions so far have changed it.
     *
     * @throws IOException if a file cannot be read
     */
    Genesis get() throws IOException;

    /**
     * Returns the terms of a member's running node; those of the genesis file if none runs there, so that the system
     * refuses the first connection. A connection that breaks is made again within the time. Anything else is an
     * {@link OperatingFailureException}: the genesis file may be behind. It is thrown at once where no connection can
     * be made, as on a machine without a network, and names the option {@code --membership} of the commands that call
     * this.
     *
     * @param nodeDirectory of the member's node
     * @param member as the directory describes it
     * @param timeoutMs longest wait for an answer
     * @param progress receives a line at the first connection that breaks, or if the genesis file counts
     */
    static PresentTerms of(Path nodeDirectory, Member member, long timeoutMs, Consumer<String> progress) {
        return () -> of(
                        nodeDirectory,
                        member,
                        MemberGateway.Access.of(nodeDirectory, member),
                        timeoutMs,
                        progress,
                        "; with a membership proof, --membership FILE, no node is asked")
                .get();
    }

    /**
     * As {@link #of(Path, Member, long, Consumer)}, with an access that is open already, for a command that needs the
     * node.
     *
     * @param nodeDirectory of the member's node
     * @param member as the directory describes it
     * @param access of the member
     * @param timeoutMs longest wait for an answer
     * @param progress receives a line at the first connection that breaks, or if the genesis file counts
     */
    static PresentTerms of(
            Path nodeDirectory, Member member, MemberGateway.Access access, long timeoutMs, Consumer<String> progress) {
        return of(nodeDirectory, member, access, timeoutMs, progress, "");
    }

    private static PresentTerms of(
            Path nodeDirectory,
            Member member,
            MemberGateway.Access access,
            long timeoutMs,
            Consumer<String> progress,
            String remedy) {
        return () -> {
            String address = PresentCluster.contact(new NodeDirectory(nodeDirectory));
            try {
                return membership(address, access, timeoutMs, progress).getTerms();
            } catch (StatusRuntimeException e) {
                if (!isRefused(e)) {
                    throw new OperatingFailureException(
                            "no terms from " + address + ": " + ClusterSurvey.reason(e) + remedy, e);
                }
                progress.accept(
                        "no node runs at " + address + ", which refuses the connection: the terms of the genesis"
                                + " file count, without what transactions have changed since");
                return member.genesis().genesis();
            }
        };
    }

    /**
     * Returns the terms at which a membership proof ends, verified from the genesis file on: no node is asked.
     *
     * @param proof file that {@code light} makes
     * @param genesis of the chain
     */
    static PresentTerms proven(Path proof, GenesisFile genesis) {
        return () -> {
            try (SignatureVerifier verifier = SignatureProviders.best()) {
                LightChain chain = new LightChain(genesis, verifier);
                chain.advance(MembershipProof.decode(Files.readAllBytes(proof)));
                return chain.known().epochs().last().terms();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("membership proof " + proof + ": " + e.getMessage(), e);
            }
        };
    }

    /**
     * Returns the configuration as a node has it. A connection that breaks is made again within the time: the question
     * changes nothing. After that a refused one is made again, too: a node that restarts refuses connections for
     * seconds.
     *
     * @param address HOST:PORT of the node's gateway
     * @param access what the calls are made with
     * @param timeoutMs longest wait for an answer
     * @param progress receives a line at the first connection that breaks
     * @throws StatusRuntimeException if the node does not answer in time, cannot be reached, refuses the question, or
     *     none runs there; a refused connection is its cause only if the first one was refused
     */
    static MembershipView membership(
            String address, MemberGateway.Access access, long timeoutMs, Consumer<String> progress) {
        long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        long leftMs = timeoutMs;
        StatusRuntimeException broken = null;
        while (true) {
            try (MemberGateway gateway = new MemberGateway(address, access, leftMs)) {
                return gateway.membership();
            } catch (StatusRuntimeException e) {
                boolean isRefused = isRefused(e);
                if (e.getStatus().getCode() != Status.Code.UNAVAILABLE
                        || (isRefused || isUnreachable(e)) && broken == null) {
                    throw e;
                }
                boolean isFirst = broken == null;
                if (!isRefused) {
                    broken = e;
                }
                leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime()) - RETRY_MS;
                if (leftMs <= 0) {
                    throw broken;
                }
                if (isFirst) {
                    progress.accept("no answer from " + address + " yet, asking again for up to " + timeoutMs + " ms: "
                            + ClusterSurvey.reason(e));
                }
            }
            pause();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(RETRY_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperatingFailureException("interrupted while a node was asked for the membership", e);
        }
    }

    private static boolean isRefused(Throwable failure) {
        Throwable root = root(failure);
        return root instanceof ConnectException && !(root instanceof ConnectTimeoutException);
    }

    /** Without a network no connection can be made; whether a node runs is not known then. */
    private static boolean isUnreachable(Throwable failure) {
        return switch (root(failure)) {
            case ConnectException e -> false;
            case SocketException e -> !String.valueOf(e.getMessage()).startsWith(RESET);
            case UnknownHostException e -> true;
            default -> false;
        };
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}

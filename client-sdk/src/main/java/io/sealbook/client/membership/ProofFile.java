package io.sealbook.client.membership;

import io.sealbook.client.proof.MembershipJudge;
import io.sealbook.lock.WholeFile;
import io.sealbook.membership.UnknownProtocolVersionException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The file in which a client keeps the newest membership proof that it has judged: its next start begins there. It is
 * replaced at one instant, and only by a proof that leads further, so that clients may share it. Any thread; a thread
 * of its own writes, and the end of the program waits for it.
 */
public final class ProofFile {
    private static final Logger log = System.getLogger(ProofFile.class.getName());

    private final Path file;
    private final MembershipJudge judge;
    private final AtomicReference<Proof> unwritten = new AtomicReference<>();

    private record Proof(long number, byte[] bytes) {}

    /**
     * @param file need not be there; its directory must be
     * @param judge of what another client has kept there
     */
    public ProofFile(Path file, MembershipJudge judge) {
        this.file = file.toAbsolutePath();
        this.judge = judge;
    }

    /**
     * Replaces the file soon, if the proof leads further. A failure is logged, because the next start can fetch the
     * proof again.
     *
     * @param number of transactions that the proof has
     * @param bytes of the proof
     */
    public void keep(long number, byte[] bytes) {
        unwritten.set(new Proof(number, bytes));
        new Thread(this::write, "sealbook-membership-file").start();
    }

    private synchronized void write() {
        Proof proof = unwritten.getAndSet(null);
        if (proof == null) {
            // An earlier thread has written what was newer.
            return;
        }
        // Clients may share the file. Not a temporary file of the JDK: those are for their owner's eyes.
        Path unfinished = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".new");
        try {
            if (leadsAsFar(proof.number)) {
                return;
            }
            try {
                WholeFile.replace(file, unfinished, proof.bytes);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException e) {
            log.log(Level.WARNING, "membership proof {0} cannot be kept: {1}", file, e);
        }
    }

    private boolean leadsAsFar(long number) throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        try {
            return Long.compareUnsigned(judge.judge(Files.readAllBytes(file)).number(), number) >= 0;
        } catch (UnknownProtocolVersionException e) {
            // A newer build has kept it.
            return true;
        } catch (IllegalArgumentException e) {
            log.log(Level.WARNING, "membership proof {0} does not hold and is replaced: {1}", file, e.getMessage());
            return false;
        }
    }
}

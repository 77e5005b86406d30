package io.sealbook.perf.inline;

import io.sealbook.archive.Block;
import io.sealbook.consensus.execution.InProcessEngine;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * An order book as a smart contract, in an EVM that runs as a child process; it ends when its input is closed. One
 * thread.
 */
final class ContractEngine implements InProcessEngine {
    private static final byte EXECUTED = 0;
    private static final int REPLY_LENGTH_MAX = 1 << 16;
    private static final long STOP_TIMEOUT_MS = 5_000;

    private final Process process;
    private final OutputStream input;
    private final DataInputStream output;
    private final byte[] digest = new byte[Digest.LENGTH];
    private long reports;
    private long gas;

    /**
     * Starts the process and lists the instruments of a market.
     *
     * @param build what to start
     * @param genesis of the market
     * @throws OperatingFailureException if it cannot be started
     */
    ContractEngine(ContractBuild build, Genesis genesis) {
        try {
            process = new ProcessBuilder(
                            build.program().toString(), build.contract().toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new OperatingFailureException("contract engine: cannot start " + build.program(), e);
        }
        input = new BufferedOutputStream(process.getOutputStream(), 1 << 20);
        output = new DataInputStream(process.getInputStream());
        try {
            exchange(ContractFrames.instruments(genesis));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public Digest execute(Block block) {
        exchange(ContractFrames.block(block));
        return Digest.of(digest.clone());
    }

    private void exchange(byte[] frame) {
        try {
            input.write(frame);
            input.flush();
            int length = output.readInt();
            if (length < 1 || length > REPLY_LENGTH_MAX) {
                throw new OperatingFailureException("contract engine: reply of " + length + " bytes");
            }
            if (output.readByte() != EXECUTED) {
                throw new OperatingFailureException(
                        "contract engine: " + new String(output.readNBytes(length - 1), StandardCharsets.UTF_8));
            }
            output.readFully(digest);
            reports += output.readLong();
            gas += output.readLong();
        } catch (IOException e) {
            throw new OperatingFailureException("contract engine: its process has ended", e);
        }
    }

    /** Returns the reports of all blocks. */
    long reports() {
        return reports;
    }

    /** Returns the gas that all blocks and the instruments used. */
    long gas() {
        return gas;
    }

    @Override
    public void close() {
        try {
            input.close();
            if (!process.waitFor(STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

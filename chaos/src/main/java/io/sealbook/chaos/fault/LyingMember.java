package io.sealbook.chaos.fault;

import io.sealbook.chaos.liar.Lie;
import io.sealbook.chaos.liar.LieFile;
import io.sealbook.perf.cluster.ManagedProcess;
import java.io.IOException;
import java.util.Locale;

/** A member lies to the others until it is healed. Nothing else is struck meanwhile, so that one member is faulty. */
final class LyingMember implements InjectedFault {
    private final ManagedProcess node;
    private final LieFile file;
    private final Lie lie;

    /**
     * @param node process that can lie
     * @param file in its directory
     * @param lie that it tells
     */
    LyingMember(ManagedProcess node, LieFile file, Lie lie) {
        this.node = node;
        this.file = file;
        this.lie = lie;
    }

    @Override
    public String target() {
        return node.name() + ", " + lie.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void inject() throws IOException {
        file.begin(lie);
    }

    /** A liar may end by what its own lies have made of its chain; the promise is to the others. */
    @Override
    public void heal() throws IOException {
        file.end();
        if (!node.isRunning()) {
            node.start();
        }
    }

    @Override
    public boolean hasTakenEffect() {
        return file.isTold();
    }
}

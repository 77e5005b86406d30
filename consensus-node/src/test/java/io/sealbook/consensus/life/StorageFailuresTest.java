package io.sealbook.consensus.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.ModuleFailureException;
import io.sealbook.node.port.StorageFailureException;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import net.openhft.chronicle.core.io.IORuntimeException;
import org.junit.jupiter.api.Test;

class StorageFailuresTest {
    private static final OperatingFailureException FULL = new OperatingFailureException("no space left");

    @Test
    void shouldFindStorageBehindOtherFailures() {
        assertThat(StorageFailures.isStorage(FULL)).isTrue();
        assertThat(StorageFailures.isStorage(new RuntimeException("thread ended", FULL)))
                .isTrue();
        assertThat(StorageFailures.isStorage(new IORuntimeException("queue", new IOException("no space left"))))
                .isTrue();
        assertThat(StorageFailures.isStorage(
                        new InternalError("a fault occurred in a recent unsafe memory access operation")))
                .isTrue();
    }

    /** A replica's engine writes by itself; the last line of the process names its file and the reason. */
    @Test
    void shouldNameTheFileOfAReplicasEngineThatCannotBeWritten() {
        List<Throwable> fatal = new ArrayList<>();

        new FailureStop(reason -> {}, fatal::add, () -> {})
                .accept(new UncheckedIOException("reports: cannot write for broker 2", new IOException("no room")));

        assertThat(fatal)
                .singleElement()
                .isInstanceOf(StorageFailureException.class)
                .extracting(Throwable::getMessage)
                .isEqualTo("stops voting: storage failed: reports: cannot write for broker 2: no room");
    }

    /** The last line of the process names it. */
    @Test
    void shouldNameTheModuleThatDoesNotSign() {
        List<Throwable> fatal = new ArrayList<>();
        ModuleFailureException gone =
                new ModuleFailureException("lib.so, label node0", "the module does not sign", new IOException("gone"));

        new FailureStop(reason -> {}, fatal::add, () -> {}).accept(gone);

        assertThat(fatal)
                .singleElement()
                .isInstanceOf(StorageFailureException.class)
                .extracting(Throwable::getMessage)
                .isEqualTo("stops voting: the hardware module of the key: PKCS#11 lib.so, label node0: the module does"
                        + " not sign: gone");
    }

    @Test
    void shouldNotCallABrokenInvariantStorage() {
        assertThat(StorageFailures.isStorage(new BrokenInvariantException("block 7 after block 5")))
                .isFalse();
        assertThat(StorageFailures.isStorage(new BrokenInvariantException("two kinds", FULL)))
                .isFalse();
        assertThat(StorageFailures.isStorage(new IllegalStateException("no kind")))
                .isFalse();
        assertThat(StorageFailures.isStorage(new InternalError("other"))).isFalse();
    }
}

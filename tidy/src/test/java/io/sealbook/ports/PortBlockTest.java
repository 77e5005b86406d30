package io.sealbook.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PortBlockTest {
    private final List<PortBlock> blocks = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (PortBlock block : blocks) {
            block.close();
        }
    }

    @Test
    void shouldGiveNoPortTwice() throws IOException {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            PortBlock block = take(40);
            for (int port = block.base(); port < block.base() + 40; port++) {
                assertThat(ports.add(port)).isTrue();
            }
        }
    }

    @Test
    void shouldGiveBlocksAgainThatWereClosed() throws IOException {
        for (int i = 0; i < 2 * PortBlock.BLOCKS; i++) {
            PortBlock.take(1).close();
        }

        assertThat(take(1).base()).isPositive();
    }

    @Test
    void shouldPassOverAPortThatIsTaken() throws IOException {
        try (PortBlock held = PortBlock.take(3);
                ServerSocket taken = new ServerSocket(held.base() + 2, 1, InetAddress.getLoopbackAddress())) {
            held.close();

            assertThat(taken.isBound()).isTrue();
            assertThat(take(3).base()).isNotEqualTo(held.base());
        }
    }

    /** Nobody listens on the other's ports yet: only the lease keeps them apart. */
    @Test
    void shouldGiveNoPortThatAnotherProcessHasTaken() throws Exception {
        int start = (int) (ProcessHandle.current().pid() % PortBlock.BLOCKS);
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Taker.class.getName(),
                        Integer.toString(start))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = other.inputReader()) {
            Set<Integer> taken = new HashSet<>();
            for (int i = 0; i < Taker.COUNT; i++) {
                taken.add(Integer.parseInt(output.readLine()));
            }

            for (int i = 0; i < Taker.COUNT; i++) {
                PortBlock block = PortBlock.take(1, start);
                blocks.add(block);
                assertThat(taken).hasSize(Taker.COUNT).doesNotContain(block.base());
            }
        } finally {
            other.outputWriter().close();
            assertThat(other.waitFor()).isZero();
        }
    }

    @Test
    void shouldRefuseMoreThanABlockHolds() {
        assertThatThrownBy(() -> PortBlock.take(PortBlock.PORTS_MAX + 1))
                .hasMessageContaining("1 to 130 ports, not 131");
    }

    /** Takes blocks and keeps them until its input ends. */
    static final class Taker {
        static final int COUNT = 3;

        private Taker() {}

        public static void main(String[] arguments) throws IOException {
            for (int i = 0; i < COUNT; i++) {
                System.out.println(
                        PortBlock.take(1, Integer.parseInt(arguments[0])).base());
            }
            System.in.read();
        }
    }

    private PortBlock take(int count) throws IOException {
        PortBlock block = PortBlock.take(count);
        blocks.add(block);
        return block;
    }
}

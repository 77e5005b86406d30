package io.sealbook.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Collection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the jar loads by name works with nothing beside it: transports, native libraries, signers. */
class BundleAloneIT {
    private static final String NETTY = "io.sealbook.shaded.io.grpc.netty.shaded.io.netty.";

    private static URLClassLoader bundle;

    @BeforeAll
    static void open() throws IOException {
        Path jar = Path.of(System.getProperty("bundle.jar"));
        bundle = new URLClassLoader(new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    }

    @AfterAll
    static void close() throws IOException {
        bundle.close();
    }

    @Test
    void shouldLoadItsOwnTransportOfLinux() throws Exception {
        assertThat(call(NETTY + "channel.epoll.Epoll", "unavailabilityCause")).isNull();
    }

    @Test
    void shouldLoadItsOwnTlsLibrary() throws Exception {
        assertThat(call(NETTY + "handler.ssl.OpenSsl", "unavailabilityCause")).isNull();
    }

    @Test
    void shouldOpenChannels() throws Exception {
        Object credentials = call("io.sealbook.shaded.io.grpc.InsecureChannelCredentials", "create");
        Object builder = bundle.loadClass("io.sealbook.shaded.io.grpc.Grpc")
                .getMethod(
                        "newChannelBuilderForAddress",
                        String.class,
                        int.class,
                        bundle.loadClass("io.sealbook.shaded.io.grpc.ChannelCredentials"))
                .invoke(null, "localhost", 1, credentials);
        Class<?> type = bundle.loadClass("io.sealbook.shaded.io.grpc.ManagedChannel");
        Object channel = bundle.loadClass("io.sealbook.shaded.io.grpc.ManagedChannelBuilder")
                .getMethod("build")
                .invoke(builder);

        type.getMethod("shutdownNow").invoke(channel);

        assertThat(type.getMethod("isShutdown").invoke(channel)).isEqualTo(true);
    }

    @Test
    void shouldSignInC() throws Exception {
        assumeTrue(
                bundle.findResource("native/linux-x86_64/libsealbook.so") != null,
                "needs gcc, needs Linux on x86-64: the library was not built");

        Collection<?> findings = (Collection<?>) call("io.sealbook.crypto.Signers", "findings");

        assertThat(findings.toString()).contains("jni: chosen");
    }

    private static Object call(String type, String method) throws ReflectiveOperationException {
        return bundle.loadClass(type).getMethod(method).invoke(null);
    }
}

package io.sealbook.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A process of its own that tries what a test asks: locks of files are seen from other processes alone. */
public final class OtherProcess {
    private OtherProcess() {}

    /**
     * Returns whether another process can lock a file at this moment; it releases it again.
     *
     * @param file exists
     */
    public static boolean canLock(Path file) throws IOException, InterruptedException {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProcess.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (other.waitFor() != 0) {
            throw new IOException("the other process failed at " + file + ": " + output);
        }
        return Boolean.parseBoolean(output.strip());
    }

    /** @param args the file */
    public static void main(String[] args) throws IOException {
        try (FileChannel file = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
            System.out.println(file.tryLock() != null);
        }
    }
}

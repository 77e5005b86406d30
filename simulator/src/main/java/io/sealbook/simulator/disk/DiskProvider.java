package io.sealbook.simulator.disk;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.spi.FileSystemProvider;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Carries out on a disk what {@link java.nio.file.Files} and {@link FileChannel#open} ask for. */
final class DiskProvider extends FileSystemProvider {
    private final SimulatedDisk disk;

    DiskProvider(SimulatedDisk disk) {
        this.disk = disk;
    }

    private static String name(Path path) {
        return path.toAbsolutePath().toString();
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        String name = name(path);
        if (disk.isDirectory(name)) {
            return DiskChannel.ofDirectory(disk, name);
        }
        if (options.contains(StandardOpenOption.CREATE_NEW) && disk.isFile(name)) {
            throw new FileAlreadyExistsException(name);
        }
        boolean mayCreate = options.contains(StandardOpenOption.CREATE_NEW)
                || options.contains(StandardOpenOption.CREATE) && !disk.isFile(name);
        DiskFile file = mayCreate ? disk.create(name) : disk.existing(name);
        DiskChannel channel = DiskChannel.ofFile(disk, file);
        if (options.contains(StandardOpenOption.TRUNCATE_EXISTING) && options.contains(StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
        return channel;
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path path, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        String directory = name(path);
        if (!disk.isDirectory(directory)) {
            throw new NoSuchFileException(directory);
        }
        List<Path> files = disk.list(directory).stream()
                .map(name -> path.getFileSystem().getPath(name))
                .toList();
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return files.iterator();
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }

    @Override
    public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
        disk.createDirectory(name(path));
    }

    @Override
    public void delete(Path path) throws IOException {
        disk.delete(name(path));
    }

    @Override
    public void move(Path from, Path to, CopyOption... options) throws IOException {
        boolean mayReplace = Arrays.asList(options).contains(StandardCopyOption.ATOMIC_MOVE)
                || Arrays.asList(options).contains(StandardCopyOption.REPLACE_EXISTING);
        if (disk.isFile(name(to)) && !mayReplace) {
            throw new FileAlreadyExistsException(name(to));
        }
        disk.rename(name(from), name(to));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        if (!disk.isDirectory(name(path))) {
            disk.existing(name(path));
        }
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        String name = name(path);
        boolean isDirectory = disk.isDirectory(name);
        return type.cast(new DiskAttributes(
                isDirectory, isDirectory ? 0 : disk.existing(name).length()));
    }

    @Override
    public boolean isSameFile(Path path, Path other) {
        return path.equals(other);
    }

    @Override
    public String getScheme() {
        return "simulated";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
        throw new UnsupportedOperationException("URI");
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        throw new UnsupportedOperationException("URI");
    }

    @Override
    public Path getPath(URI uri) {
        throw new UnsupportedOperationException("URI");
    }

    /** As a program would that reads the one file and writes the other: nothing is forced. */
    @Override
    public void copy(Path from, Path to, CopyOption... options) throws IOException {
        try (FileChannel source = newFileChannel(from, Set.of(StandardOpenOption.READ));
                FileChannel target =
                        newFileChannel(to, Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW))) {
            ByteBuffer bytes = ByteBuffer.allocate((int) source.size());
            source.read(bytes, 0);
            target.write(bytes.flip(), 0);
        }
    }

    @Override
    public boolean isHidden(Path path) {
        return false;
    }

    @Override
    public FileStore getFileStore(Path path) {
        throw new UnsupportedOperationException("file stores");
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        throw new UnsupportedOperationException("attribute views");
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) {
        throw new UnsupportedOperationException("attributes by name");
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) {
        throw new UnsupportedOperationException("attributes");
    }
}

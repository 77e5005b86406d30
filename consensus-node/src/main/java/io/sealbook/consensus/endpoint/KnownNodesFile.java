package io.sealbook.consensus.endpoint;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.sealbook.lock.WholeFile;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.KnownNodes;
import io.sealbook.protocol.v1.Node;
import io.sealbook.tls.endpoint.EndpointBook;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file of present nodes and their signed addresses. It is replaced as a whole: a crash leaves the one before. */
public final class KnownNodesFile {
    private static final Logger log = LoggerFactory.getLogger(KnownNodesFile.class);

    private KnownNodesFile() {}

    /**
     * Reads the file; without one, or with one that is no such file, nothing is known.
     *
     * @throws IOException if it exists and cannot be read
     */
    static KnownNodes read(Path file) throws IOException {
        KnownNodes.Builder known = KnownNodes.newBuilder();
        try {
            JsonFormat.parser().merge(Files.readString(file), known);
            return known.build();
        } catch (NoSuchFileException e) {
            return KnownNodes.getDefaultInstance();
        } catch (InvalidProtocolBufferException | CharacterCodingException e) {
            log.warn("{} is damaged, addresses come back from the other nodes: {}", file, e.getMessage());
            return KnownNodes.getDefaultInstance();
        }
    }

    /**
     * Replaces the file.
     *
     * @param file to replace
     * @param known durable when this returns
     * @throws IOException if it cannot be written; the file has the old content or the new one then
     */
    static void write(Path file, KnownNodes known) throws IOException {
        WholeFile.replace(file, (JsonFormat.printer().print(known) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns the nodes at the addresses that the file names; what its records say is verified.
     *
     * @param file may be absent
     * @param chainId of the genesis file
     * @param otherwise the nodes if the file has none
     * @throws IOException if it exists and cannot be read
     */
    public static List<Node> present(Path file, long chainId, List<Node> otherwise) throws IOException {
        KnownNodes known = read(file);
        return at(known, chainId, known.getNodesCount() == 0 ? otherwise : known.getNodesList());
    }

    /**
     * Returns nodes at the addresses of the file's records, which are verified; one without a record as it is given.
     *
     * @param file may be absent
     * @param chainId of the genesis file
     * @param nodes of any epoch
     * @throws IOException if it exists and cannot be read
     */
    public static List<Node> at(Path file, long chainId, List<Node> nodes) throws IOException {
        return at(read(file), chainId, nodes);
    }

    private static List<Node> at(KnownNodes known, long chainId, List<Node> nodes) {
        EndpointBook book = new EndpointBook(chainId);
        for (EndpointRecord record : known.getRecordsList()) {
            book.offer(record, nodes);
        }
        return nodes.stream().map(book::present).toList();
    }
}

package io.sealbook.access.rate;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** HTTP/2 (RFC 9113) without the compression of headers, and gRPC's prefix of messages. One thread. */
final class Http2Client implements AutoCloseable {
    /** Only ends a test that waits in vain. */
    private static final int READ_MS_MAX = 240_000;

    private static final int FRAME_BYTES_MAX = 16_384;
    private static final int PREFIX_BYTES = 5;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int END_HEADERS = 4;
    private static final int END_STREAM = 1;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;
    private static final short INITIAL_WINDOW_SIZE = 4;
    private static final int WINDOW_BYTES = 65_535;
    /** A receiver ignores frames of types that it does not know (RFC 9113, section 4.1). */
    private static final int UNKNOWN = 0x77;

    private static final int ACK = 1;

    /** Error code of a call that its client gives up. */
    private static final byte[] CANCEL = {0, 0, 0, 8};

    private final Socket socket;
    private final DataInputStream in;
    private final List<Integer> ended = new ArrayList<>();
    private final List<Integer> reset = new ArrayList<>();
    private final Map<Integer, Long> received = new HashMap<>();
    private int pongs;

    Http2Client(Socket socket) throws IOException {
        this(socket, WINDOW_BYTES);
    }

    /** @param window bytes of each answer that the server may send */
    Http2Client(Socket socket, int window) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(READ_MS_MAX);
        this.in = new DataInputStream(socket.getInputStream());
        socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        frame(
                SETTINGS,
                0,
                0,
                ByteBuffer.allocate(6)
                        .putShort(INITIAL_WINDOW_SIZE)
                        .putInt(window)
                        .array());
        // Only then the windows are as large as the server wants them.
        frame(SETTINGS, ACK, 0, new byte[0]);
        ping();
    }

    private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
        socket.getOutputStream().write(encoded(type, flags, stream, payload));
    }

    private static byte[] encoded(int type, int flags, int stream, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
        frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
        return frame.array();
    }

    void call(int stream, String method) throws IOException {
        frame(HEADERS, END_HEADERS, stream, headers(method));
    }

    /** Begins a call without a message, and ends its request. */
    void callAndEnd(int stream, String method) throws IOException {
        frame(HEADERS, END_HEADERS | END_STREAM, stream, headers(method));
    }

    /** Begins a call whose messages are compressed. */
    void callCompressed(int stream, String method, String encoding) throws IOException {
        ByteArrayOutputStream headers = new ByteArrayOutputStream();
        headers.writeBytes(headers(method));
        headers.write(0x00);
        text(headers, "grpc-encoding");
        text(headers, encoding);
        frame(HEADERS, END_HEADERS, stream, headers.toByteArray());
    }

    private static byte[] headers(String method) {
        ByteArrayOutputStream headers = new ByteArrayOutputStream();
        // Of the static table (RFC 7541, appendix A): method POST, scheme http.
        headers.write(0x83);
        headers.write(0x86);
        headers.write(0x04);
        text(headers, "/test/" + method);
        headers.write(0x01);
        text(headers, "localhost");
        headers.write(0x00);
        text(headers, "content-type");
        text(headers, "application/grpc");
        headers.write(0x00);
        text(headers, "te");
        text(headers, "trailers");
        return headers.toByteArray();
    }

    private static void text(ByteArrayOutputStream headers, String text) {
        headers.write(text.length());
        headers.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    void begin(int stream, int length) throws IOException {
        data(stream, ByteBuffer.allocate(5).put((byte) 0).putInt(length).array());
    }

    void send(int stream, int length) throws IOException {
        for (int left = length; left > 0; left -= FRAME_BYTES_MAX) {
            data(stream, new byte[Math.min(left, FRAME_BYTES_MAX)]);
        }
    }

    void data(int stream, byte[] bytes) throws IOException {
        frame(DATA, 0, stream, bytes);
    }

    /** Sends pieces of a message, each in a frame, all in one write. */
    void pieces(int stream, int count, int length) throws IOException {
        byte[] piece = encoded(DATA, 0, stream, new byte[length]);
        ByteBuffer frames = ByteBuffer.allocate(count * piece.length);
        for (int i = 0; i < count; i++) {
            frames.put(piece);
        }
        socket.getOutputStream().write(frames.array());
    }

    /** Sends an empty message, which is the last one of its stream. */
    void ask(int stream) throws IOException {
        frame(DATA, END_STREAM, stream, new byte[PREFIX_BYTES]);
    }

    /** Lets the server send more of an answer. */
    void widen(int stream, int bytes) throws IOException {
        frame(WINDOW_UPDATE, 0, stream, ByteBuffer.allocate(4).putInt(bytes).array());
    }

    /** Sends what the server ignores. */
    void fill(int length) throws IOException {
        frame(UNKNOWN, 0, 0, new byte[length]);
    }

    /** Begins calls and cancels each of them, all in one write. */
    void callAndCancel(int firstStream, int count, String method) throws IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            int stream = firstStream + 2 * i;
            frames.writeBytes(encoded(HEADERS, END_HEADERS, stream, headers(method)));
            frames.writeBytes(encoded(RST_STREAM, 0, stream, CANCEL));
        }
        socket.getOutputStream().write(frames.toByteArray());
    }

    /** Returns when the server has read all that was sent before. */
    void ping() throws IOException {
        int before = pongs;
        frame(PING, 0, 0, new byte[8]);
        while (pongs == before) {
            read();
        }
    }

    /** Waits for the status of a call. */
    void awaitEnd(int stream) throws IOException {
        while (!ended.contains(stream)) {
            read();
        }
    }

    void awaitReset(int stream) throws IOException {
        while (!reset.contains(stream)) {
            read();
        }
    }

    /** Waits for bytes of the answers of a call. */
    void awaitBytes(int stream, long count) throws IOException {
        while (received.getOrDefault(stream, 0L) < count) {
            read();
        }
    }

    boolean isReset(int stream) {
        return reset.contains(stream);
    }

    private void read() throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        in.skipNBytes(length);
        if (type == DATA) {
            received.merge(stream, (long) length, Long::sum);
        }
        if (type == PING && flags == ACK) {
            pongs++;
        }
        if (type == RST_STREAM) {
            reset.add(stream);
        }
        if (type == HEADERS && (flags & END_STREAM) != 0) {
            ended.add(stream);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

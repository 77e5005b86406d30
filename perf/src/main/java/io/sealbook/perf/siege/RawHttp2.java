package io.sealbook.perf.siege;

import io.grpc.MethodDescriptor;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import io.sealbook.tls.role.RoleStatement;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * HTTP/2 (RFC 9113) as no library of gRPC speaks it: messages that do not end, answers that have no window, and calls
 * that are cancelled before they are served. It keeps to the windows of the other side. One thread.
 */
final class RawHttp2 implements AutoCloseable {
    /** Of gRPC's prefix of messages: a flag and the length. */
    static final int PREFIX_LENGTH = 5;

    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final int FRAME_BYTES_MAX = 16_384;
    private static final int FRAME_HEAD_LENGTH = 9;
    private static final int SETTING_LENGTH = 6;
    private static final int READ_LIMIT_MS = 120_000;
    private static final int WINDOW_AT_START = 65_535;

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;
    private static final int END_STREAM = 1;
    private static final int ACK = 1;
    private static final int END_HEADERS = 4;
    private static final short INITIAL_WINDOW_SIZE = 4;
    /** The caller wants no answer any more. */
    private static final int CANCEL = 8;

    /** Of the static table of HPACK (RFC 7541, appendix A): method POST, scheme https; names of path and authority. */
    private static final byte[] POST_HTTPS = {(byte) 0x83, (byte) 0x87};

    private static final int PATH = 0x04;
    private static final int AUTHORITY = 0x01;
    private static final int OTHER_NAME = 0x00;
    private static final int TEXT_LENGTH_IN_BYTE = 127;

    private final Socket socket;
    private final DataInputStream in;
    private final Optional<String> statement;
    private final Http2HeadersDecoder headersDecoder = new DefaultHttp2HeadersDecoder(false);
    private final Set<Integer> ended = new HashSet<>();
    /** Of the calls that have ended with a status. */
    private final List<String> statusMessages = new ArrayList<>();

    /** What may be sent, by stream; 0 is the connection. */
    private final Map<Integer, Long> windows = new HashMap<>(Map.of(0, (long) WINDOW_AT_START));

    private long windowOfStream = WINDOW_AT_START;
    private int nextStream = 1;
    private int settingsSent;
    private int settingsRead;

    private RawHttp2(Socket socket, Optional<String> statement) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
        this.statement = statement;
    }

    /**
     * Connects to a gRPC port with the certificate and the role of a guest.
     *
     * @param besieged has the port
     * @param port of its host
     * @param guest calls
     * @param window bytes of each answer that the other side may send
     */
    static RawHttp2 open(Besieged besieged, int port, Guest guest, int window) throws IOException {
        SSLSocket socket = (SSLSocket)
                besieged.identities().context(guest).getSocketFactory().createSocket(Besieged.HOST, port);
        try {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            // The other alphabet of base 64 is that of gRPC.
            Optional<String> statement = besieged.identities()
                    .statement(guest)
                    .map(text -> text.replace('-', '+').replace('_', '/'));
            return over(socket, statement, window);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Begins to speak over a connection.
     *
     * @param socket is closed with this
     * @param statement proves a role; empty if there is none
     * @param window bytes of each answer that the other side may send
     */
    static RawHttp2 over(Socket socket, Optional<String> statement, int window) throws IOException {
        socket.setSoTimeout(READ_LIMIT_MS);
        RawHttp2 opened = new RawHttp2(socket, statement);
        opened.greet(window);
        return opened;
    }

    private void greet(int window) throws IOException {
        socket.getOutputStream().write(PREFACE.getBytes(StandardCharsets.US_ASCII));
        frame(
                SETTINGS,
                0,
                0,
                ByteBuffer.allocate(SETTING_LENGTH)
                        .putShort(INITIAL_WINDOW_SIZE)
                        .putInt(window)
                        .array());
        settingsSent++;
        sync();
    }

    private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
        socket.getOutputStream().write(frameBytes(type, flags, stream, payload));
    }

    private static byte[] frameBytes(int type, int flags, int stream, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(FRAME_HEAD_LENGTH + payload.length);
        frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
        frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
        return frame.array();
    }

    /** Begins a call and returns the number of its stream. */
    int call(MethodDescriptor<?, ?> method) throws IOException {
        int stream = nextStream();
        windows.put(stream, windowOfStream);
        frame(HEADERS, END_HEADERS, stream, headers(method));
        return stream;
    }

    /** Begins calls of which each is cancelled by the next frame: all of these are written at once. */
    void cancelledCalls(MethodDescriptor<?, ?> method, int count) throws IOException {
        byte[] headers = headers(method);
        byte[] code = ByteBuffer.allocate(Integer.BYTES).putInt(CANCEL).array();
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            int stream = nextStream();
            frames.writeBytes(frameBytes(HEADERS, END_HEADERS, stream, headers));
            frames.writeBytes(frameBytes(RST_STREAM, 0, stream, code));
        }
        socket.getOutputStream().write(frames.toByteArray());
    }

    private int nextStream() {
        int stream = nextStream;
        nextStream += 2;
        return stream;
    }

    private byte[] headers(MethodDescriptor<?, ?> method) {
        ByteArrayOutputStream headers = new ByteArrayOutputStream();
        headers.writeBytes(POST_HTTPS);
        headers.write(PATH);
        text(headers, "/" + method.getFullMethodName());
        headers.write(AUTHORITY);
        text(headers, Besieged.HOST);
        header(headers, "content-type", "application/grpc");
        header(headers, "te", "trailers");
        statement.ifPresent(text -> header(headers, RoleStatement.HEADER + "-bin", text));
        return headers.toByteArray();
    }

    private static void header(ByteArrayOutputStream headers, String name, String value) {
        headers.write(OTHER_NAME);
        text(headers, name);
        text(headers, value);
    }

    /** A length of 127 and more goes on in groups of 7 bits (RFC 7541, section 5.1). */
    private static void text(ByteArrayOutputStream headers, String text) {
        int left = text.length();
        if (left < TEXT_LENGTH_IN_BYTE) {
            headers.write(left);
        } else {
            headers.write(TEXT_LENGTH_IN_BYTE);
            for (left -= TEXT_LENGTH_IN_BYTE; left > 0x7F; left >>= 7) {
                headers.write(left & 0x7F | 0x80);
            }
            headers.write(left);
        }
        headers.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Sends the prefix of a message of a length, and none of its bytes. */
    void begin(int stream, int length) throws IOException {
        send(stream, ByteBuffer.allocate(PREFIX_LENGTH).putInt(1, length).array(), false);
    }

    /** Sends an empty message, which is the last one of its stream. */
    void ask(int stream) throws IOException {
        send(stream, new byte[PREFIX_LENGTH], true);
    }

    /** Sends bytes of a message, as far as the stream does not end meanwhile. */
    void send(int stream, int length) throws IOException {
        for (int left = length; left > 0 && !ended.contains(stream); left -= FRAME_BYTES_MAX) {
            send(stream, new byte[Math.min(left, FRAME_BYTES_MAX)], false);
        }
    }

    private void send(int stream, byte[] bytes, boolean isLast) throws IOException {
        while (Math.min(windows.get(0), windows.get(stream)) < bytes.length) {
            if (ended.contains(stream)) {
                return;
            }
            read();
        }
        windows.merge(0, (long) -bytes.length, Long::sum);
        windows.merge(stream, (long) -bytes.length, Long::sum);
        frame(DATA, isLast ? END_STREAM : 0, stream, bytes);
    }

    /**
     * Returns when the other side has read all that was sent before. More than a few pings would end the connection.
     */
    void sync() throws IOException {
        frame(SETTINGS, 0, 0, new byte[0]);
        settingsSent++;
        while (settingsRead < settingsSent) {
            read();
        }
    }

    /** Returns how many streams the other side has ended. */
    int ended() {
        return ended.size();
    }

    /** Returns how many calls the other side has ended with a status in whose message these words are. */
    int ended(String words) {
        return (int) statusMessages.stream()
                .filter(message -> message.contains(words))
                .count();
    }

    private void read() throws IOException {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        ByteBuffer payload = ByteBuffer.wrap(in.readNBytes(length));
        switch (type) {
            case PING -> {
                if ((flags & ACK) == 0) {
                    frame(PING, ACK, 0, payload.array());
                }
            }
            case SETTINGS -> {
                if ((flags & ACK) == 0) {
                    settings(payload);
                    frame(SETTINGS, ACK, 0, new byte[0]);
                } else {
                    settingsRead++;
                }
            }
            case WINDOW_UPDATE -> windows.merge(stream, (long) payload.getInt(), Long::sum);
            case RST_STREAM -> ended.add(stream);
            case HEADERS -> onHeaders(stream, (flags & END_STREAM) != 0, payload);
            case DATA -> {
                if ((flags & END_STREAM) != 0) {
                    ended.add(stream);
                }
            }
            default -> {
                // Nothing that the siege waits for.
            }
        }
    }

    /** Reads the headers of each answer: those that follow refer to what they had. gRPC's servers send no padding. */
    private void onHeaders(int stream, boolean isLast, ByteBuffer payload) throws IOException {
        CharSequence message;
        try {
            message = headersDecoder
                    .decodeHeaders(stream, Unpooled.wrappedBuffer(payload))
                    .get("grpc-message");
        } catch (Http2Exception e) {
            throw new IOException("stream " + stream + " has headers that cannot be read", e);
        }
        if (isLast) {
            ended.add(stream);
            statusMessages.add(String.valueOf(message));
        }
    }

    private void settings(ByteBuffer settings) {
        while (settings.remaining() >= SETTING_LENGTH) {
            short name = settings.getShort();
            int value = settings.getInt();
            if (name == INITIAL_WINDOW_SIZE) {
                long more = value - windowOfStream;
                windowOfStream = value;
                windows.replaceAll((stream, window) -> stream == 0 ? window : Long.valueOf(window + more));
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

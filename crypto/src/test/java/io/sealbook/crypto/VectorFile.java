package io.sealbook.crypto;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Vector files that are not part of the repository: {@code ../shared/vectors} beside it, or below
 * {@code -Dsealbook.data=DIR}.
 */
final class VectorFile {
    private VectorFile() {}

    /** Parses a file; skips the calling test where it is absent. */
    static JsonObject read(String name) throws IOException {
        String data = System.getProperty("sealbook.data");
        Path folder = data != null ? Path.of(data, "vectors") : Path.of("..", "..", "shared", "vectors");
        Path file = folder.resolve(name);
        assumeTrue(
                Files.isReadable(file),
                () -> "needs vector files: none at " + file.toAbsolutePath().normalize());
        return JsonParser.parseString(Files.readString(file)).getAsJsonObject();
    }

    static List<JsonObject> objects(JsonObject parent, String name) {
        List<JsonObject> objects = new ArrayList<>();
        for (JsonElement element : parent.getAsJsonArray(name)) {
            objects.add(element.getAsJsonObject());
        }
        return objects;
    }

    static String text(JsonObject object, String name) {
        return object.get(name).getAsString();
    }

    static byte[] bytes(JsonObject object, String name) {
        return HexFormat.of().parseHex(text(object, name));
    }

    /** Returns x ‖ y of an uncompressed point. */
    static byte[] point(JsonObject object, String name) {
        byte[] uncompressed = bytes(object, name);
        return java.util.Arrays.copyOfRange(uncompressed, 1, uncompressed.length);
    }
}

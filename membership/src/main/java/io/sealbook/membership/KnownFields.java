package io.sealbook.membership;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Refuses what this build does not know of a transaction. Protobuf would pass over such a field, and a newer build
 * would execute it: the two would differ in silence (decision 68).
 */
final class KnownFields {
    private KnownFields() {}

    /**
     * Goes through a message and all messages in it, and compares the bytes that it came from with its only encoding: a
     * field that is written with its default is lost where the field is known, and an unknown field elsewhere.
     *
     * @param message decoded from the bytes, without maps, whose order is not fixed
     * @param bytes as they came
     * @throws IllegalArgumentException if a field is unknown here, which the exception names by number, or the bytes
     *     are another encoding
     */
    static void require(Message message, byte[] bytes) {
        requireKnown(message);
        byte[] canonical = message.toByteArray();
        if (!Arrays.equals(canonical, bytes)) {
            throw new IllegalArgumentException("terms of " + bytes.length
                    + " bytes, whose canonical encoding has " + canonical.length + " and differs at byte "
                    + Arrays.mismatch(canonical, bytes));
        }
    }

    private static void requireKnown(Message message) {
        if (!message.getUnknownFields().asMap().isEmpty()) {
            throw new IllegalArgumentException(
                    message.getDescriptorForType().getName() + " has fields that this build does not know: "
                            + message.getUnknownFields().asMap().keySet());
        }
        for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
            List<?> values = field.getValue() instanceof List<?> list ? list : List.of(field.getValue());
            values.stream()
                    .filter(Message.class::isInstance)
                    .map(Message.class::cast)
                    .forEach(KnownFields::requireKnown);
        }
    }
}

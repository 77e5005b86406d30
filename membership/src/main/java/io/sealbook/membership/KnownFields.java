package io.sealbook.membership;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Map;

/**
 * Refuses what this build does not know of a transaction. Protobuf would pass over such a field, and a newer build
 * would execute it: the two would differ in silence.
 */
final class KnownFields {
    private KnownFields() {}

    /**
     * Goes through a message and all messages in it.
     *
     * @throws IllegalArgumentException if one has a field that is unknown here; the message names it by number
     */
    static void require(Message message) {
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
                    .forEach(KnownFields::require);
        }
    }
}

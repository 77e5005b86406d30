package io.sealbook.model;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** A trace of the simulator as the module {@code Run} that {@code Trace} extends; digests become numbers from 1 on. */
final class TraceModule {
    private static final String ORIGIN = "0000000000000000";

    private final Map<String, Integer> numbers = new LinkedHashMap<>();
    private final List<String> proposals = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final JsonObject cluster;
    private long viewMax;

    TraceModule(List<String> lines) {
        numbers.put(ORIGIN, 0);
        cluster = JsonParser.parseString(lines.getFirst()).getAsJsonObject();
        for (String line : lines.subList(1, lines.size())) {
            JsonObject event = JsonParser.parseString(line).getAsJsonObject();
            if (event.get("event").getAsString().equals("proposal")) {
                addProposal(event);
            } else {
                events.add(event(event));
            }
        }
    }

    int eventCount() {
        return events.size();
    }

    private void addProposal(JsonObject proposal) {
        int previous = number(proposal.get("previous"), proposal.get("sequence").getAsLong() - 1);
        String facts = proposal(
                proposal.get("sequence").getAsLong(),
                previous,
                proposal.get("view").getAsLong());
        Integer known = numbers.putIfAbsent(proposal.get("digest").getAsString(), proposals.size() + 1);
        if (known == null) {
            proposals.add(facts);
        } else {
            proposals.set(known - 1, facts);
        }
    }

    private static String proposal(long sequence, int previous, long view) {
        return "[sequence |-> %d, previous |-> %d, view |-> %d]".formatted(sequence, previous, view);
    }

    /** A digest whose proposal nobody showed is one that a faulty replica made up. */
    private int number(JsonElement digest, long sequence) {
        return numbers.computeIfAbsent(digest.getAsString(), text -> {
            proposals.add(proposal(sequence, 0, 0));
            return proposals.size();
        });
    }

    private String event(JsonObject event) {
        List<String> fields = new ArrayList<>();
        for (Map.Entry<String, JsonElement> field : event.entrySet()) {
            fields.add(field.getKey() + " |-> " + value(field.getKey(), field.getValue()));
        }
        return fields.stream().collect(Collectors.joining(", ", "[", "]"));
    }

    private String value(String name, JsonElement value) {
        return switch (name) {
            case "event" -> '"' + value.getAsString() + '"';
            case "digest", "stable" -> Integer.toString(number(value, 0));
            case "proposals" -> set(value.getAsJsonArray(), digest -> Integer.toString(number(digest, 0)));
            case "shown" -> value.isJsonArray() ? set(value.getAsJsonArray(), this::viewChange) : viewChange(value);
            case "view" -> view(value.getAsLong());
            default -> value.getAsString();
        };
    }

    private String view(long view) {
        viewMax = Math.max(viewMax, view);
        return Long.toString(view);
    }

    private String viewChange(JsonElement element) {
        JsonObject shown = element.getAsJsonObject();
        return "[from |-> %d, view |-> %s, stable |-> %s, prepared |-> %s]"
                .formatted(
                        shown.get("from").getAsInt(),
                        view(shown.get("view").getAsLong()),
                        number(shown.get("stable"), 0),
                        set(shown.getAsJsonArray("prepared"), this::certificate));
    }

    private String certificate(JsonElement element) {
        JsonObject certificate = element.getAsJsonObject();
        return "<<" + certificate.get("view").getAsLong() + ", " + number(certificate.get("digest"), 0) + ">>";
    }

    private static String set(JsonArray array, java.util.function.Function<JsonElement, String> text) {
        return StreamSupport.stream(array.spliterator(), false).map(text).collect(Collectors.joining(", ", "{", "}"));
    }

    /** Returns the text of the module. */
    String text() {
        return """
                ---- MODULE Run ----
                EXTENDS Integers
                ReplicaCount == %d
                FaultyReplicas == {%s}
                QuorumOf == %d
                WindowOf == %d
                ViewMax == %d
                Proposals == <<
                %s>>
                Events == <<
                %s>>
                ====
                """.formatted(
                        cluster.get("replicas").getAsInt(),
                        StreamSupport.stream(cluster.getAsJsonArray("faulty").spliterator(), false)
                                .map(JsonElement::getAsString)
                                .collect(Collectors.joining(", ")),
                        cluster.get("quorum").getAsInt(),
                        cluster.get("window").getAsInt(),
                        viewMax,
                        String.join(",\n", proposals),
                        String.join(",\n", events));
    }
}

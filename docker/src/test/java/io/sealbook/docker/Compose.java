package io.sealbook.docker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The compose file: services by name, each as its keys say. */
final class Compose {
    private final Map<String, Map<String, Object>> services = new LinkedHashMap<>();

    private Compose(Map<String, Object> file) {
        map(file.get("services")).forEach((name, service) -> services.put(name, map(service)));
    }

    static Compose read() {
        return new Compose(Repository.yaml(Repository.DOCKER.resolve("compose.yaml")));
    }

    List<String> names() {
        return List.copyOf(services.keySet());
    }

    Map<String, Object> service(String name) {
        return services.get(name);
    }

    List<String> command(String name) {
        return strings(service(name).get("command"));
    }

    /** Returns the command of a health check without its word CMD. */
    List<String> healthCommand(String name) {
        List<String> test = strings(map(service(name).get("healthcheck")).get("test"));
        return test.subList(1, test.size());
    }

    /** Returns the services that are started before this one. */
    Set<String> dependencies(String name) {
        return map(service(name).get("depends_on")).keySet();
    }

    /** Returns the published ports: host address, host port, container port. */
    List<List<String>> ports(String name) {
        List<List<String>> ports = new ArrayList<>();
        for (String port : strings(service(name).getOrDefault("ports", List.of()))) {
            ports.add(List.of(port.split(":")));
        }
        return ports;
    }

    /** Returns the Dockerfile of a service; of its image's other service when it builds none itself. */
    Dockerfile dockerfile(String name) {
        Object image = service(name).get("image");
        for (Map<String, Object> service : services.values()) {
            if (service.containsKey("build") && service.get("image").equals(image)) {
                return Dockerfile.read(Repository.ROOT.resolve(
                        (String) map(service.get("build")).get("dockerfile")));
            }
        }
        throw new IllegalArgumentException(name + ": no service builds the image " + image);
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    static List<String> strings(Object value) {
        return ((List<?>) value).stream().map(String::valueOf).toList();
    }
}

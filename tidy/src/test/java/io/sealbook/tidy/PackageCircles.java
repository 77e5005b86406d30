package io.sealbook.tidy;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** No package of a module needs, by whatever way round, a package that needs it. */
final class PackageCircles {
    static final String RULE = "circle";
    static final String REMEDY = "move a class, or let the lower package name an interface that the upper implements";

    private PackageCircles() {}

    /**
     * Returns an offence for each package that lies in a circle.
     *
     * @param module the module's folder
     * @param classes the module's own classes
     */
    static List<Offence> offences(String module, Iterable<JavaClass> classes) {
        Map<String, Map<String, String>> arrows = new TreeMap<>();
        Set<String> own = new TreeSet<>();
        classes.forEach(type -> own.add(type.getPackageName()));
        for (JavaClass type : classes) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                String target = dependency.getTargetClass().getPackageName();
                if (own.contains(target) && !target.equals(type.getPackageName())) {
                    arrows.computeIfAbsent(type.getPackageName(), from -> new TreeMap<>())
                            .putIfAbsent(
                                    target,
                                    type.getSimpleName() + " needs "
                                            + dependency.getTargetClass().getSimpleName());
                }
            }
        }
        List<Offence> offences = new ArrayList<>();
        for (String start : own) {
            List<String> circle = circle(start, arrows);
            if (!circle.isEmpty()) {
                offences.add(new Offence(RULE, module, 0, described(circle, arrows)));
            }
        }
        return offences;
    }

    /** Returns a shortest way from a package back to itself, with it at both ends; empty if there is none. */
    private static List<String> circle(String start, Map<String, Map<String, String>> arrows) {
        Map<String, String> cameFrom = new TreeMap<>();
        Deque<String> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            String at = open.remove();
            for (String next : arrows.getOrDefault(at, Map.of()).keySet()) {
                if (next.equals(start)) {
                    return way(start, at, cameFrom);
                }
                if (!cameFrom.containsKey(next)) {
                    cameFrom.put(next, at);
                    open.add(next);
                }
            }
        }
        return List.of();
    }

    private static List<String> way(String start, String last, Map<String, String> cameFrom) {
        List<String> way = new ArrayList<>(List.of(start));
        for (String at = last; !at.equals(start); at = cameFrom.get(at)) {
            way.add(1, at);
        }
        way.add(start);
        return way;
    }

    private static String described(List<String> circle, Map<String, Map<String, String>> arrows) {
        StringBuilder text = new StringBuilder(circle.get(0));
        for (int i = 1; i < circle.size(); i++) {
            text.append(" -> ").append(circle.get(i));
            text.append(" (")
                    .append(arrows.get(circle.get(i - 1)).get(circle.get(i)))
                    .append(')');
        }
        return text.toString();
    }
}

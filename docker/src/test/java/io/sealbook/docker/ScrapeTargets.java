package io.sealbook.docker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The targets that Prometheus scrapes. */
final class ScrapeTargets {
    private ScrapeTargets() {}

    /** One target of a job. */
    record Target(String job, String path, String host, int port, String node) {}

    /** How the targets of a job are reached. */
    record Job(String scheme, Map<String, Object> tls) {}

    static List<Job> jobs() {
        Map<String, Object> file = Repository.yaml(Repository.DOCKER.resolve("prometheus/prometheus.yml"));
        List<Job> jobs = new ArrayList<>();
        for (Object entry : (List<?>) file.get("scrape_configs")) {
            Map<String, Object> job = Compose.map(entry);
            jobs.add(new Job((String) job.get("scheme"), Compose.map(job.get("tls_config"))));
        }
        return jobs;
    }

    static List<Target> read() {
        Map<String, Object> file = Repository.yaml(Repository.DOCKER.resolve("prometheus/prometheus.yml"));
        List<Target> targets = new ArrayList<>();
        for (Object entry : (List<?>) file.get("scrape_configs")) {
            Map<String, Object> job = Compose.map(entry);
            for (Object group : (List<?>) job.get("static_configs")) {
                for (String address : Compose.strings(Compose.map(group).get("targets"))) {
                    String[] hostAndPort = address.split(":");
                    targets.add(new Target(
                            (String) job.get("job_name"),
                            (String) job.get("metrics_path"),
                            hostAndPort[0],
                            Integer.parseInt(hostAndPort[1]),
                            (String) Compose.map(Compose.map(group).get("labels"))
                                    .get("node")));
                }
            }
        }
        return targets;
    }
}

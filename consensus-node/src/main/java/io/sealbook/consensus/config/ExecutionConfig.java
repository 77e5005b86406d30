package io.sealbook.consensus.config;

import java.util.Map;

/**
 * Where blocks are executed, and by which engine if that is inside the node.
 *
 * @param mode {@link ExecutionMode#SEPARATED} in production
 * @param engine name of the engine inside the node; empty if it is separated
 * @param settings of that engine, by key without prefix; the engine checks them
 */
public record ExecutionConfig(ExecutionMode mode, String engine, Map<String, String> settings) {
    /** What a node in production runs. */
    public static final ExecutionConfig PRODUCTION = new ExecutionConfig(ExecutionMode.SEPARATED, "", Map.of());

    private static final String KEY = ExperimentConfig.PREFIX + "execution";
    private static final String ENGINE = ExperimentConfig.PREFIX + "engine";

    public ExecutionConfig {
        settings = Map.copyOf(settings);
        ConfigException.require(
                mode.isInProcess() != engine.isEmpty(),
                ENGINE + "='" + engine + "' does not fit " + KEY + "=" + Settings.spelling(mode)
                        + ": an engine inside the node has a name, a separated one has none");
        ConfigException.require(
                mode.isInProcess() || settings.isEmpty(),
                settings.keySet() + " are settings " + ENGINE + ".* of an engine inside the node, and " + KEY + " is "
                        + Settings.spelling(mode));
    }

    /** Reads the settings. */
    static ExecutionConfig of(Settings settings) {
        return new ExecutionConfig(
                settings.choice(KEY, PRODUCTION.mode),
                settings.text(ENGINE, PRODUCTION.engine),
                settings.section(ENGINE + "."));
    }
}

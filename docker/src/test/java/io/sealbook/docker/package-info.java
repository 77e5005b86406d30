/**
 * Holds the files of this module to the platform: the parsing tests to the poms and to the tool that writes a cluster,
 * {@link io.sealbook.docker.ContainersAsProcessesIT} to the built jars, whose commands it runs without a container
 * engine.
 */
package io.sealbook.docker;

/** Holds the files of this module to the poms and to the tool that writes a cluster. */
package io.sealbook.docker;

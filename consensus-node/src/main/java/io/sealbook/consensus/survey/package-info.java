/** What all members of a cluster say at about one moment, and what follows for the cluster as a whole. */
package io.sealbook.consensus.survey;

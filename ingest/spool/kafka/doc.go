// Package kafka keeps acknowledged submissions in a topic of Apache Kafka, in the
// place of a local spool: the edge's [Producer] acknowledges what all replicas in
// sync have; decoders are a consumer group, whose [Consumer] gives each partition
// of the topic to one of them as a spool, a [Partition].
//
// The archive says how far a partition is decoded, not the group: see docs/kafka.md.
package kafka

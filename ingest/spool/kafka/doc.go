// Package kafka stores acknowledged submissions in a topic of Apache Kafka instead of a local spool. The edge's
// [Producer] acknowledges a record once all in-sync replicas have it. Decoders are a consumer group: their
// [Consumer] assigns each partition of the topic to one of them as a spool, a [Partition].
//
// The archive stores the decoding position of a partition, not the group: see docs/kafka.md.
package kafka

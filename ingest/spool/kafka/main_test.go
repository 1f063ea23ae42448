package kafka

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/pingmill/pingmill/ingest/spool"
)

const topic = "pings"

// good are the settings of a topic that is a spool.
var good = map[string]string{
	"message.timestamp.type": "LogAppendTime", "max.message.bytes": "2097152", "min.insync.replicas": "2",
	"retention.ms": "-1",
}

// with is good with other settings.
func with(pairs ...string) map[string]string {
	m := maps.Clone(good)
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

// newCluster starts brokers with a topic of some partitions.
func newCluster(t *testing.T, partitions int32, settings map[string]string, opts ...kfake.Opt) *kfake.Cluster {
	t.Helper()
	c, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(3), kfake.DefaultNumPartitions(1)}, opts...)...)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	require.NoError(t, c.CreateTopic(topic, partitions, settings))
	return c
}

func configOf(t *testing.T, c *kfake.Cluster) Config {
	return Config{
		Target: Target{Brokers: c.ListenAddrs(), Topic: topic, Group: "g", Compression: "none", Timeout: 3 * time.Second},
		Now:    time.Now, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
}

func newTestProducer(t *testing.T, c Config) *Producer {
	t.Helper()
	p, err := NewProducer(t.Context(), c, 1<<20)
	require.NoError(t, err)
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func submission(id int) *spool.Record {
	return &spool.Record{
		URI:        fmt.Appendf(nil, "/submit/telemetry/%08d-0000-4000-8000-000000000000/main/Firefox/60.0/release/2018?v=4", id),
		RemoteAddr: []byte("192.0.2.1"), Headers: []spool.Header{{Name: []byte("Host"), Value: []byte("edge")}},
		Body: fmt.Appendf(nil, `{"n":%d}`, id),
	}
}

func send(t *testing.T, p *Producer, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		require.NoError(t, p.Append(context.Background(), submission(i)))
	}
}

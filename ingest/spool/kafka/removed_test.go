package kafka

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
)

// TestFailedDeletions: records with addresses of clients that cannot be deleted are logged, once in a while, and reported each time; they
// are tried again also when nothing new came.
func TestFailedDeletions(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "pings"))
	require.NoError(t, err)
	defer cluster.Close()
	var log bytes.Buffer
	var reported []error
	target, err := Parse("kafka://" + strings.Join(cluster.ListenAddrs(), ",") + "/pings")
	require.NoError(t, err)
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...))
	require.NoError(t, err)
	defer client.Close()
	require.NoError(t, client.ProduceSync(t.Context(), &kgo.Record{Topic: "pings", Value: []byte("x")},
		&kgo.Record{Topic: "pings", Value: []byte("y")}).FirstErr())
	c := &Consumer{member: client,
		o: Config{Target: target, Log: slog.New(slog.NewTextHandler(&log, nil)),
			Removed: func(_ context.Context, err error) { reported = append(reported, err) }}}
	p := &part{Partition: &Partition{}}
	p.committed.Store(1 << 40) // beyond the end of the log: brokers refuse to delete up to there
	for range 3 {
		c.commitParts(t.Context(), []*part{p})
	}
	require.Len(t, reported, 3, "a deletion that failed was not tried again")
	for _, err := range reported {
		assert.Error(t, err)
	}
	assert.Equal(t, 1, strings.Count(log.String(), "could not be deleted"), "%s", log.String())
	assert.EqualValues(t, 3, c.errors.Load())
	p.committed.Store(2)
	c.commitParts(t.Context(), []*part{p})
	assert.NoError(t, reported[3])
}

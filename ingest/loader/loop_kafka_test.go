package loader

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/claim"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/etl/live"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/spool"
	"github.com/pingmill/pingmill/ingest/spool/kafka"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

const kafkaTopic = "pings"

// topic is a topic of brokers in this process, and what was acknowledged.
type topic struct {
	t       *testing.T
	cluster *kfake.Cluster
	c       kafka.Config
	edge    *kafka.Producer
	config  ingest.Config
	live    live.Options

	mu    sync.Mutex
	acked acked
}

// acked are numbered document ids.
type acked []string

func (a acked) Len() int        { return len(a) }
func (a acked) ID(n int) string { return a[n] }
func (a acked) Find(id []byte) (int, bool) {
	return slices.BinarySearch(a, string(id))
}

var topicSettings = map[string]string{"message.timestamp.type": "LogAppendTime", "max.message.bytes": "2097152", "retention.ms": "-1"}

func newTopic(t *testing.T, partitions int32) *topic {
	t.Helper()
	c, err := kfake.NewCluster(kfake.NumBrokers(1))
	require.NoError(t, err)
	t.Cleanup(c.Close)
	require.NoError(t, c.CreateTopic(kafkaTopic, partitions, topicSettings))
	k := &topic{t: t, cluster: c, config: ingest.DefaultConfig(), c: kafka.Config{
		Target:  kafka.Target{Brokers: c.ListenAddrs(), Topic: kafkaTopic, Group: "g", Compression: "lz4", Timeout: 5 * time.Second},
		Session: 6 * time.Second,
		Now:     func() time.Time { return time.Now().Add(10 * time.Second) }, // past the margin for clocks
		Log:     slog.New(slog.NewTextHandler(t.Output(), nil)),
	}}
	k.edge, err = kafka.NewProducer(t.Context(), k.c, 1<<20)
	require.NoError(t, err)
	t.Cleanup(func() { _ = k.edge.Close() })
	return k
}

func docID(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }

// send has submissions acknowledged.
func (k *topic) send(from, to int) {
	for n := from; n < to; n++ {
		id := docID(n)
		r := &spool.Record{URI: []byte("/submit/telemetry/" + id + "/main/Firefox/60.0/release/20180301000000"),
			Body: []byte(`{"clientId":"` + sitetest.ClientOf(n) + `"}`)}
		if assert.NoError(k.t, k.edge.Append(context.Background(), r)) {
			k.mu.Lock()
			k.acked = append(k.acked, id)
			k.mu.Unlock()
		}
	}
}

// decoder is a process that decodes the topic.
type topicDecoder struct {
	t     *testing.T
	stop  chan struct{}
	kill  context.CancelFunc
	ended chan error
}

func (k *topic) decode(s *site.Site, group string) *topicDecoder {
	k.t.Helper()
	c := k.c
	c.Group = group
	consumer, err := kafka.NewConsumer(c)
	require.NoError(k.t, err)
	ctx, kill := context.WithCancel(context.Background())
	d := &topicDecoder{t: k.t, stop: make(chan struct{}), kill: kill, ended: make(chan error, 1)}
	go func() {
		d.ended <- consumer.Run(ctx, d.stop, func(ctx context.Context, stop <-chan struct{}, p *kafka.Partition) error {
			return Decode(ctx, s, DecodeOptions{
				Spool: p, Edge: p.Name(), Owner: group, Leave: true, Stop: stop, Decode: k.config, Workers: 1, Buffer: 8 << 20,
				ArchiveEvery: 100 * time.Millisecond, PublishEvery: time.Second, Live: k.live, Now: c.Now, Log: c.Log,
			})
		})
	}()
	k.t.Cleanup(kill)
	return d
}

func (d *topicDecoder) finish() {
	d.t.Helper()
	close(d.stop)
	assert.NoError(d.t, <-d.ended)
}

func (d *topicDecoder) die() {
	d.t.Helper()
	d.kill()
	assert.NoError(d.t, <-d.ended)
}

// account waits until all that was acknowledged is in the archive, once.
func (k *topic) account(s *site.Site) {
	k.t.Helper()
	k.mu.Lock()
	ids := slices.Clone(k.acked)
	k.mu.Unlock()
	slices.Sort(ids)
	ids = slices.Compact(ids)
	a, err := AwaitAccount(k.t.Context(), s.Archive, ids,
		AwaitOptions{Wait: 45 * time.Second, Every: 50 * time.Millisecond, Clock: clock.System()})
	require.NoError(k.t, err)
	assert.NoError(k.t, a.Err("the archive"))
	assert.EqualValues(k.t, len(ids), a.InPings)
	assert.Zero(k.t, a.Others)
}

// claims returns the archive's claims by edge.
func claims(t *testing.T, s *site.Site) map[string]claim.Record {
	t.Helper()
	all, err := claim.ReadAll(t.Context(), s.Archive)
	require.NoError(t, err)
	by := map[string]claim.Record{}
	for _, c := range all {
		by[c.Edge] = c
	}
	return by
}

func TestTopicIsDecodedOnceWhoeverDoes(t *testing.T) {
	t.Parallel()
	k := newTopic(t, 4)
	s := sitetest.Memory(t, store.NewMemory())
	k.send(0, 200)
	first := k.decode(s, "g")
	second := k.decode(s, "g")
	k.send(200, 400)
	k.send(100, 150) // again: the clients did not see the responses
	first.die()
	k.send(400, 500)
	third := k.decode(s, "g")
	k.send(500, 600)
	second.finish()
	k.send(600, 700)
	k.account(s)
	// All partitions are past the last submission, also those where none comes.
	now := time.Now().UnixNano()
	sitetest.WaitFor(t, "all partitions are past now", func() bool {
		all, err := edgestate.ReadProgress(t.Context(), s.Archive)
		require.NoError(t, err)
		return len(all) == 4 && !slices.ContainsFunc(all, func(p edgestate.Progress) bool { return p.Watermark <= now })
	})
	third.finish()
	var removed int64
	for _, p := range k.cluster.PartitionInfos(kafkaTopic) {
		removed += p.LogStartOffset
		assert.Equal(t, p.HighWatermark, p.LogStartOffset, "what is in the archive is removed")
	}
	assert.EqualValues(t, 750, removed)
}

// Two consumer groups are a misconfiguration: each assumes that all partitions are its
// own. The claims let one at a time commit.
func TestTopicWithTwoGroups(t *testing.T) {
	t.Parallel()
	k := newTopic(t, 2)
	k.c.Keep = true
	s := sitetest.Memory(t, store.NewMemory())
	var sending sync.WaitGroup
	sending.Go(func() { k.send(0, 600) })
	first := k.decode(s, "g1")
	second := k.decode(s, "g2")
	sending.Wait()
	k.account(s)
	first.finish()
	second.finish()
	k.account(s)
}

func TestTopicWithForeignMessages(t *testing.T) {
	t.Parallel()
	k := newTopic(t, 1)
	s := sitetest.Memory(t, store.NewMemory())
	cl, err := kgo.NewClient(kgo.SeedBrokers(k.c.Brokers...), kgo.DefaultProduceTopic(kafkaTopic), kgo.ProducerBatchMaxBytes(2<<20),
		kgo.ProducerBatchCompression(kgo.ZstdCompression()))
	require.NoError(t, err)
	defer cl.Close()
	foreign := func(value []byte) {
		require.NoError(t, cl.ProduceSync(t.Context(), &kgo.Record{Value: value}).FirstErr())
	}
	k.send(0, 3)
	foreign([]byte(`{"somebody":"else"}`))
	foreign(nil)
	k.send(3, 5)
	foreign([]byte("PMk\x02\x00\x00\x00\x00later"))
	foreign([]byte("PMk\x01\x00\x00\x00\x00cut"))
	foreign([]byte(strings.Repeat("0", 1<<20)))
	k.send(5, 8)
	d := k.decode(s, "g")
	sitetest.WaitFor(t, "all is decoded", func() bool { return claims(t, s)["kafka.pings.00000"].Offset == 13 })
	d.finish()
	assert.Len(t, sitetest.PingsOf(t, s.Archive), 8)
	var bodies []int
	found := errorsOf(t, s.Archive)
	days, err := archive.ErrorDays(t.Context(), s.Archive)
	require.NoError(t, err)
	require.Len(t, days, 1)
	e, err := archive.OpenErrors(t.Context(), s.Archive, days[0].Day)
	require.NoError(t, err)
	for r, err := range e.All(t.Context()) {
		require.NoError(t, err)
		assert.Equal(t, classRecord, r.Class)
		bodies = append(bodies, len(r.Body))
	}
	slices.Sort(bodies)
	assert.Equal(t, []int{0, 11, 13, 19, 1 << 20}, bodies)
	for i, want := range []string{"offset 3: it was not written", "offset 4: it has no value", "offset 7: it is of version 2",
		"offset 8: it is cut or changed", "offset 9: it was not written"} {
		assert.Contains(t, found[i], want)
	}
	assert.Zero(t, claims(t, s)["kafka.pings.00000"].Gaps)
}

// Gaps in the topic are reported, and decoding continues behind them.
func TestTopicThatLost(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lose func(k *topic)
		lost int64
		want string
	}{
		"by retention": {func(k *topic) { require.NoError(k.t, k.cluster.DeleteRecords(kafkaTopic, 0, 9)) }, 4,
			"4 messages, from offset 5 up to 8, were removed"},
		"itself": {func(k *topic) {
			require.NoError(k.t, k.cluster.DeleteTopic(kafkaTopic))
			require.NoError(k.t, k.cluster.CreateTopic(kafkaTopic, 1, topicSettings))
		}, 0, "deleted and made again"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newTopic(t, 1)
			s := sitetest.Memory(t, store.NewMemory())
			k.send(0, 5)
			d := k.decode(s, "g")
			k.account(s)
			d.finish()
			k.send(5, 9)
			k.acked = k.acked[:5]
			c.lose(k)
			assert.Eventually(t, func() bool { // an edge notices that the topic is another one
				return k.edge.Append(t.Context(), &spool.Record{URI: []byte("/x")}) == nil
			}, 20*time.Second, 50*time.Millisecond)
			k.send(9, 12)
			d = k.decode(s, "g")
			sitetest.WaitFor(t, "the rest is decoded", func() bool { return len(sitetest.PingsOf(t, s.Archive)) == 8 })
			d.finish()
			claim := claims(t, s)["kafka.pings.00000"]
			assert.EqualValues(t, 1, claim.Gaps)
			assert.Equal(t, c.lost, claim.Lost)
			assert.Contains(t, claim.Gap, c.want)
			found := errorsOf(t, s.Archive)
			assert.True(t, slices.ContainsFunc(found, func(e string) bool { return strings.Contains(e, c.want) }), "%v", found)
		})
	}
}

package kafka

import (
	"context"
	"crypto/rand"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/pingmill/pingmill/ingest/spool"
)

func TestAppendAcknowledgesWhatTheBrokersHave(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 4, good)
	p := newTestProducer(t, configOf(t, c))
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() { send(t, p, g*100, g*100+100) })
	}
	all.Wait()
	n := int64(0)
	for _, i := range c.PartitionInfos(topic) {
		assert.Positive(t, i.HighWatermark)
		n += i.HighWatermark
	}
	assert.EqualValues(t, 800, n)
	s := p.Stats()
	assert.EqualValues(t, 800, s.Records)
	assert.Zero(t, s.Failed)
	assert.NoError(t, p.Health(t.Context()))
	require.NoError(t, p.Close())
	assert.ErrorIs(t, p.Append(t.Context(), submission(1)), spool.ErrClosed)
}

func TestAppendNeverAcknowledgesWhatBrokersDoNotTake(t *testing.T) {
	t.Parallel()
	for _, e := range []*kerr.Error{kerr.NotEnoughReplicas, kerr.NotEnoughReplicasAfterAppend, kerr.TopicAuthorizationFailed,
		kerr.KafkaStorageError} {
		t.Run(e.Message, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, 1, good)
			o := configOf(t, c)
			o.Timeout = time.Second
			p := newTestProducer(t, o)
			send(t, p, 0, 1)
			h := c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: e, Count: -1})
			assert.ErrorIs(t, p.Append(t.Context(), submission(1)), spool.ErrUnavailable)
			assert.Error(t, p.Health(t.Context()))
			h.Remove()
			assert.Eventually(t, func() bool { return p.Append(t.Context(), submission(2)) == nil }, 20*time.Second, 50*time.Millisecond)
			assert.NoError(t, p.Health(t.Context()))
		})
	}
}

func TestAppendWithoutBrokers(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, good)
	o := configOf(t, c)
	o.Timeout = time.Second
	p := newTestProducer(t, o)
	send(t, p, 0, 1)
	c.Close()
	assert.ErrorIs(t, p.Append(t.Context(), submission(1)), spool.ErrUnavailable)
	// One waits, the others do not.
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { assert.ErrorIs(t, p.Append(t.Context(), submission(2)), spool.ErrUnavailable) })
	}
	all.Wait()
	assert.LessOrEqual(t, p.Stats().Queued, int64(64<<10))
}

// What was begun without brokers takes submissions when they come.
func TestProducerBeforeTheBrokers(t *testing.T) {
	t.Parallel()
	first := newCluster(t, 1, good)
	ports := make([]int, 0, 3)
	o := configOf(t, first)
	o.Timeout = time.Second
	for _, a := range first.ListenAddrs() {
		ports = append(ports, portOf(t, a))
	}
	first.Close()
	ctx := t.Context()
	p := &Producer{}
	var err error
	begun := make(chan struct{})
	go func() { p, err = NewProducer(ctx, o, 1<<20); close(begun) }()
	<-begun
	require.NoError(t, err)
	defer p.Close()
	assert.ErrorIs(t, p.Append(ctx, submission(1)), spool.ErrUnavailable)
	newCluster(t, 1, good, kfake.Ports(ports...))
	assert.Eventually(t, func() bool { return p.Append(ctx, submission(1)) == nil }, 30*time.Second, 100*time.Millisecond)
}

func TestAppendTooLarge(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, good)
	p := newTestProducer(t, configOf(t, c))
	r := submission(1)
	r.Body = make([]byte, 1<<20)
	_, _ = rand.Read(r.Body)
	require.NoError(t, p.Append(t.Context(), r))
	r.Body = make([]byte, 2<<20)
	assert.ErrorIs(t, p.Append(t.Context(), r), spool.ErrTooLarge)
	c.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.MessageTooLarge})
	assert.ErrorIs(t, p.Append(t.Context(), submission(2)), spool.ErrTooLarge)
	send(t, p, 3, 4)
}

func TestTopicThatCannotBeASpool(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		settings map[string]string
		want     string
	}{
		"times":   {with("message.timestamp.type", "CreateTime"), "message.timestamp.type is CreateTime, want LogAppendTime"},
		"compact": {with("cleanup.policy", "compact"), "cleanup.policy is compact"},
		"size": {with("max.message.bytes", "1048588"),
			"max.message.bytes is 1048588, want 1073152 or more, for the largest submission (edge.max-request)"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := NewProducer(t.Context(), configOf(t, newCluster(t, 1, c.settings)), 1<<20)
			var bad *SettingError
			require.ErrorAs(t, err, &bad)
			assert.ErrorContains(t, err, c.want)
		})
	}
	o := configOf(t, newCluster(t, 1, good))
	o.Topic = "other"
	_, err := NewProducer(t.Context(), o, 1<<20)
	assert.ErrorContains(t, err, "there is no topic other")
}

// TestTopicThatIsNew: no broker knows it yet when the edge starts.
func TestTopicThatIsNew(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 1, good)
	o := configOf(t, c)
	o.Topic = "late"
	values := map[string]*string{}
	for k, v := range good {
		values[k] = &v
	}
	made := make(chan error, 1)
	time.AfterFunc(3*findInterval, func() {
		cl, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...))
		if err == nil {
			defer cl.Close()
			_, err = kadm.NewClient(cl).CreateTopic(context.Background(), 1, 3, values, o.Topic)
		}
		made <- err
	})
	p, err := NewProducer(t.Context(), o, 1<<20)
	require.NoError(t, <-made)
	require.NoError(t, err)
	require.NoError(t, p.Close())
}

func TestAdviceAboutTopics(t *testing.T) {
	t.Parallel()
	c := newCluster(t, 2, with("min.insync.replicas", "1", "retention.ms", "3600000", "retention.bytes", "1000000",
		"unclean.leader.election.enable", "true"))
	p := newTestProducer(t, configOf(t, c))
	found, err := check(t.Context(), p.admin(), topic, 1000)
	require.NoError(t, err)
	assert.Len(t, found.Partitions, 2)
	for i, want := range []string{"replicas", "min.insync.replicas", "unclean", "retention.bytes", "retention.ms"} {
		if found.Replicas >= 3 {
			i--
		}
		if i >= 0 {
			assert.Contains(t, found.Advice[i], want)
		}
	}
}

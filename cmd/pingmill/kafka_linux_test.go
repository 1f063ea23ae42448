package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pingmill/pingmill/archive/claim"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/service"
	"github.com/pingmill/pingmill/tools/clienttest"
	"github.com/pingmill/pingmill/tools/generate"
	"github.com/pingmill/pingmill/tools/generate/send"
)

var (
	kafkaSubmissions = flag.Int64("kafka.submissions", 0,
		"submissions of TestKafka at least, and of each run of TestKafkaCost; 0: neither runs (make kafka)")
	kafkaTroubles = flag.Int("kafka.troubles", 12, "how often TestKafka kills or stops something")
)

const kafkaTopic = "pings"

var kafkaSettings = []string{"message.timestamp.type=LogAppendTime", "max.message.bytes=2097152", "segment.ms=10000"}

// topicPart returns a process of the service whose spool is a topic.
func topicPart(t *testing.T, bin, data, only, spool string, args ...string) *server {
	t.Helper()
	s := serverOf(t, bin, data)
	s.args = append([]string{"--only", only, "--spool", spool}, args...)
	if only != service.PartEdge {
		s.awaited = s.private
	}
	return s
}

// sendTo sends a population to an edge as fast as it is taken, or at a rate.
func sendTo(t *testing.T, edge *server, seed uint64, n int64, rate float64, ids *send.IDs) send.Report {
	t.Helper()
	g, err := generate.New(generate.Config{Seed: seed, Clients: int(n/3) + 10, Days: 3, MeanBytes: 16_000, Gzip: true, Damaged: 0.02,
		Duplicates: 0.02})
	require.NoError(t, err)
	to, err := url.Parse("http://" + edge.address)
	require.NoError(t, err)
	r, err := send.Run(context.Background(), g, send.Options{
		To: to, Rate: rate, Concurrency: 64, Retries: -1, Limit: n, Backoff: 50 * time.Millisecond, MaxBackoff: time.Second,
		Clock: clock.Clock{Now: time.Now, Wait: func(ctx context.Context, d time.Duration) error { return clock.Wait(ctx, min(d, time.Second)) }},
		IDs:   ids,
	})
	require.NoError(t, err)
	return r
}

// TestKafka sends populations to two edges as long as brokers, edges and decoders are
// killed or held up, and foreign messages come. In the end every
// acknowledged submission is in the archive once.
func TestKafka(t *testing.T) {
	if *kafkaSubmissions == 0 {
		t.Skip("it takes minutes, and needs Java and Maven: make kafka")
	}
	k := clienttest.NewKafka(t, 3)
	k.Topic(kafkaTopic, 4, 3, append(kafkaSettings, "min.insync.replicas=2")...)
	spool := "kafka://" + strings.Join(k.Brokers(), ",") + "/" + kafkaTopic
	data, bin := filepath.Join(t.TempDir(), "data"), newServer(t, t.TempDir()).bin
	edges := []*server{topicPart(t, bin, t.TempDir(), service.PartEdge, spool), topicPart(t, bin, t.TempDir(), service.PartEdge, spool)}
	decoders := []*server{
		topicPart(t, bin, data, service.PartDecode, spool, "--archive-every", "3s", "--publish-every", "1s"),
		topicPart(t, bin, data, service.PartDecode, spool, "--archive-every", "3s", "--publish-every", "1s"),
	}
	for _, s := range append(edges, decoders...) {
		s.start()
	}
	var sending sync.WaitGroup
	ids := make([]send.IDs, len(edges))
	trouble, over := context.WithCancel(t.Context())
	end := func() { over(); sending.Wait() }
	defer end()
	for i, e := range edges {
		sending.Go(func() {
			for round := uint64(0); round == 0 || trouble.Err() == nil; round++ {
				r := sendTo(t, e, 10*round+uint64(i+1), *kafkaSubmissions/2, 150, &ids[i])
				t.Logf("edge %d: %d acknowledged of %d, %d retries, answers %v, %.0f/s", i, r.Acknowledged, r.Submissions, r.Retries, r.Responses,
					r.Rate())
			}
		})
	}
	foreign := topicTrouble(t, k, edges, decoders)
	end()
	site := openSite(t, data)
	for i := range edges {
		a, err := loader.AwaitAccount(t.Context(), site.Archive, &ids[i],
			loader.AwaitOptions{Wait: 5 * time.Minute, Clock: clock.System()})
		require.NoError(t, err)
		t.Logf("account: %+v", a)
		assert.NoError(t, a.Err("the archive"))
	}
	for _, s := range append(edges, decoders...) {
		s.stop()
	}
	rejected := int64(0)
	groups, err := loader.RejectedGroups(t.Context(), site.Archive, loader.RejectedFilter{Classes: []string{"record"}})
	require.NoError(t, err)
	for _, g := range groups {
		rejected += g.Rows
	}
	assert.EqualValues(t, foreign, rejected, "foreign messages are kept, each once")
	claims, err := claim.ReadAll(t.Context(), site.Archive)
	require.NoError(t, err)
	for _, c := range claims {
		t.Logf("%s: offset %d, taken %d times, %d gaps", c.Edge, c.Offset, c.Taken, c.Gaps)
		assert.Zero(t, c.Gaps, c.Gap)
	}
	checkDirect(t, site)
}

// topicTrouble makes as much trouble as is asked for, and returns how many foreign messages it has sent.
func topicTrouble(t *testing.T, k *clienttest.Kafka, edges, decoders []*server) (foreign int) {
	t.Helper()
	r := rand.New(rand.NewPCG(*soakSeed, 7))
	cl, err := kgo.NewClient(kgo.SeedBrokers(k.Brokers()...), kgo.DefaultProduceTopic(kafkaTopic))
	require.NoError(t, err)
	defer cl.Close()
	for n := range *kafkaTroubles {
		time.Sleep(time.Second + time.Duration(r.Int64N(int64(3*time.Second))))
		require.NoError(t, cl.ProduceSync(t.Context(), &kgo.Record{Key: fmt.Append(nil, n), Value: []byte(`{"not":"ours"}`)}).FirstErr())
		foreign++
		broker, edge, decoder := r.IntN(len(k.Brokers())), edges[r.IntN(len(edges))], decoders[r.IntN(len(decoders))]
		switch n % 4 {
		case 0:
			t.Logf("broker %d is killed", broker)
			k.Kill(broker)
			time.Sleep(3 * time.Second)
			k.Start(broker)
		case 1:
			t.Log("a decoder is killed")
			decoder.kill()
			decoder.start()
		case 2:
			t.Log("an edge is killed")
			edge.kill()
			edge.start()
		case 3:
			t.Log("a decoder is held up for longer than it may be")
			require.NoError(t, decoder.cmd.Process.Signal(syscall.SIGSTOP))
			time.Sleep(40 * time.Second)
			require.NoError(t, decoder.cmd.Process.Signal(syscall.SIGCONT))
		}
	}
	return foreign
}

// TestKafkaCost measures what a submission costs with a local spool and with a topic
// of one broker, in one run each: edge and decoding in one process.
func TestKafkaCost(t *testing.T) {
	if *kafkaSubmissions == 0 {
		t.Skip("it takes minutes, and needs Java and Maven: make kafka")
	}
	k := clienttest.NewKafka(t, 1)
	k.Topic(kafkaTopic, 4, 1, kafkaSettings...)
	bin := newServer(t, t.TempDir()).bin
	for _, spool := range []string{"", "kafka://" + k.Brokers()[0] + "/" + kafkaTopic} {
		data := filepath.Join(t.TempDir(), "data")
		s := topicPart(t, bin, data, service.PartEdge+","+service.PartDecode, spool, "--archive-every", "5s")
		s.awaited = s.address
		brokers := k.Seconds()
		s.start()
		var ids send.IDs
		r := sendTo(t, s, 3, *kafkaSubmissions, 0, &ids)
		a, err := loader.AwaitAccount(t.Context(), openSite(t, data).Archive, &ids,
			loader.AwaitOptions{Wait: 3 * time.Minute, Clock: clock.System()})
		require.NoError(t, err)
		assert.NoError(t, a.Err("the archive"))
		cmd := s.cmd
		s.stop()
		used := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		n := float64(r.Acknowledged)
		t.Logf("spool %q: %.0f submissions a second, %.0f µs of processor each in the program, %.0f µs in the brokers; half of the "+
			"responses within %v, 99 %% within %v",
			spool, r.Rate(), used/n*1e6, (k.Seconds()-brokers)/n*1e6, r.Latency.P50, r.Latency.P99)
	}
}

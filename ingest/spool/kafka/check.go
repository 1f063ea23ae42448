package kafka

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/pingmill/pingmill/internal/clock"
)

// SettingError means the configuration of a topic does not meet the needs of a spool.
type SettingError struct{ text string }

func (e *SettingError) Error() string { return e.text }

// minRetention is the recommended minimum retention of a topic: decoding may be down over a weekend.
const minRetention = 72 * time.Hour

// settings are the rules for the configuration of the topic; need is the size of
// the largest message. A rule returns what is wrong; one that is strict keeps the edge from starting.
var settings = []struct {
	key    string
	strict bool
	check  func(value string, need int64) string
}{
	{"message.timestamp.type", true, func(v string, _ int64) string {
		return unless(v == "LogAppendTime", "want LogAppendTime: the brokers say when submissions arrived, in the order of the log")
	}},
	{"cleanup.policy", true, func(v string, _ int64) string {
		return unless(v == "delete", "want delete: with compact, submissions go that were not decoded")
	}},
	{"max.message.bytes", true, func(v string, need int64) string {
		n, err := strconv.ParseInt(v, 10, 64)
		return unless(err != nil || n >= need,
			fmt.Sprintf("want %d or more, for the largest submission (edge.max-request) with its headers", need))
	}},
	{"min.insync.replicas", false, func(v string, _ int64) string {
		return unless(v != "1", "want 2 or more of 3 replicas: what only one broker has is lost with its disk")
	}},
	{"unclean.leader.election.enable", false, func(v string, _ int64) string {
		return unless(v != "true", "want false: a broker that was behind could take acknowledged submissions back")
	}},
	{"retention.bytes", false, func(v string, _ int64) string {
		return unless(v == "-1", "want -1: submissions could go before they are decoded")
	}},
	{"retention.ms", false, func(v string, _ int64) string {
		n, err := strconv.ParseInt(v, 10, 64)
		return unless(err != nil || n < 0 || n >= minRetention.Milliseconds(),
			fmt.Sprintf("want %d or more: what was not decoded by then is lost", minRetention.Milliseconds()))
	}},
}

// Look connects to the brokers and checks that the topic can be a spool for submissions of up to maxBody bytes. It changes
// nothing. A *SettingError means that the brokers respond and the topic is unsuitable.
func Look(ctx context.Context, c Config, maxBody int64) (*Topic, error) {
	opts, err := c.client()
	if err != nil {
		return nil, err
	}
	cl, err := kgo.NewClient(opts...)
	if err != nil {
		return nil, fmt.Errorf("configure the client of %s: %w", c.Target.String(), err)
	}
	defer cl.Close()
	return check(ctx, kadm.NewClient(cl), c.Topic, maxBody+overhead)
}

func unless(ok bool, text string) string {
	if ok {
		return ""
	}
	return text
}

// Topic is the brokers' description of the topic.
type Topic struct {
	ID         string
	Partitions []int32
	Replicas   int      // the fewest of a partition
	Advice     []string // what should be otherwise
}

// check reads the topic's settings from the brokers and compares them with the needs of a spool with messages of up to
// need bytes. A *SettingError names the wrong setting.
func check(ctx context.Context, adm *kadm.Client, topic string, need int64) (*Topic, error) {
	t, err := find(ctx, adm, topic)
	if err != nil {
		return nil, err
	}
	if t.Replicas < 3 {
		t.Advice = append(t.Advice, fmt.Sprintf("the topic has %d replicas: want 3", t.Replicas))
	}
	all, err := adm.DescribeTopicConfigs(ctx, topic)
	var one kadm.ResourceConfig
	if err == nil {
		one, err = all.On(topic, nil)
	}
	if err == nil {
		err = one.Err
	}
	if isDenied(err) {
		t.Advice = append(t.Advice, "the settings of the topic are not known, since this user may not ask for them (DescribeConfigs)")
		return t, nil
	}
	if err != nil {
		return nil, fmt.Errorf("ask for the settings of topic %s: %w", topic, err)
	}
	values := map[string]string{}
	for _, c := range one.Configs {
		values[c.Key] = c.MaybeValue()
	}
	var bad []string
	for _, s := range settings {
		value, known := values[s.key]
		wrong := s.check(value, need)
		switch {
		case !known || wrong == "":
		case s.strict:
			bad = append(bad, fmt.Sprintf("%s is %s, %s", s.key, value, wrong))
		default:
			t.Advice = append(t.Advice, fmt.Sprintf("%s is %s, %s", s.key, value, wrong))
		}
	}
	if len(bad) > 0 {
		return nil, &SettingError{fmt.Sprintf("topic %s cannot be a spool: %s", topic, strings.Join(bad, "; "))}
	}
	return t, nil
}

// findFor is the time for which a request for an unknown topic is retried: a broker learns about topics a
// moment after their creation, and after its own start.
const (
	findFor      = 5 * time.Second
	findInterval = 200 * time.Millisecond
)

// find is describe for a topic that may be new.
func find(ctx context.Context, adm *kadm.Client, topic string) (t *Topic, err error) {
	for tries := int(findFor / findInterval); ; tries-- {
		t, err = describe(ctx, adm, topic)
		if unknown := new(SettingError); !errors.As(err, &unknown) || tries == 0 || clock.Wait(ctx, findInterval) != nil {
			return t, err
		}
	}
}

// describe finds the topic and its partitions.
func describe(ctx context.Context, adm *kadm.Client, topic string) (*Topic, error) {
	m, err := adm.Metadata(kadm.WithAuthorizedOps(ctx), topic) // else the client may give what it asked for 5 s ago
	if err != nil {
		return nil, fmt.Errorf("ask for topic %s: %w", topic, advise(err))
	}
	d := m.Topics[topic]
	if errors.Is(d.Err, kerr.UnknownTopicOrPartition) {
		return nil, &SettingError{fmt.Sprintf("there is no topic %s: make it, see docs/kafka.md", topic)}
	}
	if d.Err != nil {
		return nil, fmt.Errorf("ask for topic %s: %w", topic, d.Err)
	}
	t := &Topic{ID: d.ID.String(), Replicas: 1 << 20}
	for _, p := range d.Partitions.Sorted() {
		t.Partitions = append(t.Partitions, p.Partition)
		t.Replicas = min(t.Replicas, len(p.Replicas))
	}
	if len(t.Partitions) == 0 {
		return nil, fmt.Errorf("ask for topic %s: the broker names no partition", topic)
	}
	return t, nil
}

// advise adds what to set to the error of a client that speaks without TLS to a port with TLS. Some brokers answer with an alert,
// whose bytes look like the size of a huge response.
func advise(err error) error {
	for _, text := range []string{"requires TLS", "tls alert", "large response size"} {
		if strings.Contains(err.Error(), text) {
			return fmt.Errorf("the broker's port has TLS, or another protocol: set spool.kafka.tls, or correct the port (%w)", err)
		}
	}
	return err
}

// bounds returns the first and the end offset of a partition's log.
func bounds(ctx context.Context, adm *kadm.Client, topic string, partition int32) (start, end int64, err error) {
	for _, b := range []struct {
		to   *int64
		list func(context.Context, ...string) (kadm.ListedOffsets, error)
	}{{&start, adm.ListStartOffsets}, {&end, adm.ListEndOffsets}} {
		all, err := b.list(ctx, topic)
		if err != nil {
			return 0, 0, fmt.Errorf("ask for the offsets of topic %s: %w", topic, err)
		}
		o, ok := all.Lookup(topic, partition)
		if !ok {
			o.Err = kerr.UnknownTopicOrPartition
		}
		if o.Err != nil {
			return 0, 0, fmt.Errorf("ask for the offsets of topic %s, partition %d: %w", topic, partition, o.Err)
		}
		*b.to = o.Offset
	}
	return start, end, nil
}

// isDenied reports whether the brokers do not let this user do something.
func isDenied(err error) bool {
	return errors.Is(err, kerr.TopicAuthorizationFailed) || errors.Is(err, kerr.ClusterAuthorizationFailed)
}

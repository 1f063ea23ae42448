package glean

import (
	"math"
	"slices"
	"strconv"

	"github.com/pingmill/pingmill/ping"
	times "github.com/pingmill/pingmill/ping/glean"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/table/column"
)

// Stream makes a row of each event of a ping. It is not safe for concurrent use.
type Stream struct {
	*Pings
	at     map[string]int // columns by name
	extras map[string][]extra
}

// extra is a member of the column extras.
type extra struct {
	node *column.Node
	kind schema.Kind
}

// NewStream returns the transform of events_stream.
func NewStream(t *schema.Table) *Stream {
	s := &Stream{Pings: NewPings(t), at: map[string]int{}, extras: map[string][]extra{}}
	for i, c := range t.Columns {
		s.at[c.Name] = i
	}
	if i, ok := s.at["extras"]; ok {
		typed := column.NewBatch(t.Columns).Node(i)
		for _, in := range typed.Fields {
			for k, f := range in.Fields {
				key := in.Type.Fields[k].Source
				s.extras[key] = append(s.extras[key], extra{f, f.Type.Kind})
			}
		}
	}
	return s
}

// Append adds the rows of a ping to out. It reports false, with nothing added, for a ping without events.
func (s *Stream) Append(out *column.Batch, meta *ping.Meta, body []byte) (bool, error) {
	if err := s.own.Scan(s.program, body); err != nil {
		return false, err
	}
	return s.rows(out, meta, s.own.Value(s.root))
}

// AppendValue works like Append for a document that is a value of a scanned one.
func (s *Stream) AppendValue(out *column.Batch, meta *ping.Meta, document ping.Value) (bool, error) {
	doc, err := document.Scan(s.program)
	if err != nil {
		return false, err
	}
	return s.rows(out, meta, doc.Value(s.root))
}

func (s *Stream) rows(out *column.Batch, meta *ping.Meta, document ping.Value) (bool, error) {
	if meta.Automated() || !meta.Has(ping.DocumentID) || len(meta.Text(ping.DocumentID)) > maxText {
		return false, nil
	}
	elements, whole := document.Get(glean.Events).FirstElements(nil, maxElements)
	if !whole { // a ping has some hundred
		out.LeaveOut(s.at["event_name"])
	}
	d := s.shared(document)
	n, texts := 0, 0
	r := &s.row
	for i, e := range elements {
		if texts += d.size; texts > maxStream {
			out.LeaveOut(s.at["event_name"])
			continue
		}
		*r = row{out: out, meta: meta, text: r.text[:0], rest: r.rest, members: r.members[:0], values: r.values[:0]}
		if !eventEntry.fits(r, e) {
			out.LeaveOut(s.at["event_name"])
			continue
		}
		out.MaxText = maxText
		r.rest.reset()
		s.members(r, d.members)
		for _, op := range s.ops {
			op(r)
		}
		s.event(r, &d, e, i+1)
		out.EndRow()
		n++
	}
	return n > 0, nil
}

// maxStream limits the parts of a ping that are in the rows of all its events, in bytes.
const maxStream = 64 << 20

// shared holds the parts of a document that the row of each event has.
type shared struct {
	members       []ping.Member // without events and metrics
	info, metrics ping.Value
	text          []byte // of the metrics; nil: there are none
	size          int
}

// shared reads the document once for all events.
func (s *Stream) shared(document ping.Value) (d shared) {
	for _, m := range document.Members(nil) {
		switch string(m.Key) {
		case glean.Events:
			continue
		case glean.Metrics:
			if d.metrics = m.Value; m.Value.Kind() == ping.Object {
				d.text = AppendCompact(nil, m.Value.Raw())
				d.size += len(d.text)
			}
			continue
		case glean.PingInfo:
			d.info = m.Value
		}
		d.members = append(d.members, m)
		d.size += len(m.Value.Raw())
	}
	return d
}

// event writes the columns of an event.
func (s *Stream) event(r *row, d *shared, e ping.Value, number int) {
	text := func(name string, v []byte) {
		if i, ok := s.at[name]; ok {
			r.out.SetBytes(i, v)
		}
	}
	var category, name []byte
	category, _ = e.Get("category").Str(nil)
	name, _ = e.Get("name").Str(nil)
	text("event_category", category)
	text("event_name", name)
	full := name
	if len(category) > 0 {
		full = slices.Concat(category, []byte("."), name)
	}
	text("event", full)
	r.out.SetLong(s.at["document_event_number"], int64(number))
	text("event_id", strconv.AppendInt(append(slices.Clone(r.meta.Text(ping.DocumentID)), '-'), int64(number), 10))
	if reason, ok := d.info.Get("reason").Str(nil); ok {
		text("reason", reason)
	}
	extras := e.Get("extra")
	if at, ok := eventTime(d.info, e, extras); ok {
		r.out.SetLong(s.at["event_timestamp"], at)
	}
	if d.text != nil {
		text(glean.Metrics, d.text)
		s.uuid(r, d.metrics, "legacy_telemetry_client_id", "legacy.telemetry.client_id")
		s.uuid(r, d.metrics, "profile_group_id", "legacy.telemetry.profile_group_id")
	}
	if v := d.info.Get("experiments"); v.Kind() == ping.Object {
		f := field{node: r.out.Node(s.at["experiments"])}
		writeExperiments(r, &f, v)
	}
	if extras.Kind() == ping.Object {
		extraEntry.write(r, r.out.Start(s.at["event_extra"]), 0, extras)
		s.extra(r, extras)
	}
	if v := e.Get("session"); v.Kind() == ping.Object {
		sessionEntry.write(r, r.out.Start(s.at["session"]), 0, v)
	}
}

// uuid writes an id among the metrics.
func (s *Stream) uuid(r *row, metrics ping.Value, name, id string) {
	i, ok := s.at[name]
	if v, is := metrics.Get("uuid").Get(id).Str(nil); ok && is {
		r.out.SetBytes(i, v)
	}
}

// extra writes the extras that the definitions give a type.
func (s *Stream) extra(r *row, extras ping.Value) {
	for _, m := range r.membersOf(extras) {
		v, _ := m.Value.Str(nil)
		for _, x := range s.extras[string(m.Key)] {
			switch x.kind {
			case schema.Boolean:
				if is := string(v) == "true"; is || string(v) == "false" {
					column.StartNode(r.out, x.node)
					r.out.Bool(x.node, 0, is)
				}
			case schema.Long:
				if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
					column.StartNode(r.out, x.node)
					r.out.Long(x.node, 0, n)
				}
			default:
				r.setText(x.node, v)
			}
		}
	}
}

// The years whose times an event may have, in milliseconds since 1970.
const (
	firstMillis = -62135596800000 // 0001-01-01
	lastMillis  = 253402300799999 // 9999-12-31
)

// eventTime returns when an event happened: by the wall clock in its extras, or else by the begin of the ping.
func eventTime(info, event, extras ping.Value) (micros int64, ok bool) {
	if v, is := extras.Get("glean_timestamp").Str(nil); is {
		if ms, err := strconv.ParseInt(string(v), 10, 64); err == nil && ms >= firstMillis && ms <= lastMillis {
			return ms * 1000, true
		}
	}
	start, _ := info.Get("start_time").Str(nil)
	if micros, ok = times.Time(start); !ok {
		return 0, false
	}
	ms, ok := event.Get("timestamp").Integer64()
	if !ok || ms > (math.MaxInt64-max(micros, 0))/1000 || ms < 0 {
		return 0, false
	}
	return micros + ms*1000, true
}

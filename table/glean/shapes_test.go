package glean

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shapes makes documents of Glean's form with odd values.
type shapes struct{ *rand.Rand }

func (s shapes) pick(texts ...string) string { return texts[s.IntN(len(texts))] }

// value returns a value of a metric of the type, or of any other form.
func (s shapes) value(typ string) string {
	if s.IntN(4) == 0 {
		return s.odd(2)
	}
	if inner, is := strings.CutPrefix(typ, "labeled_"); is {
		return s.object(s.IntN(4), []string{"a", "", "__other__", "ä", "A"}, func() string { return s.value(inner) })
	}
	switch typ {
	case "boolean":
		return s.pick("true", "false")
	case "counter", "quantity":
		return s.integer()
	case "string_list":
		return "[" + s.pick("", `"a"`, `"a","b"`, `"a",null`, `"a",1`) + "]"
	case "datetime":
		return s.pick(`"2026-11-21T23:38:23.388+00:00"`, `"2026-11-21+02:00"`, `"x"`, `""`, `"2026-02-30+00:00"`)
	case "timespan":
		return s.object(3, []string{"time_unit", "value", "more"}, func() string { return s.pick(`"second"`, s.integer()) })
	case "rate":
		return s.object(3, []string{"numerator", "denominator", "more"}, s.integer)
	case "timing_distribution", "memory_distribution", "custom_distribution":
		return s.object(4, []string{"sum", "values", "count", "range"}, func() string {
			return s.pick(s.integer(), s.object(s.IntN(3), []string{"0", "1", "18446744073709551616"}, s.integer))
		})
	case "dual_labeled_counter":
		return s.object(s.IntN(3), []string{"k", "l"}, func() string { return s.object(s.IntN(3), []string{"c", "d"}, s.integer) })
	}
	return s.pick(`"text"`, `""`, `"\u0000 \ud800 \" \\ ü"`, `"5e6c8e3a-2d9a-4b56-8a51-00000000000a"`)
}

func (s shapes) integer() string {
	return s.pick("0", "1", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e3", "1.0",
		"123456789012345678901234567890")
}

func (s shapes) object(n int, names []string, value func() string) string {
	var members []string
	for range n {
		members = append(members, fmt.Sprintf("%q: %s", s.pick(names...), value()))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// odd returns any JSON value.
func (s shapes) odd(depth int) string {
	if depth > 0 && s.IntN(2) == 0 {
		inner := func() string { return s.odd(depth - 1) }
		return s.pick("["+inner()+" , "+inner()+"]", "[]", s.object(s.IntN(3), []string{"a", "values", "sum", ""}, inner))
	}
	return s.pick("null", "true", `"x"`, s.integer())
}

// metrics returns a member metrics.
func (s shapes) metrics() string {
	var members []string
	for range s.IntN(6) {
		typ := s.pick(append(types, "event", "other")...)
		members = append(members, fmt.Sprintf("%q:%s", typ,
			s.object(s.IntN(4), []string{"a.x", "a_x", "A.x", "b.y"}, func() string { return s.value(typ) })))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func (s shapes) events() string {
	return "[" + s.object(5, []string{"timestamp", "category", "name", "extra", "session"}, func() string {
		return s.pick(s.integer(), `"n"`, s.object(2, []string{"k", "session_id", "event_seq"}, func() string { return s.pick(`"v"`, "1") }))
	}) + "]"
}

func (s shapes) clientInfo() string {
	return s.object(4, []string{"client_id", "app_channel", "attribution", "distribution", "session_count", "odd"}, func() string {
		return s.pick(`"AAAAAAAA-0000-4000-8000-00000000000a"`, s.integer(),
			s.object(2, []string{"name", "source"}, func() string { return s.pick(`"v"`, "1") }))
	})
}

func (s shapes) pingInfo() string {
	return s.object(4, []string{"seq", "start_time", "experiments", "server_knobs_config", "odd"}, func() string {
		return s.pick(`"2026-11-21+00:00"`, s.integer(), s.object(1, []string{"e"}, func() string {
			return s.pick(`{"branch":"b"}`, `{"branch":"b","extra":{"type":"t","enrollment_id":"e"}}`, `{"branch":"b","extra":null}`, `{"branch":1}`,
				`{"x":1}`)
		}))
	})
}

func (s shapes) document() string {
	parts := map[string]string{"metrics": s.metrics(), "events": s.events(), "client_info": s.clientInfo(), "ping_info": s.pingInfo(),
		"$schema": `"x"`}
	var members []string
	for _, name := range []string{"$schema", "client_info", "events", "metrics", "ping_info"} {
		if s.IntN(6) > 0 {
			members = append(members, fmt.Sprintf("%q : %s", name, s.pick(parts[name], parts[name], parts[name], s.odd(1))))
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// TestPingShapes makes rows of documents of Glean's form with odd values: no part of them is lost or in two places.
func TestPingShapes(t *testing.T) {
	table := everyType(t)
	for seed := range uint64(1000) {
		document := shapes{rand.New(rand.NewPCG(seed, 1))}.document()
		row, leftOut, err := rowOf(t, table, document)
		require.NoError(t, err, document)
		require.Empty(t, leftOut)
		whole(t, document, row)
		if t.Failed() {
			t.Fatal(seed, document)
		}
	}
}

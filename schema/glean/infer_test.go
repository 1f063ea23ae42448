package glean

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/ping"
)

// inferredFrom returns the definitions of pings of an application, read again from their files. Each ping is its type, a
// blank and the document.
func inferredFrom(t testing.TB, pings ...string) (*Application, []string) {
	t.Helper()
	all := NewInference()
	for _, p := range pings {
		name, body, _ := strings.Cut(p, " ")
		require.NoError(t, all.Add(ping.DocType("app/"+name), []byte(body)))
	}
	return readInferred(t, all)["app"], all.Left()
}

func readInferred(t testing.TB, all *Inference) Definitions {
	t.Helper()
	written, err := all.Files()
	require.NoError(t, err)
	if len(written) == 0 {
		return nil
	}
	texts := map[string]string{}
	for name, content := range written {
		texts[name] = string(content)
	}
	defs, err := read(files(texts))
	require.NoError(t, err, "%v", texts)
	return defs
}

func (a *Application) metric(id, typ string) *Metric {
	for _, m := range a.Metrics {
		if m.ID == id && m.Type == typ {
			return m
		}
	}
	return nil
}

func TestInfer(t *testing.T) {
	app, left := inferredFrom(t,
		`one {"client_info":{"client_id":"x"},"ping_info":{},"metrics":{"counter":{"a.b":1},"boolean":{"a.yes":true}}}`,
		`two {"client_info":{},"ping_info":{},"metrics":{"quantity":{"a.b":1},"counter":{"a.b":2}}}`,
		`two {"metrics":{"datetime":{"a.b":"x"}},"events":[{"category":"c.d","name":"e","extra":{"k":"v","null":"1"}},{"name":"none"}]}`,
		`three {"metrics":{"counter":{"plain":1,"A.b":1,"a_b":1,"x.a_b":1,"x_a.b":1},"odd":{"a.c":1}}}`,
		`four {"other":1}`, `deletion-request {"metrics":{"counter":{"a.z":1}}}`, "Odd {}")
	require.Equal(t, []string{"one", "two"}, app.metric("a.b", "counter").Pings)
	require.Equal(t, "Seen in 2 pings.", app.metric("a.b", "counter").Description)
	require.Equal(t, []string{"two"}, app.metric("a.b", "quantity").Pings)
	require.NotNil(t, app.metric("a.yes", "boolean"))
	require.NotNil(t, app.metric("a.b", "datetime"))
	require.Equal(t, map[string]string{"k": "string", "null": "string"}, app.metric("c.d.e", Event).Extra)
	require.Equal(t, []string{"two"}, app.metric("c.d.e", Event).Pings)
	require.True(t, app.Ping("one").ClientID)
	require.True(t, app.Ping("one").WithInfo)
	require.False(t, app.Ping("one").WithoutInfo)
	require.True(t, app.Ping("two").WithInfo && app.Ping("two").WithoutInfo)
	require.False(t, app.Ping("three").InfoSection)
	require.Nil(t, app.Ping("four"))
	require.Nil(t, app.Ping("deletion-request"))
	require.Equal(t, []string{
		"metric A.b: no category and name in lower case", "metric a.c: no such type: odd", "metric a_b: no category and name in lower case",
		"metric none: no category and name in lower case", "metric plain: no category and name in lower case",
		"metric x_a.b: it has the column of x.a_b", "pings app/Odd", "pings app/four",
	}, left)
}

// TestInferBounds keeps a hostile ping from making definitions of any size.
func TestInferBounds(t *testing.T) {
	var metrics, extra strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&metrics, `,"a.m%d":1`, i)
	}
	for i := range 1000 {
		fmt.Fprintf(&extra, `,"k%d":""`, i)
	}
	app, left := inferredFrom(t, `one {"metrics":{"counter":{"a.m":1`+metrics.String()+
		`}},"events":[{"category":"c","name":"e","extra":{"k":""`+extra.String()+`}}]}`)
	require.LessOrEqual(t, len(app.Metrics), maxMetrics)
	require.Len(t, left, maxLeft)
	app, left = inferredFrom(t, `one {"events":[{"category":"c","name":"e","extra":{"k":""`+extra.String()+`}}]}`)
	require.Len(t, app.metric("c.e", Event).Extra, maxExtras)
	require.Equal(t, []string{"extra keys of event c.e"}, left)
}

// FuzzInfer reads what is inferred from any document.
func FuzzInfer(f *testing.F) {
	f.Add("one", `{"client_info":{"client_id":"x"},"ping_info":{},"metrics":{"counter":{"a.b":1,"a_b.c":1,"a.b_c":2},`+
		`"datetime":{"a.b":"x","raw.a_b":""}}}`)
	f.Add("two", `{"events":[{"category":"a.b","name":"c","extra":{"y":"","<<":"","~":"","1":""}},7]}`)
	f.Add("metrics", `{"metrics":{"boolean":{"on.off":true,"null.true":1,"y.n":0,"glean.baseline_duration":1}}}`)
	f.Fuzz(func(t *testing.T, name, document string) {
		all := NewInference()
		if all.Add(ping.DocType("app/"+name), []byte(document)) != nil {
			return
		}
		app := readInferred(t, all)["app"]
		if app != nil && len(all.Left()) == 0 && all.Pings > 0 {
			require.NotNil(t, app.Ping(name))
		}
	})
}

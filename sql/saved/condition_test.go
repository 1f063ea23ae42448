package saved

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/sql/saved/alert"
)

// TestCondition: what each kind looks at, and values as results have them.
func TestCondition(t *testing.T) {
	before := 10.0
	for _, c := range []struct {
		c      Condition
		cell   any
		before *float64
		want   any // whether it holds, or an error
	}{
		{Condition{Kind: "rows", Is: ">", Than: 3}, nil, nil, false},
		{Condition{Kind: "rows", Is: "=", Than: 3}, "text", nil, true},
		{Condition{Kind: "value", Is: ">=", Than: 12.5}, "12.50", nil, true},
		{Condition{Kind: "value", Is: "<", Than: 1}, true, nil, false},
		{Condition{Kind: "value", Is: "!=", Than: 9007199254740992}, int64(9007199254740992), nil, false},
		{Condition{Kind: "value", Is: "<=", Than: 0}, nil, nil, false},
		{Condition{Kind: "value", Is: ">", Than: 0}, "many", nil, "no number"},
		{Condition{Kind: "value", Is: ">", Than: 0}, []any{1}, nil, "no number"},
		{Condition{Kind: "value", Is: ">", Than: 0}, math.Inf(1), nil, "Inf"},
		{Condition{Kind: "value", Is: ">", Than: 0}, "NaN", nil, "NaN"},
		{Condition{Kind: "value", Column: "other", Is: ">", Than: 0}, 1.0, nil, "no column"},
		{Condition{Kind: "change", Is: "<=", Than: -50}, 5, &before, true},
		{Condition{Kind: "change", Is: ">", Than: 20}, json.Number("12"), &before, false},
		{Condition{Kind: "change", Is: ">", Than: 1}, 5.0, nil, false},
		{Condition{Kind: "change", Is: ">", Than: 1000}, int32(1), new(float64), true},
		{Condition{Kind: "change", Is: "=", Than: 0}, float32(0), new(float64), true},
		{Condition{Kind: "error"}, 1.0, nil, false},
	} {
		require.NoError(t, c.c.check())
		require.NotEmpty(t, c.c.String())
		a := Answer{Columns: []string{"n"}, First: []any{c.cell}, Rows: 3}
		value, err := c.c.value(a)
		if want, isText := c.want.(string); isText {
			require.ErrorContains(t, err, want, "%+v", c)
			continue
		}
		require.NoError(t, err, "%+v", c)
		require.Equal(t, c.want, c.c.holds(a, value, c.before), "%+v", c)
	}
	for _, c := range []Condition{{Kind: "x"}, {Kind: "rows"}, {Kind: "rows", Is: "~"}, {Kind: "value", Is: ">", Than: math.NaN()}} {
		require.Error(t, c.check())
	}
	c := &Condition{Kind: "value", Is: ">", Than: 0}
	value, err := c.value(Answer{Columns: []string{"n"}})
	require.NoError(t, err)
	require.Nil(t, value, "there is no row")
}

// FuzzSchedule: what people send as a query with its chart and as a schedule is kept as it is understood, or refused.
func FuzzSchedule(f *testing.F) {
	for _, s := range []string{
		`{"title":"t","sql":"SELECT {{a}}","chart":{"kind":"bar","y":["n"]},"tags":["A  ` +
			`b"],"parameters":[{"name":"a","kind":"days","default":{"from":"today","to":"today"}}]}`,
		`{"title":"t","sql":"SELECT 1","every":"0 7 * * *","timezone":"UTC","condition":{"kind":"rows","is":">","than":1e308},` +
			`"notify":[{"kind":"mail","to":"a@b.c"}]}`,
		`{"title":"t","sql":"{{d}}","every":"1h","parameters":{"d":["x",1]},"chart":{"kind":"pie"}}`, `{"every":"@every 1ns"}`, `[]`,
	} {
		f.Add([]byte(s))
	}
	sender := alert.New(alert.Config{Hosts: []string{"*.example.org"}})
	now := time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text []byte) {
		var d Doc
		if json.Unmarshal(text, &d) == nil && d.Clean() == nil {
			encoded, err := json.Marshal(d)
			require.NoError(t, err)
			var again Doc
			require.NoError(t, json.Unmarshal(encoded, &again))
			require.NoError(t, again.Clean(), "%s", encoded)
		}
		var sc Schedule
		if json.Unmarshal(text, &sc) == nil && sc.clean(&Query{Doc: d}, sender, now) == nil {
			_, err := json.Marshal(sc)
			require.NoError(t, err)
			next, err := sc.next(now)
			require.NoError(t, err)
			require.True(t, next.After(now))
		}
	})
}

package quality

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/internal/clock"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// columnOf returns the profile of a column.
func columnOf(t testing.TB, p *Profile, name string) Column {
	t.Helper()
	for _, c := range p.Columns {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no column %s", name)
	return Column{}
}

// crashes returns rows of crash_summary: of n clients, each with two rows.
func crashes(n int, more func(i int, row map[string]any)) (rows []map[string]any) {
	for i := range 2 * n {
		row := map[string]any{"client_id": fmt.Sprintf("client %d", i/2), "normalized_channel": "release"}
		if more != nil {
			more(i, row)
		}
		rows = append(rows, row)
	}
	return rows
}

func tableOf(t testing.TB, s *site.Site, name string) *lake.Table {
	t.Helper()
	lt, err := s.Table(name)
	require.NoError(t, err)
	return lt
}

// TestProfile: all kinds of columns, with numbers that can be counted by hand.
func TestProfile(t *testing.T) {
	s := sitetest.Local(t)
	lt := tableOf(t, s, "crash_summary")
	sitetest.Publish(t, lt, "20180301", "aaaa", "", crashes(100, func(i int, row map[string]any) {
		if i%4 == 0 {
			row["normalized_channel"] = "beta"
		}
		if i < 18 { // nine clients
			row["normalized_channel"] = "secret"
		}
		row["profile_created"], row["build_id"] = json.Number(fmt.Sprint(17000+i)), fmt.Sprint(i%3)
		row["experiments"] = map[string]any{}
		if i%2 == 0 {
			row["experiments"] = map[string]any{"one": "a", "two": "b"}
		}
		if i%10 == 0 {
			row["experiments"] = nil
		}
		row["e10s_enabled"] = i%5 > 0
		row["payload"] = map[string]any{"processType": "content", "metadata": map[string]any{"StartupTime": "1"}}
	}))
	p, err := Compute(t.Context(), s, lt, "20180301", Options{})
	require.NoError(t, err)
	require.EqualValues(t, []int64{200, 200, 100, 1}, []int64{p.Rows, p.Read, p.Clients, int64(p.Files)})
	c := columnOf(t, p, "normalized_channel")
	require.Equal(t, []Value{{"release", 137}, {"beta", 45}}, c.Top)
	require.EqualValues(t, []int64{0, 3, 18, 18}, []int64{c.Nulls, c.Distinct, c.Other, c.Least}, "nine clients are not listed")
	require.Equal(t, Column{Name: "client_id", Kind: Others}, columnOf(t, p, "client_id"), "no id is listed")
	require.Empty(t, columnOf(t, p, "profile_created").Top)
	require.EqualValues(t, 200, columnOf(t, p, "country").Nulls)
	require.Equal(t, []Value{{"true", 160}, {"false", 40}}, columnOf(t, p, "e10s_enabled").Top)
	e := columnOf(t, p, "experiments")
	require.EqualValues(t, []int64{20, 100}, []int64{e.Nulls, e.Empty})
	require.Equal(t, []Value{{"one", 80}, {"two", 80}}, e.Top)
	require.Equal(t, &Distribution{Max: 2, Mean: 160.0 / 180, Quantiles: [5]float64{0, 0, 0, 2, 2}}, e.Numbers)
	m := columnOf(t, p, "payload.metadata")
	require.Equal(t, "payload", m.TableColumn())
	require.Equal(t, []Value{{"StartupTime", 200}}, m.Top)
	require.EqualValues(t, 200, columnOf(t, p, "payload.version").Nulls)
	for _, check := range p.Checks {
		require.NotEmpty(t, check.Verdict, check.Name)
	}
	require.Len(t, p.Checks, 3)
}

// TestProfileOfMany: beyond what is counted exactly, rows stay within what is stated, and a part of them is scaled.
func TestProfileOfMany(t *testing.T) {
	s := sitetest.Local(t)
	lt := tableOf(t, s, "crash_summary")
	n := 80_000
	sitetest.Publish(t, lt, "20180301", "aaaa", "", crashes(n, func(i int, row map[string]any) {
		row["os_version"] = fmt.Sprint(i % 7000) // too many to distinguish
		if i%4 == 3 {
			row["os_version"] = "10.0"
		}
		row["payload"] = map[string]any{"version": json.Number(fmt.Sprint(i))}
	}))
	p, err := Compute(t.Context(), s, lt, "20180301", Options{})
	require.NoError(t, err)
	require.InEpsilon(t, n, p.Clients, 0.02)
	c := columnOf(t, p, "os_version")
	require.InEpsilon(t, 5251, c.Distinct, 0.05)
	require.Equal(t, Value{"10.0", int64(n / 2)}, c.Top[0])
	require.GreaterOrEqual(t, c.Least, int64(2*n/7000))
	q := columnOf(t, p, "payload.version").Numbers
	for i, share := range Shares {
		require.InDelta(t, share*float64(2*n), q.Quantiles[i], float64(2*n)/50)
	}
}

// TestEnough: of many rows some files are read, in the order of samples.
func TestEnough(t *testing.T) {
	files := []lake.File{{Name: "c", Lo: 100, Rows: 1}, {Name: "a", Lo: 0, Rows: 60}, {Name: "b", Lo: 1, Rows: 60}}
	require.Len(t, enough(files, 50), 1)
	require.Equal(t, "a", enough(files, 50)[0].Name)
	require.Len(t, enough(files, 100), 2)
	require.Len(t, enough(files, 1000), 3)
}

// TestRemade: partitions of any process are profiled, again when they change, and profiles are removed with their day.
func TestRemade(t *testing.T) {
	s := sitetest.Local(t)
	sitetest.DayPings(t, s.Archive, 1, 40, "20180301", "20180302")
	etltest.Run(t, s, etl.RunOptions{Tables: sitetest.AllTables, Days: []string{"20180301", "20180302"}})
	var made []string
	c := &sitetest.Clock{}
	c.Set(sitetest.At(5).UnixNano())
	k := newKeeper(s, KeepOptions{Clock: clock.Clock{Now: c.Now, Wait: sitetest.NoWait}, Made: func(table string, _ time.Duration, err error) {
		require.NoError(t, err)
		made = append(made, table)
	}})
	round := func() []string {
		made = nil
		require.NoError(t, k.round(t.Context()))
		return made
	}
	require.Len(t, round(), 2*len(s.Tables))
	require.Empty(t, round())
	k = newKeeper(s, k.o)
	require.Empty(t, round(), "after a restart")
	lt := tableOf(t, s, "crash_summary")
	h, err := ReadHead(t.Context(), lt, "20180301")
	require.NoError(t, err)
	sitetest.Publish(t, lt, "20180301", "bbbb", "", crashes(3, nil))
	require.Equal(t, []string{"crash_summary"}, round())
	again, err := ReadHead(t.Context(), lt, "20180301")
	require.NoError(t, err)
	require.NotEqual(t, h.Generation, again.Generation)
	require.NoError(t, store.WriteFile(t.Context(), lt.Bucket(), name(lt, "20180302"), []byte(`{"format":99}`+"\n")))
	require.Empty(t, round(), "it is looked at when the program starts")
	k = newKeeper(s, k.o)
	require.Empty(t, round(), "of a newer version")
	require.NoError(t, store.WriteFile(t.Context(), lt.Bucket(), name(lt, "20180302"), []byte(`{"format":-1}`+"\n")))
	k = newKeeper(s, k.o)
	require.Equal(t, []string{"crash_summary"}, round())
	require.NoError(t, lt.Expire(t.Context(), "20180301"))
	require.Empty(t, round())
	days, err := Days(t.Context(), lt)
	require.NoError(t, err)
	require.Equal(t, []string{"20180302"}, days)
}

// TestDamaged: a partition that cannot be read keeps no other waiting, and is tried again later.
func TestDamaged(t *testing.T) {
	s := sitetest.Local(t)
	lt := tableOf(t, s, "crash_summary")
	sitetest.Publish(t, lt, "20180301", "aaaa", "", crashes(3, nil))
	m := sitetest.Publish(t, lt, "20180302", "aaaa", "", crashes(3, nil))
	file := lt.Paths(t.Context(), m)(m.Files[0].Name)
	require.NoError(t, store.WriteFile(t.Context(), lt.Bucket(), file, []byte("no parquet")))
	failed := 0
	c := &sitetest.Clock{}
	c.Set(sitetest.At(5).UnixNano())
	k := newKeeper(s, KeepOptions{Clock: clock.Clock{Now: c.Now, Wait: sitetest.NoWait}, Made: func(_ string, _ time.Duration, err error) {
		if err != nil {
			failed++
		}
	}})
	require.NoError(t, k.round(t.Context()))
	require.NoError(t, k.round(t.Context()))
	require.Equal(t, 1, failed, "it rests first")
	_, err := ReadHead(t.Context(), lt, "20180301")
	require.NoError(t, err)
	c.Set(sitetest.At(6).UnixNano())
	require.NoError(t, k.round(t.Context()))
	require.Equal(t, 2, failed)
}

// TestNatures: each is of a column or member that some table has.
func TestNatures(t *testing.T) {
	names := map[string]bool{}
	for _, table := range sitetest.Tables(sitetest.Probes(t)) {
		for i := range table.Columns {
			for _, f := range fieldsOf(&table.Columns[i]) {
				if n := natureOf(f.Name); n != schema.Plain {
					names[f.Name] = true
				}
			}
		}
	}
	for _, want := range []string{"document_id", "client_id", "metadata.timestamp", "payload.crashDate", "sample_id"} {
		require.True(t, names[want], want)
	}
}

package format

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/schema"
)

func columns(types ...string) (cols []schema.Column) {
	for i, text := range types {
		cols = append(cols, schema.Column{Name: string(rune('a' + i)), Type: schema.MustType(text), Doc: "doc of " + text})
	}
	return cols
}

// TestEvolve keeps ids, gives new columns the next ones, and never gives one again.
func TestEvolve(t *testing.T) {
	s, last, changed, err := Evolve(nil, 0, columns("string", "map<string,int>", "array<struct<x:long,y:decimal(10,2)>>"))
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, 8, last)
	require.Equal(t, "decimal(10, 2)", s.Fields[2].Type.Nested.Element.Nested.Fields[1].Type.Name)
	b, err := json.Marshal(s)
	require.NoError(t, err)
	var again Schema
	require.NoError(t, json.Unmarshal(b, &again))
	_, _, changed, err = Evolve(&again, last, columns("string", "map<string,int>", "array<struct<x:long,y:decimal(10,2)>>"))
	require.NoError(t, err)
	require.False(t, changed)

	more, last, changed, err := Evolve(s, last, columns("string", "map<string,int>", "array<struct<x:long,z:int,y:decimal(10,2)>>", "double"))
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, 10, last)
	require.Equal(t, 10, more.Find("d").ID)
	require.Equal(t, s.Find("c").ID, more.Find("c").ID)
	fewer, last, _, err := Evolve(more, last, columns("string"))
	require.NoError(t, err)
	back, _, _, err := Evolve(fewer, last, columns("string", "map<string,int>"))
	require.NoError(t, err)
	require.Equal(t, 11, back.Find("b").ID, "a column that comes back is another one")

	for _, other := range [][]string{{"long"}, {"map<string,int>"}, {"array<string>"}} {
		_, _, _, err := Evolve(s, last, columns(other...))
		require.ErrorIs(t, err, ErrRetyped, other)
	}
}

func table(t testing.TB) *Metadata {
	t.Helper()
	s, last, _, err := Evolve(nil, 0, columns("string", "map<string,int>"))
	require.NoError(t, err)
	m, err := New("7c9c8e3a-2d9a-4b56-8a51-0123456789ab", "file:///x", s, last, "a", map[string]string{"p": "v"}, 1000)
	require.NoError(t, err)
	return m
}

// TestMetadata goes through the life of a table, and keeps what it does not know.
func TestMetadata(t *testing.T) {
	m := table(t)
	for i := range int64(30) {
		next := &Snapshot{ID: i + 1, Parent: m.CurrentSnapshotID, Sequence: i + 1, Time: 1000 + i, ManifestList: "file:///x/l",
			Summary: map[string]string{"operation": "append"}, SchemaID: &m.CurrentSchemaID}
		n, err := m.Apply(AddSnapshot(next), "file:///x/before", 900) // a clock that is behind
		require.NoError(t, err)
		b, err := n.Encode()
		require.NoError(t, err)
		b = []byte(strings.Replace(string(b), "{", `{"statistics":[{"of":"others"}],`, 1))
		m, err = Parse(b)
		require.NoError(t, err)
	}
	require.EqualValues(t, 1000, m.LastUpdated)
	require.Len(t, m.MetadataLog, metadataLog)
	require.Len(t, m.Snapshots, 30)
	_, err := m.Apply([]Update{RemoveSnapshots([]int64{30})}, "", 0)
	require.Error(t, err, "the current one stays")
	m, err = m.Apply([]Update{RemoveSnapshots([]int64{1, 2, 3, 29})}, "", 0)
	require.NoError(t, err)
	require.Len(t, m.Snapshots, 26)
	require.Len(t, m.SnapshotLog, 1)
	more, last, _, err := Evolve(m.Schema(), m.LastColumnID, columns("string", "map<string,int>", "int"))
	require.NoError(t, err)
	m, err = m.Apply(AddSchema(more, last), "", 0)
	require.NoError(t, err)
	require.Len(t, m.Schemas, 2)
	require.NotNil(t, m.Schema().Find("c"))
	b, err := m.Encode()
	require.NoError(t, err)
	require.Contains(t, string(b), `"statistics":[{"of":"others"}]`)
	_, err = m.Apply([]Update{{Action: "no such"}}, "", 0)
	require.Error(t, err)
}

func TestBadMetadata(t *testing.T) {
	b, err := table(t).Encode()
	require.NoError(t, err)
	for what, bad := range map[string]string{
		"nothing": "", "no object": "[]", "half": string(b[:len(b)/2]), "empty": "{}",
		"version 1":   strings.Replace(string(b), `"format-version":2`, `"format-version":1`, 1),
		"version 3":   strings.Replace(string(b), `"format-version":2`, `"format-version":3`, 1),
		"no schema":   strings.Replace(string(b), `"current-schema-id":1`, `"current-schema-id":7`, 1),
		"no spec":     strings.Replace(string(b), `"default-spec-id":0`, `"default-spec-id":7`, 1),
		"no snapshot": strings.Replace(string(b), `"current-snapshot-id":-1`, `"current-snapshot-id":5`, 1),
		"half a type": strings.Replace(string(b), `"type":"map"`, `"type":"list"`, 1),
		"no identity": strings.Replace(string(b), `"table-uuid":"7`, `"table-uuid-":"7`, 1),
		"wrong types": strings.Replace(string(b), `"last-updated-ms":1000`, `"last-updated-ms":"x"`, 1),
		"other sequence": strings.Replace(string(b), `"snapshots":[]`, `"snapshots":[{"snapshot-id":1,"sequence-number":9,"manifest-list":"x"}]`,
			1),
	} {
		require.NotEqual(t, string(b), bad, what)
		_, err := Parse([]byte(bad))
		require.ErrorIs(t, err, ErrMetadata, what)
	}
}

func manifestOf(t testing.TB) []byte {
	t.Helper()
	m := table(t)
	one := int64(1)
	f := DataFile{Path: "file:///x/f", Format: "PARQUET", Partition: map[string]any{"a": "20180301"}, Rows: 3, Bytes: 9}
	f.Bounds(1, "1", "9")
	b, err := EncodeManifest(m.Schema(), m.Spec(),
		[]Entry{{Status: Added, SnapshotID: &one, File: f}, {Status: Deleted, SnapshotID: &one, Sequence: &one, File: f}})
	require.NoError(t, err)
	return b
}

func TestManifest(t *testing.T) {
	all, err := DecodeManifest(manifestOf(t))
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Equal(t, "20180301", all[0].File.Partition["a"])
	require.Nil(t, all[0].Sequence)
	require.Equal(t, []byte("9"), (*all[0].File.Upper)[0].Value)
	var m ManifestFile
	m.Count(all, 7)
	require.Equal(t, [3]int64{3, 0, 3}, [3]int64{m.AddedRows, m.ExistingRows, m.DeletedRows})
	require.EqualValues(t, 7, m.MinSequence)
	m.Path = "file:///x/m"
	b, err := EncodeList(&Snapshot{ID: 1, Sequence: 7}, []ManifestFile{m})
	require.NoError(t, err)
	list, err := DecodeList(b)
	require.NoError(t, err)
	require.Equal(t, []ManifestFile{m}, list)
	_, err = DecodeManifest(b)
	require.Error(t, err, "a list is no manifest")
	_, err = DecodeList(manifestOf(t))
	require.Error(t, err, "a manifest is no list")
}

func FuzzMetadata(f *testing.F) {
	b, err := table(f).Encode()
	require.NoError(f, err)
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Parse(b)
		if err != nil {
			return
		}
		out, err := m.Encode()
		require.NoError(t, err)
		_, err = Parse(out)
		require.NoError(t, err)
		_, _ = m.Schema().NameMapping()
		_, _, _, _ = Evolve(m.Schema(), m.LastColumnID, columns("string", "map<string,int>"))
	})
}

func FuzzManifest(f *testing.F) {
	f.Add(manifestOf(f))
	f.Fuzz(func(_ *testing.T, b []byte) {
		_, _ = DecodeManifest(b)
		_, _ = DecodeList(b)
	})
}

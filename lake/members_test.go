package lake

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// present marks the structs of a type as those that every row has.
func present(t schema.Type) schema.Type {
	t.Present = t.Kind == schema.Struct
	t.Fields = slices.Clone(t.Fields)
	for i := range t.Fields {
		t.Fields[i].Type = present(t.Fields[i].Type)
	}
	return t
}

// A struct that every row has may get members: rows of a file without them have null there, and can be written again.
func TestReadMembers(t *testing.T) {
	col := func(typ string) []schema.Column {
		return []schema.Column{{Name: "metrics", Type: present(schema.MustType(typ))}, newColumn("n", "int")}
	}
	was := col("struct<counter:struct<b:long,d:long>,date:struct<x:timestamp>>")
	now := col("struct<boolean:struct<z:boolean>,counter:struct<a:map<string,long>,b:long,c:long,d:long>,date:struct<x:timestamp,y:date>," +
		"text:struct<t:array<string>>>")
	rows := column.NewBatch(was)
	for _, row := range []map[string]any{
		{"metrics": map[string]any{"counter": map[string]any{"b": json.Number("1"), "d": json.Number("2")},
			"date": map[string]any{"x": "1969-12-31T23:59:59.999999Z"}}, "n": json.Number("5")}, {"n": json.Number("6")},
	} {
		check(t, rows.AppendJSONRow(row))
	}
	var buf, again bytes.Buffer
	write := func(to *bytes.Buffer, cols []schema.Column, b *column.Batch) {
		w, err := NewFileWriter(to, cols, WriterOptions{})
		check(t, err)
		check(t, w.Write(b))
		_, err = w.Close()
		check(t, err)
	}
	write(&buf, was, rows)
	want := []string{
		`{"metrics":{"boolean":{"z":null},"counter":{"a":null,"b":1,"c":null,"d":2},"date":{"x":"1969-12-31T23:59:59.999999Z","y":null},` +
			`"text":{"t":null}},"n":5}`,
		`{"metrics":{"boolean":{"z":null},"counter":{"a":null,"b":null,"c":null,"d":null},"date":{"x":null,"y":null},"text":{"t":null}},"n":6}`,
	}
	if got := rowsOf(t, put(t, buf.Bytes()), now, 10); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	f, b := put(t, buf.Bytes()), column.NewBatch(now)
	check(t, f.SelectBatch(b, 10))
	check(t, f.Next(b))
	write(&again, now, b)
	if got := rowsOf(t, put(t, again.Bytes()), now, 10); !slices.Equal(got, want) {
		t.Errorf("written again: %q", got)
	}
	for _, typ := range []string{"struct<counter:struct<b:string,d:long>,date:struct<x:timestamp>>", "struct<counter:struct<b:long>>"} {
		if err := put(t, buf.Bytes()).Select(col(typ), 10); err == nil || !strings.Contains(err.Error(), "column metrics is struct") {
			t.Errorf("%s: %v", typ, err)
		}
	}
	loose := now
	loose[0].Type.Present = false
	if err := put(t, buf.Bytes()).Select(loose, 10); err == nil {
		t.Error("a struct that a row may lack got members")
	}
}

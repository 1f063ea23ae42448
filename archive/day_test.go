package archive

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/store"
)

func TestOpenDayErrors(t *testing.T) {
	b := store.NewMemory()
	if _, err := OpenDay(ctx, b, "20180604", "main"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty archive: %v", err)
	}
	if _, err := OpenDay(ctx, b, "2018-06-04", "main"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no day: %v", err)
	}
	load(t, b, "x", Options{}, plain(10, 100))
	load(t, b, "y", Options{}, plain(10, 100))
	file := "pings/v1/submission_date_obj=20180604/doc_type=main/x-000001.parquet"
	require.NoError(t, store.WriteFile(ctx, b, "pings/v1/submission_date_obj=20180604/doc_type=main/stray.txt", nil))
	require.NoError(t, store.WriteFile(ctx, b, "pings/v1/submission_date_obj=20180604/doc_type=main/a-copy.parquet", nil))
	d, err := OpenDay(ctx, b, "20180604", "main")
	if err != nil || d.Files() != 2 || d.Rows() != 20 || d.Bytes() == 0 || d.RawBytes() == 0 {
		t.Fatalf("%+v, %v", d, err)
	}
	for name, data := range map[string]string{"broken": "{", "another format": `{"format":2}`, "another load": `{"format":1,"load":"y"}`} {
		record, err := store.ReadFile(ctx, b, naming.Record("x"))
		require.NoError(t, err)
		require.NoError(t, store.WriteFile(ctx, b, naming.Record("x"), []byte(data)))
		if _, err := OpenDay(ctx, b, "20180604", "main"); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
		require.NoError(t, store.WriteFile(ctx, b, naming.Record("x"), record))
	}
	second := "pings/v1/submission_date_obj=20180604/doc_type=main/y-000001.parquet"
	require.NoError(t, b.Delete(ctx, second))
	if _, err := OpenDay(ctx, b, "20180604", "main"); !IsDamage(err) || !strings.Contains(err.Error(), second) {
		t.Errorf("without a file: %v", err)
	}
	require.NoError(t, store.WriteFile(ctx, b, file, []byte("not parquet")))
	infos, err := Days(ctx, b)
	if err != nil || len(infos) != 1 || infos[0].Rows != 20 || !IsDamage(infos[0].Damage) {
		t.Errorf("with a file of another size: %+v, %v", infos, err)
	}
}

// A folder that somebody deleted is not a day that never was.
func TestDeletedDay(t *testing.T) {
	b := store.NewMemory()
	all := randomSamples(rand.New(rand.NewPCG(30, 30)), 100, 100)
	load(t, b, "x", Options{BufferBytes: 200 << 10}, all)
	require.NoError(t, store.DeleteTree(ctx, b, "pings/v1/submission_date_obj=20180601"))
	infos, err := Days(ctx, b)
	if err != nil || len(infos) != 4 {
		t.Fatalf("%+v, %v", infos, err)
	}
	for _, i := range infos {
		if IsDamage(i.Damage) != (i.Day == "20180601") {
			t.Errorf("%+v", i)
		}
	}
	if _, err := OpenDay(ctx, b, "20180601", "main"); !IsDamage(err) {
		t.Errorf("the deleted day: %v", err)
	}
	if _, err := OpenDay(ctx, b, "20180602", "main"); err != nil {
		t.Error(err)
	}
	states, err := States(ctx, b, "20180601")
	if err != nil || len(states) != 2 {
		t.Errorf("the states are %v, %v", states, err)
	}
}

package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"testing"

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
	if err := store.WriteFile(ctx, b, "pings/v1/submission_date_obj=20180604/doc_type=main/stray.txt", nil); err != nil {
		t.Fatal(err)
	}
	if err := store.WriteFile(ctx, b, "pings/v1/submission_date_obj=20180604/doc_type=main/z-000001.parquet", nil); err != nil {
		t.Fatal(err)
	}
	d, err := OpenDay(ctx, b, "20180604", "main")
	if err != nil || d.Files() != 2 || d.Rows() != 20 || d.Bytes() == 0 || d.RawBytes() == 0 {
		t.Fatalf("%+v, %v", d, err)
	}
	for name, data := range map[string]string{"broken": "{", "another format": `{"format":2}`, "another load": `{"format":1,"load":"y"}`} {
		record, err := store.ReadFile(ctx, b, loadName("x"))
		if err != nil {
			t.Fatal(err)
		}
		if err := store.WriteFile(ctx, b, loadName("x"), []byte(data)); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenDay(ctx, b, "20180604", "main"); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
		if err := store.WriteFile(ctx, b, loadName("x"), record); err != nil {
			t.Fatal(err)
		}
	}
	second := "pings/v1/submission_date_obj=20180604/doc_type=main/y-000001.parquet"
	if err := b.Delete(ctx, second); err != nil {
		t.Fatal(err)
	}
	d, err = OpenDay(ctx, b, "20180604", "main")
	if err != nil || d.Files() != 1 { // nothing points to y any more
		t.Errorf("after the end of load y: %v", err)
	}
	if err := store.WriteFile(ctx, b, file, []byte("not parquet")); err != nil {
		t.Fatal(err)
	}
	if _, err := Days(ctx, b); err == nil {
		t.Error("a file of another size is listed")
	}
}

// TestExpired deletes one day of a load that has two.
func TestExpired(t *testing.T) {
	b := store.NewMemory()
	all := randomSamples(rand.New(rand.NewPCG(30, 30)), 100, 100)
	load(t, b, "x", Options{BufferBytes: 200 << 10}, all)
	before, err := Days(ctx, b)
	if err != nil || len(before) != 4 {
		t.Fatal(before, err)
	}
	if err := store.DeleteTree(ctx, b, "pings/v1/submission_date_obj=20180601"); err != nil {
		t.Fatal(err)
	}
	after, err := Days(ctx, b)
	if err != nil || fmt.Sprint(after) != fmt.Sprint(before[2:]) {
		t.Errorf("the days are %+v, %v", after, err)
	}
	if _, err := OpenDay(ctx, b, "20180601", "main"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the expired day: %v", err)
	}
	if _, err := OpenDay(ctx, b, "20180602", "main"); err != nil {
		t.Error(err)
	}
}

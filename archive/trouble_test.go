package archive

import (
	"testing"
	"time"

	"github.com/pingmill/pingmill/store"
)

func TestTrouble(t *testing.T) {
	b, ctx := store.NewMemory(), t.Context()
	if err := ClearTrouble(ctx, b, "e", "decode"); err != nil {
		t.Error(err)
	}
	want := Trouble{Format: 1, Edge: "e", What: "decode", Since: time.Unix(1, 0).UTC(), Last: time.Unix(2, 0).UTC(), Times: 3, Error: "no space left"}
	if err := SetTrouble(ctx, b, want); err != nil {
		t.Fatal(err)
	}
	if all, err := ReadTroubles(ctx, b); err != nil || len(all) != 1 || all[0] != want {
		t.Errorf("%+v, %v", all, err)
	}
	if err := SetTrouble(ctx, b, Trouble{Edge: "../e"}); err == nil {
		t.Error("an edge of another folder is taken")
	}
	if err := ClearTrouble(ctx, b, "e", "decode"); err != nil {
		t.Error(err)
	}
	if all, err := ReadTroubles(ctx, b); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

package edgestate

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/store"
)

func TestTrouble(t *testing.T) {
	b, ctx := store.NewMemory(), t.Context()
	assert.NoError(t, ClearTrouble(ctx, b, "e", "decode"))
	want := Trouble{Format: 1, Edge: "e", What: "decode", Since: time.Unix(1, 0).UTC(), Last: time.Unix(2, 0).UTC(), Times: 3,
		Error: "no space left"}
	require.NoError(t, SetTrouble(ctx, b, want))
	if all, err := ReadTroubles(ctx, b); err != nil || len(all) != 1 || all[0] != want {
		t.Errorf("%+v, %v", all, err)
	}
	if err := SetTrouble(ctx, b, Trouble{Edge: "../e"}); err == nil {
		t.Error("an edge of another folder is taken")
	}
	assert.NoError(t, ClearTrouble(ctx, b, "e", "decode"))
	if all, err := ReadTroubles(ctx, b); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

package send

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestIDs(t *testing.T) {
	var s IDs
	if _, ok := s.Find([]byte("x")); ok || s.Len() != 0 {
		t.Error("the empty set has something")
	}
	odd := []string{
		"", "x", "C0FFEE00-0000-4000-8000-000000000000", "c0ffee00-0000-4000-8000-00000000000g", "c0ffee00+0000-4000-8000-000000000000",
		"c0ffee0000004000800000000000-0000-00", strings.Repeat("long ", 1000), "\xff\x00", "c0ffee00-0000-4000-8000-000000000000-",
	}
	want := map[string]int{"c0ffee00-0000-4000-8000-000000000000": 1}
	for i, id := range odd {
		want[id] = i + 1
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		want[uuid.UUID{byte(r.Uint32()), byte(r.Uint32()), 15: byte(r.Uint32()), 8: byte(r.Uint32())}.String()]++
	}
	total := int64(0)
	for id, n := range want {
		for range n {
			s.Add([]byte(id))
			total++
		}
	}
	checkIDs(t, &s, want)
	if s.Total() != total {
		t.Errorf("%d added, want %d", s.Total(), total)
	}
	for _, id := range []string{"y", "c0ffee00-0000-4000-8000-000000000001", strings.Repeat("long ", 1001)} {
		if _, ok := s.Find([]byte(id)); ok {
			t.Errorf("%q is in the set", id)
		}
	}
	for range 70_000 {
		s.Add([]byte("x"))
	}
	if n, _ := s.Find([]byte("x")); s.Count(n) != 65535 {
		t.Errorf("counted %d times", s.Count(n))
	}
}

// TestMemoryOfIDs measures where it is worst: after the slots have doubled.
func TestMemoryOfIDs(t *testing.T) {
	const ids = 1<<18*3/4 + 1000
	before, after := runtime.MemStats{}, runtime.MemStats{}
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := &IDs{}
	var id uuid.UUID
	for i := range ids {
		id[0], id[5], id[9] = byte(i), byte(i>>8), byte(i>>16)
		s.Add([]byte(id.String()))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := float64(after.HeapAlloc-before.HeapAlloc) / ids; each > 32 || s.Len() != ids {
		t.Errorf("%d ids take %.1f bytes each", s.Len(), each)
	} else {
		t.Logf("%.1f bytes each", each)
	}
	runtime.KeepAlive(s)
}

func TestJournal(t *testing.T) {
	name := filepath.Join(t.TempDir(), "acked")
	ids := []string{"c0ffee00-0000-4000-8000-000000000001", "c0ffee00-0000-4000-8000-000000000002", "odd one"}
	var have IDs
	for i, id := range ids {
		f, err := OpenJournal(name, &have)
		require.NoError(t, err)
		if have.Len() != i {
			t.Fatalf("%d ids instead of %d", have.Len(), i)
		}
		have = IDs{}
		// A killed sender leaves half a line.
		if _, err := f.WriteString(id + "\n" + "c0ffee00-00"); err != nil {
			t.Fatal(err)
		}
		require.NoError(t, f.Close())
	}
	content, err := os.ReadFile(name)
	require.NoError(t, err)
	if want := strings.Join(ids, "\n") + "\nc0ffee00-00"; string(content) != want {
		t.Errorf("the journal is %q", content)
	}
	if err := ReadJournal(bytes.NewReader(content), &have); err != nil || have.Len() != 3 {
		t.Errorf("%d ids, %v", have.Len(), err)
	}
	if _, err := OpenJournal(t.TempDir(), &have); err == nil {
		t.Error("a folder was opened as a journal")
	}
	require.NoError(t, os.WriteFile(name, make([]byte, longestLine+1), 0o600))
	if _, err := OpenJournal(name, &have); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("a file that is no journal: %v", err)
	}
}

func FuzzJournal(f *testing.F) {
	f.Add([]byte("c0ffee00-0000-4000-8000-000000000001\n\nodd\r\nx"))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		var ids IDs
		whole, err := readJournal(bytes.NewReader(content), &ids)
		if err != nil {
			return // a line that is too long
		}
		if want := int64(bytes.LastIndexByte(content, '\n') + 1); whole != want {
			t.Errorf("%d bytes are whole, want %d", whole, want)
		}
		var again bytes.Buffer
		for n := range ids.Len() {
			fmt.Fprintln(&again, ids.ID(n))
		}
		var same IDs
		if err := ReadJournal(&again, &same); err != nil || same.Len() != ids.Len() {
			t.Errorf("%d ids, then %d, %v", ids.Len(), same.Len(), err)
		}
	})
}

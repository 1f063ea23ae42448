//go:build unix

package spool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
)

func init() { hands["recycle"] = recycleForEver }

// recycleForEver appends and prints what was acknowledged; it reads sealed segments, prints their records as removed,
// and then removes them.
func recycleForEver(args []string) error {
	s, err := Open(args[0], Options{SegmentBytes: 128 << 10, SegmentAge: time.Minute, Now: time.Now})
	if err != nil {
		return err
	}
	var mu sync.Mutex
	print := func(what, id string) { // one write: not cut by a kill
		mu.Lock()
		defer mu.Unlock()
		fmt.Printf("%s %s\n", what, id)
	}
	for a := range 8 {
		go func() {
			for i := 0; ; i++ {
				r := record(fmt.Sprintf("%s-%d-%d", args[1], a, i), 1+i*37%20000)
				if s.Append(context.Background(), r) == nil {
					print("acked", idOf(r))
				}
			}
		}()
	}
	for range s.Changed() {
		all, err := s.Sealed()
		if err != nil {
			return err
		}
		for _, g := range all {
			if err := forget(s, g, print); err != nil {
				return err
			}
		}
	}
	return nil
}

func forget(s *Spool, g Segment, print func(what, id string)) error {
	r, err := ReadSegment(g, nil)
	if err != nil {
		return err
	}
	var rec Record
	for {
		if err := r.Next(&rec); errors.Is(err, io.EOF) {
			return s.Remove(g)
		} else if err != nil {
			return err
		}
		print("gone", idOf(&rec))
	}
}

// TestKilledWhileFilesAreUsedAgain kills a process that writes over the files of
// removed segments: what was acknowledged is there, or was read before.
func TestKilledWhileFilesAreUsedAgain(t *testing.T) {
	dir := t.TempDir()
	acked, removed := map[string]bool{}, map[string]bool{}
	for round := range 20 {
		killAfter(t, hand("recycle", dir, fmt.Sprint(round)), 2+rand.IntN(1500), func(line string) {
			what, id, _ := strings.Cut(line, " ")
			switch what {
			case "acked":
				acked[id] = true
			case "gone":
				removed[id] = true
			}
		})
	}
	open(t, dir, Options{})
	there := map[string]int{}
	for _, r := range contents(t, dir) {
		there[idOf(r)]++
	}
	for id, n := range there {
		if n != 1 {
			t.Errorf("record %s is there %d times", id, n)
		}
	}
	for id := range acked {
		if there[id] == 0 && !removed[id] {
			t.Errorf("record %s is lost", id)
		}
	}
	if len(removed) == 0 {
		t.Error("no segment was removed")
	}
}

//go:build unix

package spool

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

func init() { hands["stalled"] = appendStalled }

// appendStalled appends and prints what was acknowledged, while the first disk is
// late half of the time.
func appendStalled(args []string) error {
	o := Options{SegmentBytes: 512 << 10, SegmentAge: 20 * time.Millisecond, Failover: args[2], Now: time.Now}
	s, err := Open(args[0], o)
	if err != nil {
		return err
	}
	go func() {
		for {
			_ = s.do(context.Background(), func() error { <-time.After(40 * time.Millisecond); return nil })
			<-time.After(20 * time.Millisecond)
		}
	}()
	for a := range 8 {
		go func() {
			for i := 0; ; i++ {
				r := record(fmt.Sprintf("%s-%d-%d", args[1], a, i), 1+i*37%20000)
				if s.Append(context.Background(), r) == nil {
					fmt.Printf("%s %d\n", idOf(r), r.Timestamp) // one write: not cut by a kill
				}
			}
		}()
	}
	select {}
}

// TestKilledDuringAStall kills a process whose first disk is late: what was
// acknowledged from either disk is there once, with its timestamp.
func TestKilledDuringAStall(t *testing.T) {
	dir, second := t.TempDir(), t.TempDir()
	acked := map[string]int64{}
	for round := range 15 {
		killAfter(t, hand("stalled", dir, fmt.Sprint(round), second), 2+rand.IntN(600), func(line string) {
			id, at, _ := strings.Cut(line, " ")
			acked[id], _ = strconv.ParseInt(at, 10, 64)
		})
	}
	s := open(t, dir, Options{Failover: second})
	closed(t, s)
	checkAcknowledged(t, dir, acked)
	if len(sides(t, second)) > 0 {
		t.Error("files are left in the second folder")
	}
}

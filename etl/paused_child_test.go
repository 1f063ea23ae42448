package etl

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store/storetest"
)

// childServer, when set, makes a run on childDir that of a server of this name in a
// shared lake; childPause is the changing operation on the lake before which it
// stops itself.
const (
	childServer = "PINGMILL_TEST_RUN_SERVER"
	childPause  = "PINGMILL_TEST_RUN_PAUSE"
)

// pausedTable is the table that the servers make.
const pausedTable = "crash_summary"

// pausedTTL is the time for which their leases outlive them.
const pausedTTL = 300 * time.Millisecond

// childServe makes a table, and waits for another server that does.
func childServe(s *site.Site, name string) error {
	s.Sharing = &site.Sharing{Holder: name, TTL: pausedTTL, Now: time.Now}
	s.Grace = lake.Grace{For: time.Hour, Now: time.Now}
	t, err := schema.Find(s.Tables, pausedTable)
	if err != nil {
		return err
	}
	b := storetest.NewFaults(s.Roots[t.Root])
	s.Roots[t.Root] = b
	if n, err := strconv.Atoi(os.Getenv(childPause)); err == nil {
		b.PauseAt(n, stopSelf)
	}
	for {
		r, err := Run(context.Background(), s, RunOptions{Tables: []string{pausedTable}, Days: []string{sitetest.Day}, Now: time.Now})
		if err != nil || r.Count(job.Skipped) == 0 {
			fmt.Println(b.Ops())
			return err
		}
		time.Sleep(pausedTTL / 10)
	}
}

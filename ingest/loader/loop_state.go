package loader

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/edgestate"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/archive/order"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
)

// start brings memory and spool to the state of the archive: which segments are
// in it, and which submissions came within the window of duplicates.
func (d *decodeLoop) start(ctx context.Context) (err error) {
	if err := d.takeOver(ctx); err != nil {
		return err
	}
	if err = d.begin(ctx); err != nil {
		return err
	}
	loads, err := archive.Loads(ctx, d.archive, naming.EdgeLoads(d.o.Edge))
	if err != nil {
		return err
	}
	news, err := d.others.news(ctx)
	if err != nil {
		return err
	}
	if loads, err = d.unlisted(ctx, loads, news); err != nil {
		return err
	}
	if err := d.resume(ctx, loads); err != nil {
		return err
	}
	if d.claim != nil {
		d.watermark, d.open.began = d.claim.Record().Watermark, d.last
	}
	d.live.Begin(last(loads))
	d.duplicates = &memory{log: d.o.Log, bucket: d.archive, edge: d.o.Edge, window: d.window, claimed: d.claim != nil}
	if err = d.duplicates.open(ctx, d.others != nil, news, d.o.Decode.MaxURIs, loads, d.o.Now()); err != nil {
		return err
	}
	if d.others != nil {
		d.others.behind = d.catchUp
	}
	return d.lookBack(ctx)
}

// unlisted adds the edge's loads that the order of commits has and an old listing lacks. Without them their segments would be
// decoded twice, or look lost.
func (d *decodeLoop) unlisted(ctx context.Context, loads []string, news []order.Entry) ([]string, error) {
	for _, e := range news {
		if !strings.HasPrefix(e.Load, naming.EdgeLoads(d.o.Edge)) || slices.Contains(loads, e.Load) {
			continue
		}
		_, is, err := archive.Loaded(ctx, d.archive, e.Load)
		if err != nil {
			return nil, err
		}
		if is {
			d.o.Log.Warn("a listing of the archive is an old one: it lacks a load", "load", e.Load)
			loads = append(loads, e.Load)
		}
	}
	slices.Sort(loads)
	return loads, nil
}

// anyExpired reports whether retention has removed any day of the archive, and the records of its loads with
// it.
func anyExpired(ctx context.Context, b store.Bucket) (bool, error) {
	for _, k := range []archive.Kind{archive.KindPings, archive.KindErrors} {
		days, err := archive.ExpiredDays(ctx, b, k)
		if err != nil || len(days) > 0 {
			return true, err
		}
	}
	return false, nil
}

// lookBack makes sure that the direct tables get the rows of pings that came into
// the archive when decoding was ended.
func (d *decodeLoop) lookBack(ctx context.Context) error {
	edges, err := edgestate.ReadProgress(ctx, d.archive)
	if err != nil {
		return err
	}
	since := ping.DayOf(d.o.Now().UnixNano())
	for _, e := range edges {
		if e.Edge == d.o.Edge && e.Damaged == nil {
			since = ping.DayOf(e.Watermark)
		}
	}
	days, err := d.direct.unfinished(ctx, since)
	if err != nil {
		d.o.Log.Error("look for days of the direct tables that lack rows: the schedule finds them", "error", err)
		return ctx.Err()
	}
	maps.Copy(days, d.unsure)
	d.direct.look(days)
	return nil
}

// LastSegment returns the number of the last segment of an edge's spool in the archive, 0 if there is none.
// Segments of a new spool must have higher ones.
func LastSegment(ctx context.Context, b store.Bucket, edge string) (uint64, error) {
	loads, err := archive.Loads(ctx, b, naming.EdgeLoads(edge))
	if err != nil {
		return 0, err
	}
	return lastSegment(loads)
}

// last returns the newest of an edge's loads, "" if there are none.
func last(loads []string) string {
	if len(loads) == 0 {
		return ""
	}
	return loads[len(loads)-1]
}

// lastSegment reads the last segment of an edge's loads from their names.
func lastSegment(loads []string) (uint64, error) {
	if len(loads) == 0 {
		return 0, nil
	}
	load := loads[len(loads)-1]
	n, err := strconv.ParseUint(load[strings.LastIndexByte(load, '-')+1:], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("load %s names no segment", load)
	}
	return n, nil
}

// Package clientdays has installations with pings of clients, in which tables of clients are made and measured.
package clientdays

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/tools/generate"
)

// RunGlean and RunMain make tables of clients of the last day in an installation that FillGlean or FillMain has filled. They return
// the number of rows that the tables are made from.
var (
	RunGlean = runTables(gleanSite, "firefox_desktop_baseline", "firefox_desktop_baseline_clients_last_seen")
	RunMain  = runTables(mainSite, "main_summary", "clients_daily")
)

// clientDays lists the days of the installations. The last one is measured.
var clientDays = []string{"20261118", "20261119", "20261120"}

// gleanSite opens an installation with the tables of Firefox desktop, mainSite one with the tables of telemetry.
func gleanSite(ctx context.Context, dir string) (*site.Site, error) {
	s, err := mainSite(ctx, dir)
	if err != nil {
		return nil, err
	}
	defs, err := glean.Firefox()
	s.Tables = defs.Tables()
	return s, err
}

func mainSite(ctx context.Context, dir string) (*site.Site, error) {
	probes, err := schema.LoadProbes("")
	if err != nil {
		return nil, err
	}
	return site.Open(ctx, dir, schema.NewSet(probes))
}

// runTables makes a table of the last day and the tables that it needs, from rows of a table that is made already. It counts
// these rows.
func runTables(
	open func(context.Context, string) (*site.Site, error), from, table string,
) func(ctx context.Context, input, output string) (rows, bytes int64, err error) {
	return func(ctx context.Context, input, _ string) (rows, _ int64, err error) {
		s, err := open(ctx, input)
		if err != nil {
			return 0, 0, err
		}
		defer func() { err = errors.Join(err, s.Close()) }()
		last := clientDays[len(clientDays)-1]
		if err := makeTables(ctx, s, []string{last}, table); err != nil {
			return 0, 0, err
		}
		lt, err := s.Data.Table(from)
		if err != nil {
			return 0, 0, err
		}
		m, err := lt.Partition(ctx, last)
		if err != nil {
			return 0, 0, err
		}
		return m.Rows, 0, nil
	}
}

func makeTables(ctx context.Context, s *site.Site, days []string, table string) error {
	_, err := etl.Run(ctx, s, etl.RunOptions{Tables: []string{table}, Days: days, Workers: 1, Now: time.Now})
	return err
}

// clientPings returns the pings of one kind of some clients in three days. Each has a client.
func clientPings(kind ping.DocType) (all []generate.Submission, err error) {
	g, err := generate.New(generate.Config{
		Seed: 6, Clients: 2_500, Days: len(clientDays), Damaged: -1, Duplicates: -1, MeanBytes: 16_000,
		Start: ping.Day(clientDays[0]), Glean: true,
	})
	if err != nil {
		return nil, err
	}
	for s := range g.Submissions() {
		if s.DocType != kind || s.Fate != generate.Accepted || !s.Meta.Has(ping.ClientID) {
			continue
		}
		var meta ping.Meta
		if err := meta.ParseJSON(s.Meta.AppendJSON(nil)); err != nil {
			return nil, err
		}
		all = append(all, generate.Submission{Document: bytes.Clone(s.Document), Meta: meta})
	}
	return all, nil
}

// fillArchive puts pings into the archive of an installation several times, each time of other clients.
func fillArchive(ctx context.Context, s *site.Site, all []generate.Submission, times int) error {
	for n := range times {
		w, err := archive.NewWriter(ctx, s.Archive, archive.Options{})
		if err != nil {
			return err
		}
		for i := range all {
			m := all[i].Meta
			client := otherID(m.Text(ping.ClientID), n)
			document := bytes.ReplaceAll(all[i].Document, m.Text(ping.ClientID), client)
			m.SetText(ping.ClientID, client)
			m.SetInt(ping.SampleID, ping.SampleOf(client))
			m.SetText(ping.DocumentID, otherID(m.Text(ping.DocumentID), n))
			if err := w.Append(&m, document); err != nil {
				return err
			}
		}
		if _, err := w.Close(ctx, fmt.Sprint("load", n)); err != nil {
			return err
		}
	}
	return nil
}

// otherID returns a UUID that depends on another one and a number.
func otherID(id []byte, n int) []byte {
	out := bytes.Clone(id)
	sum := crc32.ChecksumIEEE(binary.LittleEndian.AppendUint32(bytes.Clone(id), uint32(n)))
	hex.Encode(out, binary.BigEndian.AppendUint32(nil, sum))
	return out
}

// baselineTimes and mainTimes multiply the clients of the installations.
const baselineTimes, mainTimes = 120, 20

// FillGlean makes an installation with baseline pings of three days and the tables of clients of the first two.
func FillGlean(ctx context.Context, dir string) error {
	all, err := clientPings(ping.KindOf("firefox-desktop", "baseline"))
	if err != nil {
		return err
	}
	s, err := gleanSite(ctx, dir)
	if err == nil {
		err = fillArchive(ctx, s, all, baselineTimes)
	}
	if err == nil {
		err = makeTables(ctx, s, clientDays, "firefox_desktop_baseline")
	}
	if err == nil {
		err = makeTables(ctx, s, clientDays[:2], "firefox_desktop_baseline_clients_last_seen")
	}
	if err != nil {
		return fmt.Errorf("make days of Glean clients: %w", err)
	}
	return s.Close()
}

// FillMain makes an installation with main pings of the last day and their main_summary. Of each client it has the pings of three
// days, so that a row of clients_daily is made from about as many rows as one of a Glean client.
func FillMain(ctx context.Context, dir string) error {
	all, err := clientPings("main")
	if err != nil {
		return err
	}
	last, err := job.ParseDay(clientDays[2])
	if err != nil {
		return err
	}
	for i := range all {
		all[i].Meta.SetString(ping.SubmissionDate, clientDays[2])
		all[i].Meta.SetInt(ping.Timestamp, last.UnixNano()+int64(i)*1e6)
	}
	s, err := mainSite(ctx, dir)
	if err == nil {
		err = fillArchive(ctx, s, all, mainTimes)
	}
	if err == nil {
		err = makeTables(ctx, s, clientDays[2:], "main_summary")
	}
	if err != nil {
		return fmt.Errorf("make a day of main pings: %w", err)
	}
	return s.Close()
}

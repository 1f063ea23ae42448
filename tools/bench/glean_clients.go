package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pingmill/pingmill/tools/bench/clientdays"
)

func init() {
	candidates["glean-clients"] = clientdays.RunGlean
	candidates["run-daily"] = clientdays.RunMain
}

// gleanClientsPart compares the tables of Glean clients with clients_daily, by rows of the table that they are made from. It leaves
// out the time of a run that finds everything made.
func gleanClientsPart(ctx context.Context, o *options, p *page) error {
	dir := filepath.Join(o.dir, "glean-clients")
	defer os.RemoveAll(dir)
	trials := []struct {
		name string
		fill func(context.Context, string) error
	}{{"glean-clients", clientdays.FillGlean}, {"run-daily", clientdays.FillMain}}
	for _, t := range trials {
		if err := t.fill(ctx, filepath.Join(dir, t.name)); err != nil {
			return err
		}
	}
	all, run := map[string][]result{}, filepath.Join(dir, "run")
	for range o.rounds {
		for _, t := range trials {
			if err := os.CopyFS(run, os.DirFS(filepath.Join(dir, t.name))); err != nil {
				return fmt.Errorf("copy an installation: %w", err)
			}
			r, err := measure(ctx, t.name, run, filepath.Join(dir, "out"))
			if err != nil {
				return err
			}
			idle, err := measure(ctx, t.name, run, filepath.Join(dir, "out"))
			if err != nil {
				return err
			}
			r.Seconds -= idle.Seconds
			all[t.name] = append(all[t.name], r)
			if err := os.RemoveAll(run); err != nil {
				return fmt.Errorf("remove an installation: %w", err)
			}
		}
	}
	seconds := func(r result) float64 { return r.Seconds }
	ours, daily := median(all["glean-clients"], seconds), median(all["run-daily"], seconds)
	each := func(r result) float64 { return r.Seconds / float64(r.Units) * 1e6 }
	p.printf("\n`run` of a day with its checks and publication, one worker, by processor time beyond a run that finds all made: first seen, "+
		"daily and last seen from %d rows of `firefox_desktop_baseline`, after two earlier days, and clients_daily from %d rows of "+
		"main_summary.\n\n| what | µs a ping | ÷ clients_daily | peak MB |\n|---|---|---|---|\n", ours.Units, daily.Units)
	p.printf("| three tables of Glean clients | %.2f | %.2f | %.0f |\n", each(ours), each(ours)/each(daily), float64(ours.Peak)/1e6)
	p.printf("| clients_daily | %.2f | 1.00 | %.0f |\n", each(daily), float64(daily.Peak)/1e6)
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/cli"
	"github.com/pingmill/pingmill/lake"
	"github.com/pingmill/pingmill/store"
)

// listTableFiles prints where the files of a table are to be read. A partition that
// is not whole is an error: what reads the others would not miss it.
func listTableFiles(cmd *cobra.Command, site *siteFlags, table, date, from, to string) error {
	var days []string
	if date != "" || from != "" || to != "" {
		var err error
		if days, err = daysOf(date, from, to); err != nil {
			return cli.Usage(err)
		}
	}
	s, err := site.read(cmd.Context())
	if err != nil {
		return err
	}
	defer s.Close()
	lt, err := s.Table(table)
	if err != nil {
		return cli.Usage(err)
	}
	paths, err := tableFiles(cmd.Context(), lt, days)
	if err != nil {
		return fmt.Errorf("list files: %w", err)
	}
	for _, p := range paths {
		fmt.Fprintln(cmd.OutOrStdout(), p)
	}
	return nil
}

// tableFiles are the paths of a table's files, of some days or, with none, of all.
func tableFiles(ctx context.Context, lt *lake.Table, days []string) (paths []string, err error) {
	dir, local := store.LocalDir(lt.Bucket())
	if !local {
		return nil, fmt.Errorf("those of %s are not on the local disk", lt.Schema.Name)
	}
	published, damaged, err := lt.Published(ctx)
	if err != nil {
		return nil, err
	}
	of := func(day string) bool { return len(days) == 0 || slices.Contains(days, day) }
	var bad []error
	for _, d := range damaged {
		if of(d.Day) {
			bad = append(bad, d)
		}
	}
	for _, m := range published {
		if !of(m.Day) {
			continue
		}
		m, damaged, err := lt.Look(ctx, m.Day)
		if err != nil {
			return nil, err
		}
		for _, d := range damaged {
			bad = append(bad, d)
		}
		if m == nil {
			continue
		}
		place := lt.Paths(ctx, m)
		for _, f := range m.Files {
			paths = append(paths, filepath.Join(dir, place(f.Name)))
		}
	}
	return paths, errors.Join(bad...)
}

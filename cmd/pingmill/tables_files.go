package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/catalog"
	"github.com/pingmill/pingmill/cli"
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
	paths, err := catalog.Files(cmd.Context(), lt, days)
	if err != nil {
		return fmt.Errorf("list files: %w", err)
	}
	for _, p := range paths {
		fmt.Fprintln(cmd.OutOrStdout(), p)
	}
	return nil
}

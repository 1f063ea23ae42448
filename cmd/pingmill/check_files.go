package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/etl/filecheck"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
)

// errFiles means that files differ from what was written.
var errFiles = errors.New("damaged files")

// checkAllFiles reads the files of a table, or of all tables and the archive, and prints a line for each file that
// differs from what was written.
func checkAllFiles(cmd *cobra.Command, site *flags.Site, args []string, days *cli.Days) (err error) {
	o := filecheck.Options{Found: func(err error) { fmt.Fprintln(cmd.OutOrStdout(), err) }}
	if o.Days, err = days.ReadAny(time.Now()); err != nil {
		return cli.Usage(err)
	}
	s, err := site.Open(cmd.Context(), false)
	if err != nil {
		return err
	}
	defer s.Close()
	name := "all"
	if len(args) > 0 {
		name = args[0]
	}
	o.Archive = name == "all"
	if o.Tables, err = flags.Tables(s, name); err != nil {
		return cli.Usage(err)
	}
	c, err := filecheck.Check(cmd.Context(), s, o)
	if err != nil {
		return fmt.Errorf("check files: %w", err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%d files, %s: %d damaged\n", c.Files, humanize.Bytes(uint64(c.Bytes)), c.Bad)
	switch {
	case c.Bad > 0:
		return fmt.Errorf("%w: %d", errFiles, c.Bad)
	case c.Files == 0:
		return errors.New("check files: there are none of these days")
	}
	return nil
}

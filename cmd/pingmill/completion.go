package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/internal/lazy"
	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/service"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
	"github.com/pingmill/pingmill/terminal/engine"
)

// setCompletion sets the completions of arguments and flags for all commands. By default, shells complete file names
// for flags and nothing for arguments.
func setCompletion(root *cobra.Command, s *settings) {
	arguments := map[string]cli.Completer{
		"run": s.tablesAndAll, "check": s.tablesAndAll, "quality": s.tablesAndAll, "schema": s.tableNames, "tables": s.tableNames,
		"transform": s.tableNames, "sync": s.tableNames,
	}
	days := s.knownDays
	flags := map[string]cli.Completer{
		"date": days, "from": days, "to": days,
		"format": formatNames, "class": cli.OneOf(loader.RejectedClasses...), "doc-type": s.docTypes,
		"table": s.tableNames, "keep-table": s.tableDays, "table-days": s.tableDays, "skip-check": s.checkNames, "live": s.liveTables,
		"only": cli.OneOf(service.PartEdge, service.PartDecode, service.PartSchedule), "namespace": cli.OneOf("telemetry"),
		"form": cli.OneOf("submissions", "pings"), "compress": cli.OneOf("none", "gzip", "gzip-each", "zstd"),
	}
	folders := []string{"data", "probes", "checks", "schemas", "diff", "dir", "verify"}
	for _, cmd := range descendants(root) {
		if c := arguments[cmd.Name()]; c != nil {
			cmd.ValidArgsFunction = c.First
		} else if cmd.ValidArgsFunction == nil && !strings.Contains(cmd.Use, "FILE") && !cmd.HasSubCommands() {
			cmd.ValidArgsFunction = cobra.NoFileCompletions
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if c := flags[f.Name]; c != nil {
				_ = cmd.RegisterFlagCompletionFunc(f.Name, c.Offer) // the flag exists, and has none yet
			} else if slices.Contains(folders, f.Name) {
				_ = cmd.MarkFlagDirname(f.Name)
			}
		})
	}
	_ = root.MarkPersistentFlagFilename("config", "yaml", "yml")
}

// descendants returns all direct and indirect subcommands.
func descendants(cmd *cobra.Command) []*cobra.Command {
	all := cmd.Commands()
	for _, sub := range cmd.Commands() {
		all = append(all, descendants(sub)...)
	}
	return all
}

// tables returns the tables that the flags and the settings give.
func (s *settings) tables(cmd *cobra.Command) []*schema.Table {
	_ = os.Unsetenv("PINGMILL_ACTIVE_HELP") // fish's script sets it, and it is no key
	_ = s.load(cmd)                         // a broken configuration is reported where it matters
	return flags.LocalTables(cmd)
}

func (s *settings) tableNames(cmd *cobra.Command) []string {
	var names []string
	for _, t := range s.tables(cmd) {
		names = append(names, t.Name+"\t"+t.Doc)
	}
	return names
}

func (s *settings) tablesAndAll(cmd *cobra.Command) []string {
	return append(s.tableNames(cmd), "all\tall tables")
}

// tableDays completes table names followed by =.
func (s *settings) tableDays(cmd *cobra.Command) []string {
	var names []string
	for _, t := range s.tables(cmd) {
		names = append(names, t.Name+"=")
	}
	return names
}

// liveTables completes the tables whose rows may be visible while their day lasts.
func (s *settings) liveTables(cmd *cobra.Command) []string {
	names := []string{"glean"}
	for _, t := range s.tables(cmd) {
		if t.Grows() && !t.Direct {
			names = append(names, t.Name)
		}
	}
	return names
}

func (s *settings) docTypes(cmd *cobra.Command) []string {
	var names []string
	for _, t := range s.tables(cmd) {
		if t.DocType != "" && !t.Internal() {
			names = append(names, string(t.Kind()))
		}
	}
	return names
}

func (s *settings) checkNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range check.All(s.tables(cmd)) {
		names = append(names, c.Name)
	}
	return names
}

// formatNames returns the formats of a command.
func formatNames(cmd *cobra.Command) []string {
	names := []string{"text", "json"}
	switch cmd.Name() {
	case "query":
		names = nil
		for _, f := range engine.Formats {
			names = append(names, string(f))
		}
	case "schema":
		names = append(names, schema.Engines()...)
	}
	return names
}

// dayFolder matches the end of a day's folder in the archive and in the tables.
var dayFolder = lazy.Regexp(`=(\d{4})-?(\d{2})-?(\d{2})$`)

// knownDays returns the days with data in the installation. It opens nothing, because shells call it at every key.
func (s *settings) knownDays(cmd *cobra.Command) []string {
	_ = os.Unsetenv("PINGMILL_ACTIVE_HELP") // fish's script sets it, and it is no key
	_ = s.load(cmd)                         // a broken configuration is reported where it matters
	data := cmd.Flag("data")
	if data == nil {
		return nil
	}
	var days []string
	found, _ := filepath.Glob(filepath.Join(data.Value.String(), "*", "*", "*", "*=*")) // no days where the name is odd
	for _, f := range found {
		if m := dayFolder().FindStringSubmatch(f); m != nil {
			days = append(days, m[1]+m[2]+m[3])
		}
	}
	slices.Sort(days)
	return slices.Compact(days)
}

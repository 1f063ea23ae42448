package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ingest"
	"github.com/pingmill/pingmill/ingest/loader"
	"github.com/pingmill/pingmill/internal/pipe"
	"github.com/pingmill/pingmill/internal/text"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
)

func newDefinitions(p flags.Program) *cobra.Command {
	cmd := &cobra.Command{
		Use: "definitions", Short: "write or remove definitions of Glean applications",
		Long: `Definitions of Glean applications determine the tables of their pings: see
docs/glean.md.`,
		Args: cli.Args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newInfer(p), newRemoveDefinitions(p))
	return cmd
}

func newInfer(p flags.Program) *cobra.Command {
	var site flags.Site
	var days cli.Days
	var dir string
	cmd := &cobra.Command{
		Use:   "infer [FILE…]",
		Short: "write the definitions of the pings in the archive or in files",
		Long: `Reads Glean pings of the archive, or of files that pingmill load takes, and writes
the definitions of what they have: a folder for each application, with
metrics.yaml and pings.yaml. With them no part of these pings is without a column.
Edit the descriptions, and remove what you do not want as columns.`,
		Example: "  pingmill definitions infer --output definitions\n  pingmill definitions infer --from 20261101 --to 20261107 --output " +
			"definitions",
		Args: cli.Args(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			which, err := days.ReadAny(p.Now())
			switch {
			case err != nil:
				return cli.Usage(err)
			case dir == "":
				return cli.Usagef("%s: say with --output where to write the definitions", cmd.CommandPath())
			case len(args) > 0 && which != nil:
				return cli.Usagef("%s: files or days, not both", cmd.CommandPath())
			}
			all := glean.NewInference()
			if len(args) > 0 {
				err = inferFiles(cmd.Context(), all, args, cmd.ErrOrStderr())
			} else {
				err = inferArchive(cmd.Context(), all, &site, which)
			}
			if err != nil {
				return err
			}
			return writeInferred(all, dir, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	site.Add(cmd, p.Now)
	days.Add(cmd.Flags(), "the day, YYYYMMDD, today or yesterday (UTC)", "")
	cmd.Flags().StringVar(&dir, "output", "", "folder that gets a folder for each application")
	return cmd
}

// inferArchive reads the pings of some days of the archive, or of all.
func inferArchive(ctx context.Context, all *glean.Inference, site *flags.Site, days []string) error {
	s, err := site.Read(ctx)
	if err != nil {
		return err
	}
	defer s.Close()
	if days == nil {
		known, err := archive.KnownDays(ctx, s.Archive, archive.KindPings)
		if err != nil {
			return err
		}
		for _, d := range known {
			days = append(days, string(d))
		}
	}
	for _, d := range days {
		types, err := archive.DocTypes(ctx, s.Archive, ping.Day(d))
		if err != nil {
			return err
		}
		for _, kind := range types {
			if err := inferDay(ctx, all, s.Archive, ping.Day(d), kind); err != nil {
				return err
			}
		}
	}
	return nil
}

func inferDay(ctx context.Context, all *glean.Inference, b store.Bucket, d ping.Day, kind ping.DocType) error {
	if !glean.IsKind(kind) {
		return nil
	}
	day, err := archive.OpenDay(ctx, b, d, kind)
	if err != nil {
		return err
	}
	for p, err := range day.Pings(ctx, 0, 100) {
		if err == nil {
			err = all.Add(kind, p.Body)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// inferFiles reads the pings of files.
func inferFiles(ctx context.Context, all *glean.Inference, names []string, errs io.Writer) error {
	decoder, err := ingest.New(ingest.Config{Glean: ingest.Glean{Applications: []string{ingest.AllApplications}}})
	if err != nil {
		return err
	}
	for _, name := range names {
		f, err := pipe.Open(ctx, name)
		if err != nil {
			return fmt.Errorf("read pings: %w", err)
		}
		bad, err := loader.EachPing(f, decoder, func(m *ping.Meta, body []byte) error { return all.Add(m.Kind(), body) })
		if err = errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		if bad > 0 {
			fmt.Fprintf(errs, "%s: %s left out: pingmill load and pingmill errors say why\n", name, text.Plural(bad, "record"))
		}
	}
	return nil
}

// writeInferred writes the files, none of which may be there.
func writeInferred(all *glean.Inference, dir string, out, errs io.Writer) error {
	files, err := all.Files()
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("infer definitions: there are no Glean pings")
	}
	names := slices.Sorted(maps.Keys(files))
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("infer definitions: %s is there already: choose another folder", filepath.Join(dir, name))
		}
	}
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path, files[name], 0o644)
		}
		if err != nil {
			return fmt.Errorf("write definitions: %w", err)
		}
		fmt.Fprintln(out, path)
	}
	fmt.Fprintf(out, "definitions of %s\n", text.Plural(all.Pings, "ping"))
	for i, left := range all.Left() {
		if i == 10 {
			fmt.Fprintf(errs, "and %d more\n", len(all.Left())-i)
			break
		}
		fmt.Fprintf(errs, "left out: %s\n", left)
	}
	return nil
}

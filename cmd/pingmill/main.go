// Command pingmill turns browser telemetry pings into tables and runs SQL queries on them.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/access/command"
	"github.com/pingmill/pingmill/etl"
	runs "github.com/pingmill/pingmill/etl/command"
	"github.com/pingmill/pingmill/internal/pipe"
	"github.com/pingmill/pingmill/sql/worker"
	storage "github.com/pingmill/pingmill/store/command"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/start"
)

// usualMemory is the memory of the process for typical pings, and the additional memory for each core, enough for a
// ping of 32 MiB.
const usualMemory = 128 << 20

func main() {
	worker.Main()
	start.Done()
	cli.KeepPrivate()
	cli.BoundMemory(usualMemory, usualMemory, 0)
	ctx := cli.CatchSignals(os.Stderr, os.Exit)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main with all its dependencies as parameters.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	root := newRoot()
	root.SetArgs(cli.Comments(args))
	root.SetIn(pipe.Reader(ctx, in))
	root.SetOut(out)
	root.SetErr(errs)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	err = cli.Advising(cmd, err)
	if s, ok := cli.SignalOf(ctx); ok {
		if !errors.Is(err, context.Canceled) {
			cli.PrintError(errs, err)
		}
		cli.PrintError(errs, s)
		return s.Status()
	}
	cli.PrintError(errs, err)
	if errors.Is(err, cli.ErrUsage) || isBadConfig(err) {
		return cli.ExitUsage
	}
	if errors.Is(err, etl.ErrPlanAgain) {
		return cli.ExitRefused
	}
	return cli.ExitFailed
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "pingmill",
		Short: "telemetry pings in, tables out, SQL on top",
		Long: `Turns the telemetry pings of a desktop browser into tables, as parquet
files, and answers SQL about them. pingmill demo shows everything in a folder of
its own.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.UnknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(cli.FlagError)
	settings := addConfig(root)
	root.AddCommand(newConfig(settings), newDoctor(settings), newHealth(), newDemo(), newLoad(), newIceberg(), newExpire(), newStatus(),
		newArchive(), newCheck(), newQuality(), newQuery(), newTables(), newSchema(), newTransform(), newDecode(), newErrors(), newReplay(),
		newDelete(), newGenerate(), newServe(), newMan())
	root.AddCommand(runs.Commands(itself())...)
	root.AddCommand(command.Commands(time.Now)...)
	root.AddCommand(storage.Commands(time.Now)...)
	addVersion(root)
	help.Set(root)
	setCompletion(root, settings)
	return root
}

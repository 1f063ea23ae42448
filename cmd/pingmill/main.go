// Command pingmill turns browser telemetry pings into tables and answers SQL
// about them.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/pipe"
)

// Exit statuses: 0 is success. Usage is the one of sysexits(3), since a Go
// program that panics ends with 2.
const (
	exitFailed = 1
	exitUsage  = 64
)

// errUsage marks an error in how the command was called.
var errUsage = errors.New("usage")

func main() {
	boundMemory()
	ctx := catchSignals(os.Stderr, os.Exit)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main with everything passed in.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(pipe.Reader(ctx, in))
	root.SetOut(out)
	root.SetErr(errs)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	err = advising(cmd, err)
	if s, ok := bySignal(ctx); ok {
		if !errors.Is(err, context.Canceled) {
			printError(errs, err)
		}
		printError(errs, s)
		return s.status()
	}
	printError(errs, err)
	if errors.Is(err, errUsage) || isBadConfig(err) {
		return exitUsage
	}
	return exitFailed
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "pingmill",
		Short: "telemetry pings in, seven tables out, SQL on top",
		Long: `Turns the telemetry pings of a desktop browser into seven tables, as parquet
files, and answers SQL about them. pingmill demo shows everything in a folder of
its own.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(flagError)
	settings := addConfig(root)
	root.AddCommand(newConfig(settings), newHealth(), newDemo(), newLoad(), newRun(), newExpire(), newStatus(), newArchive(), newCheck(), newQuery(), newTables(), newSchema(), newTransform(), newDecode(), newErrors(), newReplay(), newDelete(), newGenerate(), newServe(), newMan())
	addVersion(root)
	setHelp(root)
	setCompletion(root, settings)
	return root
}

// usageArgs turns a wrong number of arguments into a usage error.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return fmt.Errorf("%w: %w: want %s", errUsage, err, strings.TrimSuffix(cmd.UseLine(), " [flags]"))
		}
		return nil
	}
}

package flags

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/check"
	"github.com/pingmill/pingmill/check/sqlfile"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/site"
	"github.com/pingmill/pingmill/sql/worker"
	"github.com/pingmill/pingmill/terminal/cli"
)

// Checks holds the flags that select the checks.
type Checks struct {
	Dir  string // folder of users' checks; "": none
	skip []string
}

// Add adds the flags to a command.
func (f *Checks) Add(cmd *cobra.Command) {
	config.Flag(cmd.Flags(), "checks.dir", &f.Dir)
	config.Flag(cmd.Flags(), "checks.skip", &f.skip)
}

// Options loads the users' checks and returns the options of a run. Unknown checks are usage errors.
func (f *Checks) Options(ctx context.Context, s *site.Site, temp string) (check.Options, error) {
	o := check.Options{Skip: f.skip}
	if f.Dir != "" {
		var err error
		if o.More, err = sqlfile.Load(ctx, f.Dir, s.Tables, check.All(s.Tables), &worker.Runner{Temp: temp}); err != nil {
			return o, cli.Usage(fmt.Errorf("%s: %w", config.Call("checks.dir"), err))
		}
	}
	if err := check.Known(o.All(s.Tables), f.skip); err != nil {
		return o, cli.Usage(fmt.Errorf("%s: %w", config.Call("checks.skip"), err))
	}
	return o, nil
}

// Run sets the options that all runs share.
func (f *Checks) Run(ctx context.Context, s *site.Site, o *etl.RunOptions, p Program, errs io.Writer) (err error) {
	o.Now, o.Log, o.Code = p.Now, cli.NewLog(errs), p.Version
	o.Checks, err = f.Options(ctx, s, s.Temp)
	return err
}

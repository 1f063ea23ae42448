package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// UnknownCommand is the error for a command that is not there, with those that
// were probably meant.
func UnknownCommand(cmd *cobra.Command, name string) error {
	return Usagef("unknown command %q of %s%s", name, cmd.CommandPath(), didYouMean(similar(cmd, name), cmd.CommandPath()+" help"))
}

// FlagError is the error for a flag that is not there, or not so.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return Usagef("%s: %w", cmd.CommandPath(), err)
	}
	flags := &cobra.Command{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
		}
	})
	var names []string
	for _, s := range similar(flags, unknown.GetSpecifiedName()) {
		names = append(names, "--"+s)
	}
	return Usagef("%s: %w%s", cmd.CommandPath(), err, didYouMean(names, cmd.CommandPath()+" --help"))
}

// similar are the commands below cmd that a mistyped name may mean.
func similar(cmd *cobra.Command, name string) []string {
	if len(name) < 2 {
		return nil // anything begins with it
	}
	cmd.SuggestionsMinimumDistance = max(1, len(name)/3)
	return cmd.SuggestionsFor(name)
}

func didYouMean(names []string, all string) string {
	if len(names) == 0 {
		return ": see " + all
	}
	return ": did you mean " + strings.Join(names, " or ") + "?"
}

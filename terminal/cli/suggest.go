package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// UnknownCommand returns the error for an unknown command, with similar names.
func UnknownCommand(cmd *cobra.Command, name string) error {
	return Usagef("unknown command %q of %s%s", name, cmd.CommandPath(), didYouMean(similar(cmd, name), cmd.CommandPath()+" help"))
}

// FlagError returns the usage error for an unknown flag or a wrong value.
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

// similar returns the commands below cmd with names like the given one.
func similar(cmd *cobra.Command, name string) []string {
	if len(name) < 2 {
		return nil // every command begins with it
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

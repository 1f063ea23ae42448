package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// A Completer finds the words that a shell offers after the present ones: each
// may have a tab and a description behind it.
type Completer func(cmd *cobra.Command) []string

// OneOf offers names.
func OneOf(names ...string) Completer {
	return func(*cobra.Command) []string { return names }
}

// Offer is a completer as cobra wants it: it offers the words that begin with the
// present one.
func (c Completer) Offer(cmd *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	all := slices.DeleteFunc(slices.Clone(c(cmd)), func(s string) bool { return !strings.HasPrefix(s, toComplete) })
	return all, cobra.ShellCompDirectiveNoFileComp
}

// First offers for the first argument only.
func (c Completer) First(cmd *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return c.Offer(cmd, args, toComplete)
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Root().Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name()+"\t"+c.Short)
		}
	}
	return names
}

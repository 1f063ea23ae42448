package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// A Completer returns completions. Each may have a tab and a description after the word.
type Completer func(cmd *cobra.Command) []string

// OneOf completes fixed names.
func OneOf(names ...string) Completer {
	return func(*cobra.Command) []string { return names }
}

// Offer implements cobra's completion function: it returns the words that begin with toComplete.
func (c Completer) Offer(cmd *cobra.Command, _ []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	all := slices.DeleteFunc(slices.Clone(c(cmd)), func(s string) bool { return !strings.HasPrefix(s, toComplete) })
	return all, cobra.ShellCompDirectiveNoFileComp
}

// First completes the first argument only.
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

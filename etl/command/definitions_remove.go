package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/schema/glean"
	"github.com/pingmill/pingmill/terminal/cli"
	"github.com/pingmill/pingmill/terminal/cli/flags"
)

func newRemoveDefinitions(p flags.Program) *cobra.Command {
	var site flags.Site
	cmd := &cobra.Command{
		Use:   "remove APPLICATION…",
		Short: "remove applications from the definitions that the lake keeps",
		Long: `Removes the definitions of applications that were given by mistake, such as with a
wrong id, from those that the lake keeps. Take them out of glean.definitions before.
Applications with partitions stay: the error names the folders, and the command
works when they are removed. Restart serve afterwards.`,
		Example: "  pingmill definitions remove org-example-wrong",
		Args:    cli.Args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, ids []string) error {
			given, err := glean.ReadAll(site.Glean, nil)
			if err != nil {
				return cli.Usage(err)
			}
			for _, id := range ids {
				if given[id] != nil {
					return cli.Usagef("remove definitions: glean.definitions (--definitions) has %s: take it out first, because every run adds it", id)
				}
			}
			s, err := site.Read(cmd.Context())
			if err != nil {
				return err
			}
			defer s.Close()
			accept := func(left glean.Definitions) error {
				s.Set = *schema.NewSet(s.Probes, left.Tables()...)
				folders, err := s.Unknown(cmd.Context())
				if err != nil {
					return err
				}
				made := slices.DeleteFunc(folders, func(folder string) bool {
					return !slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(folder, "/"+glean.TableName(id)+"/") })
				})
				if len(made) > 0 {
					return fmt.Errorf("remove definitions: tables have partitions: remove these folders first: %s", strings.Join(made, ", "))
				}
				return nil
			}
			if err := glean.Remove(cmd.Context(), s.Roots[schema.StorageRoot], ids, p.Now(), accept); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "removed: %s\n", strings.Join(ids, ", "))
			return nil
		},
	}
	site.Add(cmd, p.Now)
	return cmd
}

package command

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/terminal/cli"
)

func (c *commands) grant() *cobra.Command {
	cmd := c.on(&cobra.Command{
		Use: "grant NAME [TABLE…]", Short: "say what an account may read and do",
		Long: `Gives an account tables, columns as table.column, rows as table:column=value|value, and
rights, or with --revoke takes them away, and prints what it has then. * is every table that
is not restricted: those want a grant by their name.`,
		Example: "  pingmill grant ann search_clients_daily\n  pingmill grant ann --right operate\n" +
			"  pingmill grant ann --revoke search_clients_daily\n  pingmill grant ann 'clients_daily:country=DE|AT'",
		Args: cli.Args(cobra.MinimumNArgs(1)),
	}, func(ctx context.Context, s *access.Store, args []string, out io.Writer) error {
		grants, err := c.granted(ctx, args[1:])
		if err != nil {
			return err
		}
		a, err := named(ctx, s, args[0])
		if err == nil && len(grants)+len(c.rights) > 0 {
			a, err = edit(ctx, s, args[0], c.what(grants), func(a *access.Account) {
				a.Grants, a.Rights = c.changed(a.Grants, grants), changed(a.Rights, rightsOf(c.rights), c.take)
			})
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, "%s reads: %s\n%[1]s may: %[3]s\n", cli.Safe(a.Name), access.GrantsText(a.Grants), access.RightsText(a.Rights))
		return err
	})
	cmd.Flags().StringSliceVar(&c.rights, "right", nil, "operate or administer")
	cmd.Flags().BoolVar(&c.take, "revoke", false, "take away instead of give")
	return cmd
}

// what describes a change for the audit log.
func (c *commands) what(grants []access.Grant) string {
	verb := "granted"
	if c.take {
		verb = "revoked"
	}
	return fmt.Sprintf("%s %s, rights %s", verb, access.GrantsText(grants), access.RightsText(rightsOf(c.rights)))
}

// changed returns a list with some elements added or removed.
func changed[T comparable](list, some []T, without bool) []T {
	list = slices.DeleteFunc(slices.Clone(list), func(x T) bool { return slices.Contains(some, x) })
	if without {
		return list
	}
	return append(list, some...)
}

// changed returns grants with others added or revoked. Revoking a table also revokes its columns.
func (c *commands) changed(have, others []access.Grant) []access.Grant {
	words := func(grants []access.Grant) (all []string) {
		for _, g := range grants {
			all = append(all, g.Texts()...)
		}
		return all
	}
	left := slices.DeleteFunc(slices.Clone(have), func(g access.Grant) bool {
		return c.take && slices.ContainsFunc(others, func(o access.Grant) bool {
			return o.Table == g.Table && o.Columns == nil && len(o.Rows) == 0
		})
	})
	grants, _ := access.ParseGrants(changed(words(left), words(others), c.take)) // texts of grants can be parsed
	return grants
}

package command

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/terminal/cli"
)

func (c *commands) token() *cobra.Command {
	return group("token", "API tokens of accounts", `API tokens of accounts: programs send them instead of signing in.`, c.newToken(),
		c.tokens(), c.endToken())
}

func (c *commands) newToken() *cobra.Command {
	cmd := c.on(&cobra.Command{
		Use: "add ACCOUNT NAME", Short: "make a token, and print it once",
		Long: `Makes a token of an account and prints it: only a hash is kept, so it cannot be shown
again. NAME says what it is for.`,
		Example: "  pingmill token add notebook jupyter --days 30", Args: cli.Args(cobra.ExactArgs(2)),
	}, func(ctx context.Context, s *access.Store, args []string, out io.Writer) error {
		a, err := named(ctx, s, args[0])
		if err != nil {
			return err
		}
		t := access.Token{Name: args[1], Expires: c.now().Add(time.Duration(c.days) * 24 * time.Hour)}
		for _, scope := range c.scopes {
			t.Scopes = append(t.Scopes, access.Scope(scope))
		}
		t, secret, err := s.NewToken(ctx, a.ID, t)
		if err != nil {
			return err
		}
		if err := record(ctx, s, "new token "+t.Name, a); err != nil {
			return err
		}
		_, err = fmt.Fprintln(out, secret)
		return err
	})
	cmd.Flags().StringSliceVar(&c.scopes, "scope", []string{string(access.QueryScope), string(access.CatalogScope)},
		"what it is for: query, catalog, jobs, people")
	cmd.Flags().IntVar(&c.days, "days", int(access.TokenTime/(24*time.Hour)), "days that it is valid, at most 366")
	return cmd
}

func (c *commands) tokens() *cobra.Command {
	return c.on(&cobra.Command{Use: "list ACCOUNT", Short: "list the tokens of an account", Args: cli.Args(cobra.ExactArgs(1))},
		func(ctx context.Context, s *access.Store, args []string, out io.Writer) error {
			a, err := named(ctx, s, args[0])
			if err != nil {
				return err
			}
			all, err := s.Tokens(ctx, a.ID)
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "ID\tNAME\tSCOPES\tEXPIRES\tUSED")
			for _, t := range all {
				fmt.Fprintf(w, "%s\t%s\t%v\t%s\t%s\n", t.ID, cli.Safe(t.Name), t.Scopes, when(t.Expires), when(t.Used))
			}
			return w.Flush()
		})
}

func (c *commands) endToken() *cobra.Command {
	return c.on(&cobra.Command{Use: "remove ACCOUNT ID", Short: "end a token", Args: cli.Args(cobra.ExactArgs(2))},
		func(ctx context.Context, s *access.Store, args []string, _ io.Writer) error {
			a, err := named(ctx, s, args[0])
			if err == nil {
				err = s.DeleteToken(ctx, a.ID, args[1])
			}
			if err != nil {
				return err
			}
			return record(ctx, s, "ended token "+args[1], a)
		})
}

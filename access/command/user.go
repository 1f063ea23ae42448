package command

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/config"
	"github.com/pingmill/pingmill/serve/listening"
	"github.com/pingmill/pingmill/terminal/cli"
)

func (c *commands) user() *cobra.Command {
	return group("user", "accounts of the query tool", `Accounts of the query tool: people, who sign in, and service accounts, which have
tokens. Changes count at once, also while the service runs.`,
		c.add(), c.list(), c.link(), c.password(), c.able("disable", true), c.able("enable", false), c.remove())
}

func (c *commands) add() *cobra.Command {
	cmd := c.on(&cobra.Command{
		Use: "add NAME", Short: "make an account",
		Long: `Makes an account, and prints a one-time link to sign in by. A service account gets
none: make it a token.`,
		Example: "  pingmill user add ann --email ann@example.org\n  pingmill user add notebook --service --grant clients_daily",
		Args:    cli.Args(cobra.ExactArgs(1)),
	}, func(ctx context.Context, s *access.Store, args []string, out io.Writer) error {
		grants, err := c.granted(ctx, c.grants)
		if err != nil {
			return err
		}
		p := access.Person{Name: args[0], Email: c.email, Kind: access.Human, Rights: rightsOf(c.rights), Grants: grants}
		if c.service {
			p.Kind = access.Service
		}
		a, err := s.Add(ctx, p)
		if err != nil {
			return fmt.Errorf("account %s: %w", args[0], err)
		}
		if err := record(ctx, s, "new account", a); err != nil || c.service {
			return err
		}
		return c.printLink(ctx, s, a, out)
	})
	fs := cmd.Flags()
	fs.StringVar(&c.email, "email", "", "e-mail address: who signs in by a provider with it gets this account")
	fs.BoolVar(&c.service, "service", false, "a service account, which has tokens and does not sign in")
	fs.StringSliceVar(&c.rights, "right", nil, "operate or administer")
	fs.StringSliceVar(&c.grants, "grant", []string{access.AllTables},
		"what it may read: a table, table.column, or * for every table that is not restricted")
	c.addressed(cmd)
	return cmd
}

// addressed adds the flags for the address of the query tool.
func (c *commands) addressed(cmd *cobra.Command) {
	config.Flag(cmd.Flags(), "web.url", &c.url)
	config.Flag(cmd.Flags(), "web.listen", &c.listen)
	config.Flag(cmd.Flags(), "web.tls.cert", &c.cert)
	c.usual = c.listen
}

func (c *commands) printLink(ctx context.Context, s *access.Store, a *access.Account, out io.Writer) error {
	token, err := s.Link(ctx, a.ID)
	if err != nil {
		return fmt.Errorf("account %s: %w", a.Name, err)
	}
	base, err := c.base(s)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s signs in once, within %d hours, by\n%s\n", cli.Safe(a.Name), int(access.LinkTime/time.Hour),
		base+access.LinkPath(token))
	return err
}

// base returns the URL of the query tool: as set, or where it was served last.
func (c *commands) base(s *access.Store) (string, error) {
	if c.url == "" && (c.listen == c.usual || strings.HasSuffix(c.listen, ":0")) {
		if served, err := s.Address(); err != nil || served != "" {
			return served, err
		}
	}
	return listening.Base(c.url, c.listen, c.cert != ""), nil
}

func (c *commands) link() *cobra.Command {
	cmd := c.on(&cobra.Command{
		Use: "link NAME", Short: "make a one-time link to sign in by",
		Long: `Prints an address that signs in as the account, once. An earlier one is of no use any
more. Anybody with it can set a password.`,
		Example: "  pingmill user link admin", Args: cli.Args(cobra.ExactArgs(1)),
	}, func(ctx context.Context, s *access.Store, args []string, out io.Writer) error {
		a, err := named(ctx, s, args[0])
		if err != nil {
			return err
		}
		if err := record(ctx, s, "new link", a); err != nil {
			return err
		}
		return c.printLink(ctx, s, a, out)
	})
	c.addressed(cmd)
	return cmd
}

func (c *commands) list() *cobra.Command {
	return c.on(&cobra.Command{Use: "list", Short: "list the accounts", Args: cli.Args(cobra.NoArgs)},
		func(ctx context.Context, s *access.Store, _ []string, out io.Writer) error {
			all, err := s.Accounts(ctx)
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "NAME\tKIND\tSTATE\tSIGNED IN\tRIGHTS\tREADS\tE-MAIL")
			for _, a := range all {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", cli.Safe(a.Name), a.Kind, state(&a), when(a.Seen), access.RightsText(a.Rights),
					access.GrantsText(a.Grants), cli.Safe(a.Email))
			}
			return w.Flush()
		})
}

func state(a *access.Account) string {
	if a.Disabled {
		return "disabled"
	}
	return "active"
}

// when formats a time to the minute.
func when(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format("2006-01-02 15:04")
}

func (c *commands) password() (cmd *cobra.Command) {
	cmd = c.on(&cobra.Command{
		Use: "password NAME", Short: "set the password of an account",
		Long: `Asks for a password twice, or reads it from standard input where that is no terminal,
and ends the sessions of the account.`, Example: "  pingmill user password ann", Args: cli.Args(cobra.ExactArgs(1)),
	}, func(ctx context.Context, s *access.Store, args []string, _ io.Writer) error {
		a, err := named(ctx, s, args[0])
		if err != nil {
			return err
		}
		password, err := cli.ReadSecret(cmd.InOrStdin(), cmd.ErrOrStderr(), "password of "+cli.Safe(a.Name))
		if err != nil {
			return err
		}
		if password == "" {
			return cli.Usagef("there is no password")
		}
		if err := s.SetPassword(ctx, a.ID, password); err != nil {
			return fmt.Errorf("account %s: %w", args[0], err)
		}
		return record(ctx, s, "password", a)
	})
	return cmd
}

func (c *commands) able(use string, disabled bool) *cobra.Command {
	short := map[bool]string{true: "end the sessions of an account and let it do nothing", false: "let an account in again"}[disabled]
	return c.on(&cobra.Command{Use: use + " NAME", Short: short, Args: cli.Args(cobra.ExactArgs(1))},
		func(ctx context.Context, s *access.Store, args []string, _ io.Writer) error {
			_, err := edit(ctx, s, args[0], use+"d", func(a *access.Account) { a.Disabled = disabled })
			return err
		})
}

func (c *commands) remove() *cobra.Command {
	return c.on(&cobra.Command{
		Use: "remove NAME", Short: "remove an account with its tokens",
		Long: `Removes an account with its sessions and tokens. The audit keeps what it did.`, Args: cli.Args(cobra.ExactArgs(1)),
	}, func(ctx context.Context, s *access.Store, args []string, _ io.Writer) error {
		a, err := named(ctx, s, args[0])
		if err != nil {
			return err
		}
		if err := s.Remove(ctx, a.ID); err != nil {
			return fmt.Errorf("account %s: %w", args[0], err)
		}
		return record(ctx, s, "removed", a)
	})
}

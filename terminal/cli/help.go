package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pingmill/pingmill/config"
)

// Widths of the help in columns.
const (
	HelpWidth  = 80  // without a terminal
	WidestHelp = 100 // longer lines are hard to read
	LeastHelp  = 40
)

// Help configures the help of a program.
type Help struct {
	Groups []HelpGroup // of the list of commands
	// Settings maps a command's name to the configuration keys that its help describes: "" means all keys, a section
	// means its keys. The help lists the other keys of the command in one sentence.
	Settings map[string][]string
}

// HelpGroup is a group in the list of commands.
type HelpGroup struct {
	Title    string
	Commands []string
}

// Set sets the help of all commands.
func (h *Help) Set(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Short = "write a shell's completion script: bash, zsh, fish or powershell"
		}
	}
	root.SetHelpCommand(newHelp())
	root.InitDefaultHelpCmd()
	for _, g := range h.Groups {
		root.AddGroup(&cobra.Group{ID: g.Title, Title: g.Title + ":"})
		for _, c := range root.Commands() {
			if slices.Contains(g.Commands, c.Name()) {
				c.GroupID = g.Title
			}
		}
	}
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { h.write(cmd.OutOrStdout(), cmd) })
	root.SetUsageFunc(func(cmd *cobra.Command) error { h.write(cmd.OutOrStderr(), cmd); return nil })
}

// Describes reports whether the help of a command describes a key.
func (h *Help) Describes(cmd *cobra.Command, key string) bool {
	return slices.ContainsFunc(h.Settings[cmd.Name()], func(s string) bool {
		return s == "" || s == key || strings.HasPrefix(key, s+".")
	})
}

// Write writes the help of a command, in lines of at most width columns.
func (h *Help) Write(out io.Writer, cmd *cobra.Command, width int) {
	p := helpPage{h, out, width}
	p.write(cmd)
}

func (h *Help) write(out io.Writer, cmd *cobra.Command) {
	width := HelpWidth
	if w := TerminalWidth(out); w > 0 {
		width = max(LeastHelp, min(w, WidestHelp))
	}
	h.Write(out, cmd, width)
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "say what a command does, as --help after it",
		Args:  cobra.ArbitraryArgs,
		// Help must also work with an invalid configuration.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return Usage(err)
			}
			if len(rest) > 0 {
				return UnknownCommand(about, rest[0])
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
		ValidArgsFunction: Completer(commandNames).First,
	}
}

// helpPage writes the help of a command.
type helpPage struct {
	help  *Help
	out   io.Writer
	width int
}

func (p *helpPage) write(cmd *cobra.Command) {
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	p.line(wrap(about, p.width, ""))
	use := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		use = cmd.CommandPath() + " COMMAND"
	}
	p.line("\nUsage:\n" + wrap(use, p.width-2, "  "))
	if cmd.Example != "" {
		p.line("\nExamples:\n" + strings.TrimRight(cmd.Example, "\n"))
	}
	if cmd.HasAvailableSubCommands() {
		p.commands(cmd)
		p.line("\n" + wrap("`"+cmd.CommandPath()+" COMMAND --help` says more of each.", p.width, ""))
	}
	p.flags(cmd)
}

func (p *helpPage) line(text string) { fmt.Fprintln(p.out, text) }

// commands lists the subcommands of cmd by group, then those without a group.
func (p *helpPage) commands(cmd *cobra.Command) {
	groups := append(cmd.Groups(), &cobra.Group{Title: "Commands:"})
	for _, g := range groups {
		title := "\n" + g.Title
		for _, c := range cmd.Commands() {
			if !c.IsAvailableCommand() || c.GroupID != g.ID {
				continue
			}
			if title != "" {
				p.line(title)
				title = ""
			}
			head := fmt.Sprintf("  %-*s  ", cmd.NamePadding(), c.Name())
			p.line(head + strings.TrimLeft(wrap(c.Short, p.width-len(head), strings.Repeat(" ", len(head))), " "))
		}
	}
}

// flags lists the command's own flags and the settings that it describes, and names the other settings.
func (p *helpPage) flags(cmd *cobra.Command) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	settings := map[string]*pflag.FlagSet{} // by section
	var others []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		key, section := config.KeyOf(f)
		switch {
		case f.Hidden || f.Name == "help" && cmd.HasParent() || cmd.InheritedFlags().Lookup(f.Name) != nil:
		case key == "" || key == "data" && !p.help.Describes(cmd, ""):
			own.AddFlag(f)
		case p.help.Describes(cmd, key):
			if settings[section] == nil {
				settings[section] = pflag.NewFlagSet("", pflag.ContinueOnError)
			}
			settings[section].AddFlag(f)
		default:
			others = append(others, "--"+f.Name)
		}
	})
	p.flagSet("Flags", own)
	for _, s := range append([]config.Section{{Doc: "Settings"}}, config.Sections...) {
		if settings[s.Name] != nil {
			p.flagSet(s.Doc, settings[s.Name])
		}
	}
	if len(settings)+len(others) == 0 {
		return
	}
	note := "Settings may also stand in a file (--config FILE) or in the environment: see `pingmill config --help`."
	if len(others) > 0 {
		note += " Others that count here: " + strings.Join(others, ", ") + "."
	}
	p.line("\n" + wrap(note, p.width, ""))
}

func (p *helpPage) flagSet(title string, fs *pflag.FlagSet) {
	if !fs.HasFlags() {
		return
	}
	p.line("\n" + wrap(title+":", p.width, ""))
	for line := range strings.Lines(fs.FlagUsagesWrapped(p.width)) {
		p.line(strings.TrimRight(line, " \n"))
	}
}

// wrap wraps paragraphs at width columns, with an indent. Lines that begin with white space are not changed.
func wrap(text string, width int, indent string) string {
	var lines []string
	var line string
	end := func() {
		if line != "" {
			lines = append(lines, indent+line)
		}
		line = ""
	}
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		if l == "" || strings.HasPrefix(l, " ") || strings.HasPrefix(l, "\t") {
			end()
			lines = append(lines, strings.TrimRight(indent+l, " "))
			continue
		}
		for _, word := range strings.Fields(l) {
			if line != "" && uniseg.StringWidth(line)+1+uniseg.StringWidth(word) > width {
				end()
			}
			if line != "" {
				line += " "
			}
			line += word
		}
	}
	end()
	return strings.Join(lines, "\n")
}

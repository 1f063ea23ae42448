package main

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
	helpWidth  = 80  // where there is no terminal
	widestHelp = 100 // longer lines are hard to read
	leastHelp  = 40
)

// commandGroup is a heading of the list of commands.
type commandGroup struct {
	title    string
	commands []string
}

var commandGroups = []commandGroup{
	{"Try it", []string{"demo", "generate"}},
	{"Take pings", []string{"serve", "load", "health"}},
	{"Make tables", []string{"run", "status", "check", "archive"}},
	{"Ask", []string{"query", "tables", "schema"}},
	{"Look at single pings", []string{"decode", "transform", "errors", "replay"}},
	{"Forget", []string{"delete", "expire"}},
	{"Set up", []string{"config", "completion", "version", "help"}},
}

// describedSettings are the keys of the configuration that the help of a
// command describes: what the command is about. "" stands for all, a section
// for its keys. The others that count are named in one sentence.
var describedSettings = map[string][]string{
	"serve": {""}, "config": {""}, "health": {""},
	"load": {"decode"}, "decode": {"decode"}, "replay": {"decode"},
	"check": {"checks"}, "delete": {"deletion"}, "expire": {"retention"},
	"schema": {"probes"}, "transform": {"probes"}, "generate": {"probes"},
}

// setHelp gives all commands their help.
func setHelp(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Short = "write a shell's completion script: bash, zsh, fish or powershell"
		}
	}
	root.SetHelpCommand(newHelp())
	root.InitDefaultHelpCmd()
	for _, g := range commandGroups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, c := range root.Commands() {
			if slices.Contains(g.commands, c.Name()) {
				c.GroupID = g.title
			}
		}
	}
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { writeHelp(cmd.OutOrStdout(), cmd) })
	root.SetUsageFunc(func(cmd *cobra.Command) error { writeHelp(cmd.OutOrStderr(), cmd); return nil })
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "say what a command does, as --help after it",
		Args:  cobra.ArbitraryArgs,
		// Help is there with a broken configuration, too.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return fmt.Errorf("%w: %w", errUsage, err)
			}
			if len(rest) > 0 {
				return unknownCommand(about, rest[0])
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
		ValidArgsFunction: first(commandNames),
	}
}

// helpPage writes the help of a command.
type helpPage struct {
	out   io.Writer
	width int
}

func writeHelp(out io.Writer, cmd *cobra.Command) {
	p := helpPage{out, helpWidth}
	if w := terminalWidth(out); w > 0 {
		p.width = max(leastHelp, min(w, widestHelp))
	}
	p.write(cmd)
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

// commands lists those below cmd by group, and then those of none.
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

// flags lists the command's own, then the settings that it describes, and names
// the other settings.
func (p *helpPage) flags(cmd *cobra.Command) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	settings := map[string]*pflag.FlagSet{} // by section
	var others []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		key, section := config.KeyOf(f)
		switch {
		case f.Hidden || f.Name == "help" && cmd.HasParent() || cmd.InheritedFlags().Lookup(f.Name) != nil:
		case key == "" || key == "data" && !describes(cmd, ""):
			own.AddFlag(f)
		case describes(cmd, key):
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

func describes(cmd *cobra.Command, key string) bool {
	for _, s := range describedSettings[cmd.Name()] {
		if s == "" || s == key || strings.HasPrefix(key, s+".") {
			return true
		}
	}
	return false
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

// wrap breaks paragraphs into lines of at most width columns after an indent.
// Lines that begin with a blank stay as they are.
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

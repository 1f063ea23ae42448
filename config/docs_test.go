package config

import (
	"bytes"
	"fmt"
	"strings"
)

// docs is docs/configuration.md.
func docs() []byte {
	var b bytes.Buffer
	b.WriteString(`# Configuration

Everything works without a configuration file. To use one: ` + "`pingmill serve --config /etc/pingmill/pingmill.yaml`" + `.
All commands accept ` + "`--config FILE`" + `, or ` + "`" + FileVariable + "`" + `. There is no default file.

    pingmill config --example > pingmill.yaml     every key, described, commented out with its default
    pingmill config --config pingmill.yaml        checks the file; prints what is in effect, and where each value comes from

Each key is also an environment variable and a flag of the commands that use it. Flags win over variables, variables
over the file, the file over the defaults. A command uses only its own keys of the file and the environment, but it
checks all of them. Errors are an unknown key, an unknown variable that begins with ` + "`" + prefix + "`" + `
(except ` + "`" + testPrefix + "…`" + `), and a value of a wrong type or out of range. An error names file and line, or the
variable. The exit status is 64, and no work is done.

In the file, sections are maps, or dots: ` + "`edge.listen: :8080`" + `. Sizes are bytes or have a unit (` + "`500MB`, `1GiB`" + `). Times
have a unit (` + "`30s`, `24h`" + `). A list is a YAML list in the file, and separated by commas in a variable. As a flag it is
separated by commas, or the flag is repeated. Relative paths are relative to the folder in which the program is started.
The file is read at the start; a change takes effect at the next start.

This page is generated from the list of keys, ` + "`config/keys.go`" + `.
`)
	open := "-"
	for i := range All {
		k := &All[i]
		above, _ := cut(k.Name)
		if above != open {
			open = above
			title(&b, above)
		}
		doc := k.Doc
		if k.Max != 0 || k.Min > 0 {
			doc += "; " + k.bounds()
		}
		if len(k.Commands) > 0 {
			doc += " (" + strings.Join(k.Commands, ", ") + ")"
		}
		fmt.Fprintf(&b, "| `%s` | `--%s` | `%s` | %s | %s |\n", k.Name, k.Flag, k.Variable(), defaultText(k), doc)
	}
	return b.Bytes()
}

func title(b *bytes.Buffer, section string) {
	head := "## Everywhere"
	if section != "" {
		head = "## " + section + "\n\n" + sectionDoc(section) + "."
	}
	fmt.Fprintf(b, "\n%s\n\n| key | flag | variable | default | what |\n|---|---|---|---|---|\n", head)
}

func defaultText(k *Key) string {
	if k.Default == "" {
		return ""
	}
	return "`" + k.Default + "`"
}

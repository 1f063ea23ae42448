package config

import (
	"bytes"
	"fmt"
	"strings"
)

// Docs is docs/configuration.md.
func Docs() []byte {
	var b bytes.Buffer
	b.WriteString(`# Configuration

Everything works without a file. With one: ` + "`pingmill serve --config /etc/pingmill/pingmill.yaml`" + `; all commands take
` + "`--config FILE`" + `, or ` + "`" + FileVariable + "`" + `. No file is read that is not named.

    pingmill config --example > pingmill.yaml     every key, described, commented out with its default
    pingmill config --config pingmill.yaml        checks the file; prints what is in effect, and where each value comes from

Each key is also an environment variable and a flag of the commands that use it. Flags win over variables, variables
over the file, the file over the defaults. A command takes from the file and the environment what it uses, and checks
everything: an unknown key, an unknown variable that begins with ` + "`" + prefix + "`" + ` (but for ` + "`" + testPrefix + "…`" + `), a value of a wrong
type or out of range is an error that names file and line or the variable, and exit status 64, before any work.

In the file sections are maps, or dots: ` + "`edge.listen: :8080`" + `. Sizes are bytes or have a unit (` + "`500MB`, `1GiB`" + `), times
have one (` + "`30s`, `24h`" + `). Lists are YAML lists in the file, separated by commas in a variable, and as a flag either that
or given again. Relative paths are relative to the folder that the program is started in. Files are read at the start;
a change takes effect with the next.

This page is made from the list of keys, ` + "`config/keys.go`" + `.
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

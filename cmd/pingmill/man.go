package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// completionFiles are where packages put completions, below the prefix.
var completionFiles = map[string]func(root *cobra.Command, file string) error{
	"share/bash-completion/completions/pingmill": func(r *cobra.Command, file string) error { return r.GenBashCompletionFileV2(file, true) },
	"share/zsh/site-functions/_pingmill":         func(r *cobra.Command, file string) error { return r.GenZshCompletionFile(file) },
	"share/fish/vendor_completions.d/pingmill.fish": func(r *cobra.Command, file string) error {
		return r.GenFishCompletionFile(file, true)
	},
}

// newMan is for packages: `make install` calls it.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man PREFIX",
		Short:  "write man pages and completions below a folder such as /usr/local",
		Hidden: true,
		Args:   usageArgs(cobra.ExactArgs(1)),
		RunE:   func(cmd *cobra.Command, args []string) error { return writeMan(cmd.Root(), args[0]) },
	}
}

func writeMan(root *cobra.Command, prefix string) error {
	pages := filepath.Join(prefix, "share", "man", "man1")
	if err := os.MkdirAll(pages, 0o755); err != nil {
		return fmt.Errorf("make folder of man pages: %w", err)
	}
	head := &doc.GenManHeader{Section: "1", Source: "pingmill " + version(), Manual: "pingmill"} // dated by SOURCE_DATE_EPOCH, if set
	root.DisableAutoGenTag = true
	if err := doc.GenManTree(root, head, pages); err != nil {
		return fmt.Errorf("write man pages: %w", err)
	}
	for name, write := range completionFiles {
		file := filepath.Join(prefix, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("make folder of completions: %w", err)
		}
		if err := write(root, file); err != nil {
			return fmt.Errorf("write completions: %w", err)
		}
	}
	return nil
}

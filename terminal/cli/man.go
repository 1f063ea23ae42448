package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// CompletionFiles maps the paths of completion scripts below the prefix to their generators.
var CompletionFiles = map[string]func(root *cobra.Command, file string) error{
	"share/bash-completion/completions/pingmill": func(r *cobra.Command, file string) error { return r.GenBashCompletionFileV2(file, true) },
	"share/zsh/site-functions/_pingmill":         func(r *cobra.Command, file string) error { return r.GenZshCompletionFile(file) },
	"share/fish/vendor_completions.d/pingmill.fish": func(r *cobra.Command, file string) error {
		return r.GenFishCompletionFile(file, true)
	},
}

// WriteMan writes manual pages and completions below a prefix such as
// /usr/local.
func WriteMan(root *cobra.Command, version, prefix string) error {
	pages := filepath.Join(prefix, "share", "man", "man1")
	if err := os.MkdirAll(pages, 0o755); err != nil {
		return fmt.Errorf("make folder of man pages: %w", err)
	}
	head := &doc.GenManHeader{Section: "1", Source: Name + " " + version, Manual: Name} // dated by SOURCE_DATE_EPOCH, if set
	root.DisableAutoGenTag = true
	if err := doc.GenManTree(root, head, pages); err != nil {
		return fmt.Errorf("write man pages: %w", err)
	}
	for name, write := range CompletionFiles {
		file := filepath.Join(prefix, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("make folder of completions: %w", err)
		}
		if err := write(root, file); err != nil {
			return fmt.Errorf("write completions: %w", err)
		}
	}
	return publicBelow(filepath.Join(prefix, "share"))
}

// publicBelow makes the files that WriteMan has written readable for all users.
func publicBelow(share string) error {
	files, err := filepath.Glob(filepath.Join(share, "man", "man1", Name+"*.1"))
	for name := range CompletionFiles {
		files = append(files, filepath.Join(filepath.Dir(share), filepath.FromSlash(name)))
	}
	for _, file := range files {
		err = errors.Join(err, os.Chmod(file, 0o644))
		for dir := filepath.Dir(file); len(dir) >= len(share); dir = filepath.Dir(dir) {
			if info, e := os.Stat(dir); e == nil && info.Mode().Perm()&0o055 != 0o055 {
				err = errors.Join(err, os.Chmod(dir, info.Mode().Perm()|0o055))
			}
		}
	}
	return err
}

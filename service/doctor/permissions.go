package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pingmill/pingmill/internal/text"
)

// private are the folders that only their owner may read.
var private = []string{"spool", "restricted", "web", "archive/forget"}

// mostFiles bounds how many files are looked at.
const mostFiles = 50000

func (p *Patient) permissions(ctx context.Context) (all []Finding) {
	dir := p.Service.Data
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		above := existing(dir)
		if !mayWrite(above) {
			return []Finding{fail(fmt.Sprintf("make %s as root and give it to the user of the service", dir),
				"%s does not exist, and this user may not make it in %s", dir, above)}
		}
		return []Finding{good("%s does not exist yet: serve makes it", dir)}
	}
	if err != nil {
		return []Finding{fail("run it as the user of the service", "%v", err)}
	}
	if info.Mode().Perm()&0o002 != 0 {
		all = append(all, fail("chmod o-w "+dir, "everybody on this machine may write in %s", dir))
	}
	for _, name := range private {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
			all = append(all, fail("chmod -R go-rwx "+path, "%s is for its owner only, and others may use it (%v)", path, info.Mode().Perm()))
		}
	}
	if err := p.files(ctx, dir, &all); err != nil {
		all = append(all, fail("run it as the user of the service", "%v", err))
	}
	if all == nil {
		all = append(all, good("the folders of %s belong to one user, and private ones are private", dir))
	}
	return all
}

// files looks for what the owner of a folder cannot use, because another user wrote it.
func (p *Patient) files(ctx context.Context, dir string, all *[]Finding) error {
	uid, known := owner(dir)
	strange, unwritable, seen, example := 0, 0, 0, ""
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || strings.HasPrefix(d.Name(), ".doctor-") {
			return nil // removed meanwhile
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if seen++; seen > mostFiles {
			return fs.SkipAll
		}
		if has, ok := owner(path); known && ok && has != uid {
			if strange++; example == "" {
				example = path
			}
		}
		if d.IsDir() && !mayWrite(path) {
			unwritable++
			if example == "" {
				example = path
			}
		}
		return nil
	})
	if strange > 0 {
		*all = append(*all, fail(fmt.Sprintf("chown -R %d %s, and run pingmill as that user only", uid, dir),
			"%s of another user than the folder's, such as %s: the service cannot change it", text.Plural(strange, "file"), example))
	}
	if unwritable > 0 {
		*all = append(*all, fail("chmod -R u+w "+dir+", or run it as the user of the service",
			"this user may not write in %s, such as %s", text.Plural(unwritable, "folder"), example))
	}
	return err
}

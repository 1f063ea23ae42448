package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pingmill/pingmill/store"
)

// markName is an object at the top of each root in a bucket. It names the
// kind and the version of the root. So an exchange of archive and tables in a
// configuration is found before anything is written.
const markName = "_root.json"

const markFormat = 1

type mark struct {
	Format int    `json:"format"`
	Root   string `json:"root"` // such as archive
}

// checkMark reads the mark of a root. One that is missing, in a new bucket or one that files were copied to, is made
// where work is to be done: this detects a user without the right to write, and a server without conditional writes.
func checkMark(ctx context.Context, b store.Bucket, root string, create bool) error {
	text, err := store.ReadFile(ctx, b, markName)
	if errors.Is(err, fs.ErrNotExist) {
		if !create {
			return nil
		}
		return makeMark(ctx, b, root)
	}
	if err != nil {
		return err
	}
	at := store.Place(b, markName)
	var m mark
	switch err := json.Unmarshal(text, &m); {
	case err != nil || m.Format < 1 || m.Root == "":
		return fmt.Errorf("%s is none of ours: is the place somebody else's?", at)
	case m.Format > markFormat:
		return fmt.Errorf("%s: a newer version of the program made it (format %d, this one knows %d)", at, m.Format, markFormat)
	case m.Root != root:
		return fmt.Errorf("%s: this is the %s root of an installation: correct the storage settings", at, m.Root)
	}
	return nil
}

func makeMark(ctx context.Context, b store.Bucket, root string) error {
	text, err := json.Marshal(mark{markFormat, root})
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if err := b.CompareAndSwap(ctx, markName, nil, text); err != nil && !errors.Is(err, store.ErrChanged) {
		return err
	}
	err = b.CompareAndSwap(ctx, markName, nil, text)
	switch {
	case err == nil:
		return fmt.Errorf("%s was written again although it is there (If-None-Match): use a server with conditional writes, or several "+
			"could publish at once", store.Place(b, markName))
	case errors.Is(err, store.ErrChanged):
		return nil
	}
	return err
}

package site

import (
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/store/blob"
)

// Roots holds the places of an installation's data. Each is the URL of a bucket with a prefix, a path, or ""
// for the usual folder in the data folder.
type Roots struct{ Archive, Lake, Pipeline, Restricted string }

// archiveFolder is the folder of the archive in the data folder.
const archiveFolder = "archive"

// part is one of the roots: its name is also its usual folder.
type part struct {
	name string
	root *string
}

func (r *Roots) parts() []part {
	return []part{
		{archiveFolder, &r.Archive}, {schema.StorageRoot.Folder(), &r.Lake},
		{schema.PipelineRoot.Folder(), &r.Pipeline}, {schema.RestrictedRoot.Folder(), &r.Restricted},
	}
}

// Below sets the roots that are "" to places below a URL or path.
func (r Roots) Below(place string) (Roots, error) {
	if place == "" {
		return r, nil
	}
	for _, p := range r.parts() {
		below, err := join(place, p.name)
		if err != nil {
			return r, err
		}
		*p.root = cmp.Or(*p.root, below)
	}
	return r, nil
}

// Remote reports whether one of the roots is a bucket, which other servers may use as well.
func (r Roots) Remote() bool {
	for _, p := range r.parts() {
		if blob.IsURL(*p.root) {
			return true
		}
	}
	return false
}

// Check returns an error if the roots contradict each other or the data folder, as far as their texts show.
func (r Roots) Check(dir string) error {
	if r == (Roots{}) { // as it always was, whatever is a link to another disk
		return nil
	}
	data, err := placeOf(dir)
	if err != nil {
		return err
	}
	full := r.in(dir)
	places := make([]string, 0, len(full.parts()))
	for _, p := range full.parts() {
		at, err := placeOf(*p.root)
		if err != nil {
			return fmt.Errorf("%s root: %w", p.name, err)
		}
		if inside(data, at) {
			return fmt.Errorf("%s root %s: the data folder is in it, with the ledger and the spool", p.name, shown(*p.root))
		}
		places = append(places, at)
	}
	for i, p := range full.parts() {
		for j, other := range full.parts() {
			if i != j && inside(places[i], places[j]) && (i > j || places[i] != places[j]) {
				return fmt.Errorf("%s root %s is in the %s root %s: each needs a place of its own", p.name, shown(*p.root), other.name,
					shown(*other.root))
			}
		}
	}
	return nil
}

// in returns the roots with the usual folders for those that are "".
func (r Roots) in(dir string) Roots {
	for _, p := range r.parts() {
		*p.root = cmp.Or(*p.root, filepath.Join(dir, p.name))
	}
	return r
}

// join returns a place below a URL or path.
func join(root, name string) (string, error) {
	if blob.IsURL(root) {
		return blob.Join(root, name)
	}
	return filepath.Join(root, name), nil
}

// shown returns a root for messages: without what may be a password.
func shown(root string) string {
	scheme, rest, is := strings.Cut(root, "://")
	if at := strings.LastIndexByte(rest, '@'); is && at >= 0 {
		return scheme + "://…" + rest[at:]
	}
	return root
}

// placeOf names a place so that places inside others are seen: it ends with a slash.
func placeOf(root string) (string, error) {
	if blob.IsURL(root) {
		if _, err := blob.Join(root); err != nil {
			return "", err
		}
		u, err := url.Parse(root)
		if err != nil {
			return "", err
		}
		return u.Scheme + "://" + u.Query().Get("endpoint") + "|" + strings.Trim(u.Host+u.Path, "/") + "/", nil
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	for dir := abs; ; dir = filepath.Dir(dir) { // what is not there yet is no link
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			abs = filepath.Join(real, strings.TrimPrefix(abs, dir))
			break
		} else if dir == filepath.Dir(dir) {
			break
		}
	}
	return filepath.ToSlash(strings.TrimSuffix(abs, string(filepath.Separator))) + "/", nil
}

func inside(place, other string) bool { return strings.HasPrefix(place, other) }

package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/pingmill/pingmill/etl/job"
	"github.com/pingmill/pingmill/store/blob"
)

func (b *bundle) version(context.Context) ([]byte, error) {
	settings := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if strings.HasPrefix(s.Key, "vcs") || s.Key == "-tags" || s.Key == "CGO_ENABLED" {
				settings[s.Key] = s.Value
			}
		}
	}
	return indented(map[string]any{"program": b.patient.Program, "go": runtime.Version(), "system": runtime.GOOS + "/" + runtime.GOARCH,
		"processors": runtime.NumCPU(), "build": settings})
}

// size counts the files of a folder and of all folders below it.
type size struct {
	Files int   `json:"files"`
	Bytes int64 `json:"bytes"`
}

// folders adds up the folders of this machine: those of tables by name, and all others by the first part of their path.
func (b *bundle) folders(ctx context.Context) ([]byte, error) {
	p := b.patient
	if p.Refused != nil {
		return nil, p.Refused
	}
	all := map[string]size{}
	err := b.add(ctx, all, "", p.Service.Data)
	for name, root := range map[string]string{"archive": p.Roots.Archive, "lake": p.Roots.Lake, "pipeline": p.Roots.Pipeline,
		"restricted": p.Roots.Restricted} {
		rel, outside := filepath.Rel(p.Service.Data, root)
		switch {
		case blob.IsURL(root):
			all[name+" (bucket, not counted)"] = size{}
		case outside != nil || !filepath.IsLocal(rel):
			err = errors.Join(err, b.add(ctx, all, name, root))
		}
	}
	data, bad := indented(all)
	return data, errors.Join(err, bad)
}

func (b *bundle) add(ctx context.Context, all map[string]size, below, root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
			return nil // it went meanwhile, or belongs to another user
		case err != nil || ctx.Err() != nil:
			return errors.Join(err, ctx.Err())
		case d.IsDir():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // it went meanwhile
		}
		rel, _ := filepath.Rel(root, path)
		name := b.folder(filepath.Join(below, filepath.Dir(rel)))
		s := all[name]
		all[name] = size{s.Files + 1, s.Bytes + info.Size()}
		return nil
	})
}

// folder returns the part of a path that names no edge and no person.
func (b *bundle) folder(path string) string {
	first, rest, _ := strings.Cut(filepath.ToSlash(path), "/")
	if first == "." {
		return "(the data folder itself)"
	}
	if len(first) > longest || !word().MatchString(first) {
		return "(other)"
	}
	if table, _, _ := strings.Cut(rest, "/"); b.known[table] {
		return first + "/" + table
	}
	return first
}

// failure is a partition whose last attempt failed.
type failure struct {
	Table   string `json:"table"`
	Day     string `json:"day"`
	Run     int64  `json:"run"`
	Outcome string `json:"outcome"`
	Started string `json:"started"`
	Ended   string `json:"ended"`
	Code    string `json:"code"`
	Reason  string `json:"reason"`
}

func (b *bundle) failures(ctx context.Context) ([]byte, error) {
	if b.site == nil || b.site.Ledger == nil {
		return nil, os.ErrNotExist
	}
	all, err := b.site.Ledger.Failures(ctx, job.Filter{})
	if err != nil {
		return nil, err
	}
	out := []failure{}
	const stamp = "2006-01-02T15:04:05Z"
	for i := range all {
		u := &all[i]
		out = append(out, failure{b.text(u.Table), b.text(u.Day), u.Run, string(u.Outcome), u.Started.Format(stamp), u.Ended.Format(stamp),
			u.Code, b.text(u.Error)})
	}
	return indented(out)
}

package folder

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/pingmill/pingmill/sql/dashboard/files"
	"github.com/pingmill/pingmill/sql/dashboard/redash"
)

const differs = "it differs from the other side: use --overwrite, or remove one of them"

// Export writes all dashboards of people and the queries that they use. A file that differs is a conflict, unless overwrite is set.
func (f *Folder) Export(ctx context.Context, overwrite bool) (done Done, err error) {
	all, problems, err := Read(f.Dir)
	if err != nil {
		return done, err
	}
	done.Conflicts = problems
	stored, err := f.stored(ctx, nil)
	if err != nil {
		return done, err
	}
	for _, path := range slices.Sorted(maps.Keys(stored)) {
		switch file := all[path]; {
		case file.exists && file.text == stored[path].text:
		case file.exists && !overwrite:
			done.Conflicts = append(done.Conflicts, files.Problem{Path: path, Message: differs})
		default:
			if err := Write(f.file(path), stored[path].text); err != nil {
				return done, fmt.Errorf("export dashboards: %w", err)
			}
			done.Written = append(done.Written, path)
		}
	}
	return done, nil
}

// Import stores the files under their ids, and the queries and dashboards of Redash in *.json. What differs from what is stored is a
// conflict, unless overwrite is set. left names what could not be converted.
func (f *Folder) Import(ctx context.Context, overwrite bool) (done Done, left []files.Problem, err error) {
	all, problems, err := Read(f.Dir)
	if err != nil {
		return done, nil, err
	}
	if left, err = f.convert(all); err != nil {
		return done, nil, err
	}
	done.Conflicts = problems
	stored, err := f.stored(ctx, slices.Collect(maps.Keys(all)))
	if err != nil {
		return done, left, err
	}
	for _, path := range slices.Backward(slices.Sorted(maps.Keys(all))) { // queries/ before dashboards/
		switch has := stored[path]; {
		case has.exists && has.text == all[path].text:
			continue
		case has.exists && !overwrite:
			done.Conflicts = append(done.Conflicts, files.Problem{Path: path, Message: differs})
			continue
		}
		if _, err := f.load(ctx, path, all[path].text); err != nil {
			done.Conflicts = append(done.Conflicts, files.Problem{Path: path, Message: err.Error()})
			continue
		}
		done.Read = append(done.Read, path)
	}
	return done, left, nil
}

// convert adds the files that JSON of Redash is converted to.
func (f *Folder) convert(all map[string]side) (left []files.Problem, err error) {
	names, err := filepath.Glob(filepath.Join(f.Dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var others []files.File
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("import dashboards: %w", err)
		}
		others = append(others, files.File{Path: filepath.Base(name), Text: string(text)})
	}
	b, left := redash.Convert(others)
	converted, err := b.Files()
	for _, c := range converted {
		all[c.Path] = side{text: c.Text, exists: true}
	}
	return left, err
}

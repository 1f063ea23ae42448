package glean

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pingmill/pingmill/internal/lazy"
)

// Bounds of definitions, far above those of any application: they keep a wrong file from using all memory.
const (
	maxFile    = 64 << 20 // bytes
	maxMetrics = 50_000   // of an application with its libraries
	maxPings   = 2_000
)

// core is the id of the library that every application uses. Its definitions are built in.
const core = "glean-core"

// builtin in the place of a folder means the built-in definitions of Firefox desktop.
const builtin = "firefox"

// ReadAll returns the definitions of several folders, each a newer version of the ones before. columns are the metrics
// that get a column of the metrics ping; none means all.
func ReadAll(dirs, columns []string) (all Definitions, err error) {
	for _, dir := range dirs {
		var defs Definitions
		if dir == builtin {
			defs, err = Firefox()
		} else {
			defs, err = Read(dir)
		}
		if err == nil {
			all, err = Joined(all, defs)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, app := range all {
		if len(columns) > 0 {
			app.Columns = columns
		}
	}
	return all, nil
}

// IsFolder reports whether a folder has definitions of Glean applications: a folder in it has a file of metrics or pings, or
// of an application.
func IsFolder(dir string) bool {
	if dir == builtin {
		return true
	}
	names, err := fs.Glob(os.DirFS(dir), "*/*")
	return err == nil && slices.ContainsFunc(names, func(name string) bool {
		name = path.Base(name)
		return metricsFile().MatchString(name) || pingsFile().MatchString(name) || appFile().MatchString(name)
	})
}

// Read returns the definitions of a folder that has a folder for each application, and for each library that an
// application names as a dependency. An application without a folder keeps its built-in definitions.
func Read(dir string) (Definitions, error) {
	defs, err := read(os.DirFS(dir))
	if err != nil {
		return nil, fmt.Errorf("Glean definitions in %s: %w", dir, err)
	}
	return defs, nil
}

func read(dir fs.FS) (Definitions, error) {
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, err
	}
	r := reader{dir: dir, folders: map[string]*folder{}}
	var ids []string
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if _, err := r.folder(e.Name()); err != nil {
			return nil, err
		}
		ids = append(ids, e.Name())
	}
	if len(ids) == 0 {
		return nil, errors.New("no folder of an application")
	}
	libraries := map[string]bool{}
	for _, id := range ids {
		for _, on := range r.folders[id].app.Dependencies {
			libraries[on] = true
		}
	}
	defs := Definitions{}
	for _, id := range ids {
		if libraries[id] {
			continue
		}
		app, err := r.application(id)
		if err != nil {
			return nil, err
		}
		if other := defs[app.ID]; other != nil {
			return nil, fmt.Errorf("folder %s: another folder has the application %s, too", id, app.ID)
		}
		defs[app.ID] = app
	}
	if len(defs) == 0 { // each needs another one
		_, err := r.application(ids[0])
		return nil, errors.Join(err, errors.New("no application: every folder is a dependency of another one"))
	}
	return defs, defs.checkNames()
}

// folder holds the definitions of the files in one folder.
type folder struct {
	app     applicationFile
	metrics []*Metric
	pings   []*Ping
	files   int
}

func (f *folder) empty() bool { return f.files == 0 }

// reader reads folders, each once.
type reader struct {
	dir     fs.FS
	folders map[string]*folder
}

var (
	metricsFile = lazy.Regexp(`metrics\.(ya?ml|json)$`)
	pingsFile   = lazy.Regexp(`pings\.(ya?ml|json)$`)
	appFile     = lazy.Regexp(`^application\.(ya?ml|json)$`)
)

func (r *reader) folder(name string) (*folder, error) {
	entries, err := fs.ReadDir(r.dir, name)
	if err != nil {
		return nil, err
	}
	f := &folder{}
	for _, e := range entries {
		var take func(*folder, string, []byte) error
		switch {
		case appFile().MatchString(e.Name()):
			take = (*folder).application
		case pingsFile().MatchString(e.Name()):
			take = (*folder).pingsFile
		case metricsFile().MatchString(e.Name()):
			take = (*folder).metricsFile
		default:
			continue
		}
		file := path.Join(name, e.Name())
		b, err := r.file(file)
		if err == nil {
			err = take(f, file, b)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		f.files++
	}
	if len(f.metrics) > maxMetrics || len(f.pings) > maxPings {
		return nil, fmt.Errorf("%s: %d metrics and %d pings: at most %d and %d", name, len(f.metrics), len(f.pings), maxMetrics, maxPings)
	}
	r.folders[name] = f
	return f, nil
}

// file reads a regular file of a bounded size.
func (r *reader) file(name string) ([]byte, error) {
	switch info, err := fs.Stat(r.dir, name); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%d bytes: at most %d", info.Size(), maxFile)
	}
	return fs.ReadFile(r.dir, name)
}

// application returns the application of a folder with its libraries. One whose folder is empty has the built-in
// definitions.
func (r *reader) application(id string) (*Application, error) {
	if r.folders[id].empty() && ApplicationID(id) == desktop {
		defs, err := Firefox()
		return defs[desktop], err
	}
	app := &Application{ID: ApplicationID(id), Metrics: coreMetrics(), Pings: corePings()}
	if err := r.add(app, id, nil); err != nil {
		return nil, err
	}
	app.imply()
	if len(app.Metrics) > maxMetrics {
		return nil, fmt.Errorf("%s: %d metrics with its libraries: at most %d", id, len(app.Metrics), maxMetrics)
	}
	return app, app.check()
}

// add adds a folder and those it depends on. above are the folders that lead to it.
func (r *reader) add(app *Application, name string, above []string) error {
	if slices.Contains(above, name) {
		return fmt.Errorf("the dependencies go in a circle: %s", strings.Join(append(above, name), " → "))
	}
	f := r.folders[name]
	if f == nil {
		return fmt.Errorf("%s: it needs the library %s: there is no such folder", filepath.Join(above[len(above)-1], "application.yaml"), name)
	}
	above = append(slices.Clone(above), name)
	for _, on := range f.app.Dependencies {
		if on == core && r.folders[core] == nil {
			continue
		}
		if err := r.add(app, on, above); err != nil {
			return err
		}
	}
	*app = *app.with(&Application{ID: app.ID, Metrics: f.metrics, Pings: f.pings})
	return nil
}

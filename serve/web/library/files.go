package library

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/dashboard/files"
	"github.com/pingmill/pingmill/sql/dashboard/folder"
	"github.com/pingmill/pingmill/sql/dashboard/redash"
)

// maxImport is the maximum size in bytes of the body of an import.
const maxImport = 4 << 20

func largeBody(op *huma.Operation) { op.MaxBodyBytes = maxImport }

// asZip documents a response that is a zip.
func asZip(op *huma.Operation) {
	op.Responses = map[string]*huma.Response{"200": {Description: "a zip of dashboards/ID.yaml and queries/ID.sql",
		Content: map[string]*huma.MediaType{"application/zip": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}}}
}

type zipOut struct {
	Type        string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

func (c dashboards) export(ctx context.Context, in *idIn) (*zipOut, error) {
	b, err := files.Export(ctx, c.Dashboards, access.From(ctx), in.ID)
	if err != nil {
		return nil, problem(err)
	}
	all, err := b.Files()
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	z := zip.NewWriter(&body)
	for _, f := range all {
		w, err := z.Create(f.Path)
		if err == nil {
			_, err = w.Write([]byte(f.Text))
		}
		if err != nil {
			return nil, fmt.Errorf("export dashboard: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("export dashboard: %w", err)
	}
	return &zipOut{"application/zip", fmt.Sprintf("attachment; filename=%q", "dashboard-"+in.ID+".zip"), body.Bytes()}, nil
}

// folderInterval separates two comparisons of the folder of files with what is stored.
const folderInterval = 20 * time.Second

// OpenFolder returns a part that keeps dashboards equal with a folder of files.
func (c *Config) OpenFolder(dir string, accounts folder.Accounts, log *slog.Logger,
	wait func(context.Context, time.Duration) error) func(context.Context) error {
	c.folder = &folder.Folder{Dir: dir, Boards: c.Dashboards, Accounts: accounts, Log: log}
	return func(ctx context.Context) error { return c.folder.Run(ctx, folderInterval, wait) }
}

// FolderState is the state of the folder of files.
type FolderState struct {
	Folder    string          `json:"folder" doc:"empty: there is none"`
	Conflicts []files.Problem `json:"conflicts" nullable:"false" doc:"files that cannot be read, or that changed on both sides"`
}

func (c dashboards) folderState(context.Context, *struct{}) (*struct{ Body FolderState }, error) {
	state := FolderState{Conflicts: []files.Problem{}}
	if c.folder != nil {
		state = FolderState{c.folder.Dir, append(state.Conflicts, c.folder.Conflicts()...)}
	}
	return &struct{ Body FolderState }{state}, nil
}

type importIn struct {
	Body struct {
		Files     []files.File `json:"files" minItems:"1" maxItems:"500" doc:"ID.yaml of a dashboard, ID.sql of a query, or JSON of Redash's API"`
		Overwrite bool         `json:"overwrite,omitempty" doc:"change what is stored under the ids of the files"`
	}
}

func (c dashboards) imports(ctx context.Context, in *importIn) (*struct{ Body files.Report }, error) {
	var own, others []files.File
	for _, f := range in.Body.Files {
		if strings.HasSuffix(f.Path, ".json") {
			others = append(others, f)
		} else {
			own = append(own, f)
		}
	}
	b, bad := files.Read(own)
	converted, left := redash.Convert(others)
	b.Queries, b.Dashboards = append(b.Queries, converted.Queries...), append(b.Dashboards, converted.Dashboards...)
	r, err := files.Import(ctx, c.Dashboards, access.From(ctx), b, in.Body.Overwrite)
	r.Left = append(append(bad, left...), r.Left...)
	return &struct{ Body files.Report }{r}, err
}

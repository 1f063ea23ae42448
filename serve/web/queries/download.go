package queries

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// form is a file format of downloads.
type form struct {
	name, ending, media string
	write               func(*queryservice.Result, io.Writer) error
}

// forms lists the formats; the first is the default.
var forms = []form{
	{"csv", "csv", "text/csv; charset=utf-8", (*queryservice.Result).WriteCSV},
	{"spreadsheet", "csv", "text/csv; charset=utf-8", (*queryservice.Result).WriteSpreadsheet},
	{"ndjson", "ndjson", "application/x-ndjson", (*queryservice.Result).WriteNDJSON},
	{"json", "json", "application/json", (*queryservice.Result).WriteJSON},
	{"parquet", "parquet", "application/vnd.apache.parquet", (*queryservice.Result).WriteParquet},
	{"arrow", "arrow", "application/vnd.apache.arrow.stream", (*queryservice.Result).WriteArrow},
}

func formOf(name string) form {
	for _, f := range forms {
		if f.name == name {
			return f
		}
	}
	return forms[0]
}

// asFile describes the response of a download.
func asFile(op *huma.Operation) {
	content := map[string]*huma.MediaType{}
	for _, f := range forms {
		content[f.media] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	op.Responses = map[string]*huma.Response{"200": {Description: "The file", Content: content},
		"304": {Description: "It is the one that the asker has"}}
}

type downloading struct {
	ID     string `path:"id" maxLength:"100"`
	Format string `query:"format" enum:"csv,spreadsheet,ndjson,json,parquet,arrow" default:"csv" doc:"spreadsheet is CSV in which texts that would be formulas have an apostrophe before them"`
	Have   string `header:"If-None-Match" maxLength:"1000"`
}

func (c Config) download(ctx context.Context, in *downloading) (*huma.StreamResponse, error) {
	r, err := c.QueryService.Result(ctx, access.From(ctx), in.ID)
	if err != nil {
		return nil, problem(err)
	}
	f := formOf(in.Format)
	tag := `"` + in.ID + "-" + f.name + `"`
	return &huma.StreamResponse{Body: func(h huma.Context) {
		defer r.Close()
		h.SetHeader("ETag", tag)
		h.SetHeader("Cache-Control", "private, no-cache")
		if in.Have == tag {
			h.SetStatus(http.StatusNotModified)
			return
		}
		h.SetHeader("Content-Type", f.media)
		h.SetHeader("Content-Disposition", `attachment; filename="query-`+in.ID+"."+f.ending+`"`)
		if f.name == "arrow" {
			h.SetHeader("Content-Length", strconv.FormatInt(r.Size(), 10))
		}
		b := bufio.NewWriterSize(h.BodyWriter(), 1<<16)
		err := f.write(r, b)
		if err == nil {
			err = b.Flush()
		}
		if err != nil { // the status is already sent: the client must see that the file is incomplete
			panic(http.ErrAbortHandler)
		}
	}}, nil
}

package queries

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/sql/query/encode"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// Row is the values of a row as JSON.
type Row json.RawMessage

func (r Row) MarshalJSON() ([]byte, error) { return r, nil }

func (Row) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{},
		Description: "a value for each column: integers beyond 2^53, decimals, times and bytes are texts"}
}

// Page is a part of a result.
type Page struct {
	Columns  []queryservice.ResultColumn `json:"columns" nullable:"false"`
	Rows     []Row                       `json:"rows" nullable:"false" doc:"fewer than asked for where they are large"`
	Offset   int64                       `json:"offset" doc:"number of the first row, from 0"`
	Total    int64                       `json:"total" doc:"rows of the result"`
	Complete bool                        `json:"complete" doc:"false: the result was cut, or these are rows of a query that runs"`
}

// maxPage is the size of values in bytes that ends a page.
const maxPage = 8 << 20

type paging struct {
	ID     string `path:"id" maxLength:"100"`
	Offset int64  `query:"offset" minimum:"0"`
	Limit  int64  `query:"limit" minimum:"0" maximum:"10000" default:"1000"`
}

var errFull = errors.New("the page is full")

func (c Config) rows(ctx context.Context, in *paging) (*struct{ Body Page }, error) {
	r, err := c.QueryService.Result(ctx, access.From(ctx), in.ID)
	if errors.Is(err, queryservice.ErrNoResult) {
		r, err = queryservice.First(ctx, c.QueryService, access.From(ctx), in.ID)
	}
	if err != nil {
		return nil, problem(err)
	}
	defer r.Close()
	page := Page{Columns: r.Query.Columns, Rows: []Row{}, Offset: in.Offset, Total: r.Rows()}
	page.Complete = r.Query.State == queryservice.Done && r.Query.Cut == ""
	if page.Columns == nil {
		page.Columns = []queryservice.ResultColumn{}
	}
	size := 0
	err = r.Each(in.Offset, in.Limit, func(row []any) error {
		text := appendRow(nil, row)
		page.Rows = append(page.Rows, text)
		if size += len(text); size >= maxPage {
			return errFull
		}
		return nil
	})
	if err != nil && !errors.Is(err, errFull) {
		return nil, problem(err)
	}
	return &struct{ Body Page }{page}, nil
}

// appendRow appends a row as a JSON array.
func appendRow(dst []byte, row []any) []byte {
	dst = append(dst, '[')
	for i, v := range row {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = encode.AppendJSON(dst, exact(v))
	}
	return append(dst, ']')
}

// maxExact is the largest integer that JSON readers do not round.
const maxExact = 1 << 53

// exact converts integers that JSON readers would round to text.
func exact(v any) any {
	switch v := v.(type) {
	case int64:
		if v > maxExact || v < -maxExact {
			return string(encode.AppendText(nil, v))
		}
	case uint64:
		if v > maxExact {
			return string(encode.AppendText(nil, v))
		}
	case *big.Int:
		if !v.IsInt64() || v.Int64() > maxExact || v.Int64() < -maxExact {
			return v.String()
		}
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case encode.Object:
		for i := range v {
			v[i].Value = exact(v[i].Value)
		}
	}
	return v
}

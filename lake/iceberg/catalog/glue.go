package catalog

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"

	"github.com/pingmill/pingmill/lake/iceberg/format"
)

// glue is the data catalog of AWS: a pointer to metadata, with a version that keeps writers apart.
type glue struct {
	client   *http.Client
	config   aws.Config
	endpoint string
	account  string // whose catalog it is; "": that of the credentials
	sent     atomic.Int64
}

// openGlue takes region and credentials as AWS' own programs do, from environment, files and instance.
func openGlue(ctx context.Context, c Config) (Catalog, error) {
	g := &glue{client: &http.Client{Timeout: requestTime}, account: c.Warehouse}
	var options []func(*config.LoadOptions) error
	isURL := strings.Contains(c.URI, "://")
	if c.URI != "" && !isURL {
		options = append(options, config.WithRegion(c.URI))
	}
	var err error
	if g.config, err = config.LoadDefaultConfig(ctx, options...); err != nil {
		return nil, fmt.Errorf("open Glue: %w", err)
	}
	if g.config.Region == "" {
		return nil, errors.New("open Glue: no region is known: give it as iceberg.uri, or as AWS_REGION")
	}
	if g.endpoint = c.URI; !isURL {
		g.endpoint = "https://glue." + g.config.Region + ".amazonaws.com"
	}
	return pointing{g}, nil
}

func (g *glue) requests() int64 { return g.sent.Load() }

func (g *glue) close() error {
	g.client.CloseIdleConnections()
	return nil
}

// glueError is a refusal of Glue.
type glueError struct {
	Status  int    `json:"-"`
	Type    string `json:"__type"`
	Message string `json:"Message"`
	Lower   string `json:"message"`
}

func (e *glueError) Error() string {
	return fmt.Sprintf("Glue answers %d %s: %s", e.Status, e.Type, short(e.Message+e.Lower))
}

func isGlue(err error, kind string) bool {
	var e *glueError
	return errors.As(err, &e) && strings.HasSuffix(e.Type, kind)
}

// do calls an operation.
func (g *glue) do(ctx context.Context, operation string, in map[string]any, out any) error {
	if g.account != "" {
		in["CatalogId"] = g.account
	}
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-amz-json-1.1")
	req.Header.Set("X-Amz-Target", "AWSGlue."+operation)
	if err := g.sign(ctx, req, body); err != nil {
		return err
	}
	g.sent.Add(1)
	answer, err := g.client.Do(req)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUncertain, err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if answer.StatusCode != http.StatusOK {
		e := &glueError{Status: answer.StatusCode}
		_ = json.Unmarshal(b, e)
		if e.Status >= http.StatusInternalServerError {
			return fmt.Errorf("%w: %w", ErrUncertain, e)
		}
		return e
	}
	if err == nil && out != nil {
		err = json.Unmarshal(b, out)
	}
	return err
}

// maxAnswer limits the bytes that are read of an answer.
const maxAnswer = 16 << 20

// sign signs a request. Signatures have the time: only this needs the machine's clock.
func (g *glue) sign(ctx context.Context, req *http.Request, body []byte) error {
	who, err := g.config.Credentials.Retrieve(ctx)
	if err != nil {
		return fmt.Errorf("find credentials for Glue: %w", err)
	}
	sum := sha256.Sum256(body)
	return v4.NewSigner().SignHTTP(ctx, who, req, hex.EncodeToString(sum[:]), "glue", g.config.Region, time.Now())
}

// The parameters of a table of Glue that make it one of Iceberg.
const (
	glueType     = "table_type"
	glueMetadata = "metadata_location"
	glueBefore   = "previous_metadata_location"
)

type glueTable struct {
	Table struct {
		Parameters map[string]string
		VersionId  string
	}
}

func (g *glue) get(ctx context.Context, n *Name) (file string, state any, err error) {
	var t glueTable
	err = g.do(ctx, "GetTable", map[string]any{"DatabaseName": n.Namespace, "Name": n.Table}, &t)
	if isGlue(err, "EntityNotFoundException") {
		return "", nil, fmt.Errorf("%w: %w", ErrNoTable, err)
	}
	if err != nil {
		return "", nil, err
	}
	p := t.Table.Parameters
	if !strings.EqualFold(p[glueType], "iceberg") || p[glueMetadata] == "" {
		return "", nil, errors.New("Glue has a table of this name that is not one of Iceberg")
	}
	return p[glueMetadata], t.Table.VersionId, nil
}

func (g *glue) put(ctx context.Context, n *Name, from string, state any, t *Table) error {
	parameters := map[string]string{glueType: "ICEBERG", glueMetadata: t.File, "EXTERNAL": "TRUE"}
	if from != "" {
		parameters[glueBefore] = from
	}
	table := map[string]any{
		"Name": n.Table, "TableType": "EXTERNAL_TABLE", "Parameters": parameters, "Description": t.Properties["comment"],
		"StorageDescriptor": map[string]any{"Location": t.Location, "Columns": glueColumns(t.Schema())},
	}
	if from == "" {
		return g.insert(ctx, n, table)
	}
	in := map[string]any{"DatabaseName": n.Namespace, "TableInput": table, "SkipArchive": true}
	if version, _ := state.(string); version != "" {
		in["VersionId"] = version
	}
	err := g.do(ctx, "UpdateTable", in, nil)
	if isGlue(err, "ConcurrentModificationException") {
		return fmt.Errorf("%w: %w", ErrConflict, err)
	}
	return err
}

func (g *glue) insert(ctx context.Context, n *Name, table map[string]any) error {
	err := g.do(ctx, "CreateDatabase", map[string]any{"DatabaseInput": map[string]any{"Name": n.Namespace}}, nil)
	if err != nil && !isGlue(err, "AlreadyExistsException") {
		return err
	}
	err = g.do(ctx, "CreateTable", map[string]any{"DatabaseName": n.Namespace, "TableInput": table}, nil)
	if isGlue(err, "AlreadyExistsException") {
		return fmt.Errorf("%w: %w", ErrConflict, err)
	}
	return err
}

// glueColumns returns the columns as Glue's pages show them. Engines go by the metadata.
func glueColumns(s *format.Schema) (all []map[string]string) {
	for i := range s.Fields {
		f := &s.Fields[i]
		all = append(all, map[string]string{"Name": f.Name, "Type": glueName(&f.Type), "Comment": glueComment(f.Doc)})
	}
	return all
}

// glueComment returns a comment of the length that Glue takes.
func glueComment(doc string) string {
	const most = 255
	if len(doc) > most {
		doc = strings.ToValidUTF8(doc[:most], "")
	}
	return doc
}

// glueName returns the name of a type.
func glueName(t *format.Type) string {
	n := t.Nested
	if n == nil {
		if t.Name == "long" {
			return "bigint"
		}
		return strings.ReplaceAll(t.Name, " ", "")
	}
	switch n.Kind {
	case "list":
		return "array<" + glueName(n.Element) + ">"
	case "map":
		return "map<" + glueName(n.Key) + "," + glueName(n.Value) + ">"
	}
	var members []string
	for i := range n.Fields {
		members = append(members, n.Fields[i].Name+":"+glueName(&n.Fields[i].Type))
	}
	return "struct<" + strings.Join(members, ",") + ">"
}

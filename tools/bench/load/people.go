package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/apache/arrow-go/v18/arrow/flight/flightsql"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
)

// person asks queries, one after the other.
type person interface {
	// query runs a query and reads its result.
	query(ctx context.Context, sql string) error
}

// visitor asks over HTTP.
type visitor struct{ base, token string }

// asked is the API's description of a query.
type started struct {
	ID      string
	State   string
	At      time.Time
	Started time.Time
	Ended   time.Time
	Error   *struct{ Kind, Message string }
}

func (v *visitor) query(ctx context.Context, sql string) error {
	q, err := v.submit(ctx, sql, 60)
	if err != nil {
		return err
	}
	if q.State != "done" {
		return fmt.Errorf("the query is %s: %v", q.State, q.Error)
	}
	return v.call(ctx, "GET", "/queries/"+q.ID+"/rows?limit=1000", nil, nil)
}

// submit asks a query and waits some seconds for its end.
func (v *visitor) submit(ctx context.Context, sql string, wait int) (q started, err error) {
	err = v.call(ctx, "POST", "/queries", map[string]any{"sql": sql, "wait": wait}, &q)
	return q, err
}

// call sends a request and reads the whole response.
func (v *visitor) call(ctx context.Context, method, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+v.base+"/api/v1"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+v.token)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, res.Status, text)
	}
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(text, out)
}

// flyer asks over Flight SQL.
type flyer struct {
	c     *flightsql.Client
	token string
}

func newFlyer(address, token string) (*flyer, error) {
	c, err := flightsql.NewClient(address, nil, nil, grpc.WithTransportCredentials(insecure.NewCredentials()))
	return &flyer{c, token}, err
}

func (f *flyer) query(ctx context.Context, sql string) error {
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+f.token)
	info, err := f.c.Execute(ctx, sql)
	if err != nil {
		return err
	}
	r, err := f.c.DoGet(ctx, info.Endpoint[0].Ticket)
	if err != nil {
		return err
	}
	defer r.Release()
	for r.Next() {
	}
	if err := r.Err(); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

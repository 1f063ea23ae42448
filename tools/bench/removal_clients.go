package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/tools/generate"
)

func init() { candidates["removal-clients"] = removalClients }

// removalClients writes pings of clients that come on one or two days each into the archive of an installation. The input has the
// seed, the number of clients and the days. Several processes can do so at a time.
func removalClients(ctx context.Context, input, output string) (pings, size int64, err error) {
	c := generate.Config{MeanBytes: 16_000, Visitors: true}
	if _, err := fmt.Sscan(input, &c.Seed, &c.Clients, &c.Days); err != nil {
		return 0, 0, fmt.Errorf("%q is no seed, number of clients and of days: %w", input, err)
	}
	g, err := generate.New(c)
	if err != nil {
		return 0, 0, err
	}
	bucket, err := store.OpenLocal(filepath.Join(output, "archive"))
	if err != nil {
		return 0, 0, err
	}
	name := fmt.Sprint("clients-", c.Seed)
	w, err := archive.NewWriter(ctx, bucket, archive.Options{Owner: name, BufferBytes: 128 << 20})
	if err != nil {
		return 0, 0, err
	}
	for s := range g.Submissions() {
		switch s.Fate {
		case generate.Accepted:
			err = w.Append(&s.Meta, s.Document)
		case generate.Rejected:
			var m ping.Meta
			m.SetInt(ping.Timestamp, s.Timestamp)
			err = w.AppendError(&archive.Rejected{Meta: m, Class: s.Class, Message: s.Odd, Path: string(s.URI), Body: s.Body})
		default:
			continue
		}
		if err != nil {
			return 0, 0, errors.Join(err, w.Abort())
		}
		pings++
		size += int64(len(s.Document))
	}
	_, err = w.Close(ctx, fmt.Sprintf("%x", name))
	return pings, size, err
}

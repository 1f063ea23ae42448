package maintain_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/archive/naming"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/store"
	"github.com/pingmill/pingmill/store/storetest"
)

var ctx = context.Background()

// rejectAll appends rejected submissions of a day with the given messages.
func rejectAll(w *archive.Writer, day string, messages ...string) error {
	for i, m := range messages {
		e := &archive.Rejected{Class: "json", Message: m, Path: "/submit/x", Body: []byte(strings.Repeat(m, 200))}
		e.Meta.SetString(ping.SubmissionDate, day)
		e.Meta.SetInt(ping.Timestamp, int64(i))
		if err := w.AppendError(e); err != nil {
			return err
		}
	}
	return nil
}

// rejectLoad makes a load of rejected submissions of two days.
func rejectLoad(t *testing.T, b store.Bucket, name string) {
	t.Helper()
	w, err := archive.NewWriter(ctx, b, archive.Options{})
	require.NoError(t, err)
	require.NoError(t, errors.Join(rejectAll(w, "20180601", name+"1", name+"2"), rejectAll(w, "20180602", name+"3")))
	_, err = w.Close(ctx, name)
	require.NoError(t, err)
}

// replaceDay replaces the rejected submissions of the first day by one of them and a ping.
func replaceDay(t *testing.T, b store.Bucket, owner, load string) {
	t.Helper()
	w, err := archive.NewWriter(ctx, b, archive.Options{Owner: owner})
	require.NoError(t, err)
	require.NoError(t, rejectAll(w, "20180601", "left"))
	var m ping.Meta
	m.SetString(ping.DocTypeField, "main")
	m.SetString(ping.SubmissionDate, "20180601")
	require.NoError(t, w.Append(&m, []byte("{}")))
	e, err := archive.OpenErrors(ctx, b, "20180601")
	require.NoError(t, err)
	for _, name := range e.Names() {
		w.Replace(name)
	}
	_, err = w.Close(ctx, load)
	require.NoError(t, err)
}

// state describes all that readers find.
func state(t *testing.T, b store.Bucket) string {
	t.Helper()
	var s strings.Builder
	days, err := archive.Days(ctx, b)
	require.NoError(t, err)
	for _, i := range days {
		d, err := archive.OpenDay(ctx, b, i.Day, i.DocType)
		require.NoError(t, err)
		n := 0
		for _, err := range d.Pings(ctx, 0, 100) {
			require.NoError(t, err)
			n++
		}
		fmt.Fprintf(&s, "%s/%s:%d ", i.Day, i.DocType, n)
	}
	days, err = archive.ErrorDays(ctx, b)
	require.NoError(t, err)
	for _, i := range days {
		fmt.Fprintf(&s, "errors %s:", i.Day)
		e, err := archive.OpenErrors(ctx, b, i.Day)
		require.NoError(t, err)
		for r, err := range e.All(ctx) {
			require.NoError(t, err)
			fmt.Fprintf(&s, "%s,", r.Message)
		}
	}
	return s.String()
}

// contents lists the objects of a bucket, without the mark that the index is complete.
func contents(t testing.TB, b store.Bucket) []string {
	return storetest.Contents(t, b, naming.Index+"/complete")
}

// mixedLoad makes a load of pings of one day, every second one compressed by its client.
func mixedLoad(t *testing.T, b store.Bucket, name string, pings int) {
	t.Helper()
	w, err := archive.NewWriter(ctx, b, archive.Options{})
	require.NoError(t, err)
	for i := range pings {
		var m ping.Meta
		m.SetString(ping.DocumentID, fmt.Sprintf("%s-%06d", name, i))
		m.SetString(ping.SubmissionDate, "20180601")
		m.SetString(ping.DocTypeField, "main")
		m.SetInt(ping.Timestamp, int64(i))
		if i%4 == 0 {
			m.SetString(ping.XDebugID, "tag")
		}
		document := fmt.Appendf(nil, `{"n":%d}`, i)
		if i%2 == 0 {
			require.NoError(t, w.Append(&m, document))
			continue
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		_, err := z.Write(document)
		require.NoError(t, errors.Join(err, z.Close()))
		require.NoError(t, w.AppendPacked(&m, packed.Bytes()))
	}
	_, err = w.Close(ctx, name)
	require.NoError(t, err)
}

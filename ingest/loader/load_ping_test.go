package loader

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/archive"
	"github.com/pingmill/pingmill/etl"
	"github.com/pingmill/pingmill/etl/etltest"
	"github.com/pingmill/pingmill/ping"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/store"
)

// metaLine returns a main ping of a day with a document id, more metadata, and the members of its document.
func metaLine(id, meta, document string) string {
	return fmt.Sprintf(`{"meta":{"documentId":%q,"docType":"main","appName":"Firefox","sourceVersion":"4","submissionDate":"20180301",`+
		`"timestamp":1519862400000000000%s},"ping":{%s}}`+"\n",
		id, meta, document)
}

// TestContradictoryMetadata loads pings whose metadata cannot be true together: they are rejected with the reason, and the
// tables of the day are made of the others. The ids of a and b are of the samples 7 and 81.
func TestContradictoryMetadata(t *testing.T) {
	require.EqualValues(t, []int64{7, 81}, []int64{ping.SampleOf([]byte("a")), ping.SampleOf([]byte("b"))})
	var lines strings.Builder
	reasons := map[string]string{}
	for i, c := range []struct{ meta, document, why string }{
		{`,"clientId":"a"`, ``, ``},
		{`,"clientId":"a","sampleId":7`, `"clientId":"a"`, ``},
		{`,"clientId":"a","sampleId":7.0`, `"clientId":"A"`, ``},
		{``, `"clientId":"b"`, ``},
		{`,"sampleId":81`, `"clientId":"b"`, ``},
		{``, ``, ``}, {``, `"clientId":null`, ``},
		{`,"clientId":"a","sampleId":8`, ``, `the sampleId is 8, and the clientId is of sample 7`},
		{`,"clientId":"a","sampleId":-93`, ``, `the sampleId is -93, and the clientId is of sample 7`},
		{`,"clientId":"a","sampleId":107`, ``, `the sampleId is 107, and the clientId is of sample 7`},
		{`,"clientId":"","sampleId":1`, ``, `the sampleId is 1, and the clientId is of sample 0`},
		{`,"sampleId":7`, `"clientId":"b"`, `the sampleId is 7, and the clientId is of sample 81`},
		{`,"sampleId":7`, ``, `there is a sampleId, 7, and no clientId`},
		{`,"sampleId":0`, `"clientId":null`, `there is a sampleId, 0, and no clientId`},
		{`,"clientId":"a"`, `"clientId":"b"`, `the clientId is not that of the document`},
	} {
		id := fmt.Sprint("d", i)
		lines.WriteString(metaLine(id, c.meta, c.document))
		if c.why != "" {
			reasons[id] = "metadata: " + c.why
		}
	}
	s := sitetest.Memory(t, store.NewMemory())
	l := mustLoad(t, s, []byte(lines.String()))
	addsUp(t, l)
	require.EqualValues(t, []int64{7, int64(len(reasons))}, []int64{l.Pings, l.Errors})
	for r, err := range Rejected(context.Background(), s.Archive, RejectedFilter{}) {
		require.NoError(t, err)
		id := string(r.Meta.Text(ping.DocumentID))
		require.Equal(t, [2]string{"internal", reasons[id]}, [2]string{r.Class, r.Message}, id)
		require.NotEmpty(t, r.Body)
		delete(reasons, id)
	}
	require.Empty(t, reasons)
	report := etltest.Run(t, s, etl.RunOptions{Tables: []string{"main_summary", "clients_daily"}, Days: []string{"20180301"}})
	for _, u := range report.Units {
		require.NoError(t, u.Err)
	}
	require.Len(t, sitetest.RowsOf(t, s, "main_summary", "20180301"), 7)
	require.Len(t, sitetest.RowsOf(t, s, "clients_daily", "20180301"), 3)
}

// TestReplayContradiction: a replay rejects such a ping again.
func TestReplayContradiction(t *testing.T) {
	p := &replay{}
	rejected := archive.Rejected{Class: "internal", Body: []byte(`{}`)}
	require.NoError(t, rejected.Meta.ParseJSON([]byte(`{"docType":"main","submissionDate":"20180301","clientId":"a","sampleId":1}`)))
	o := p.decode("20180301", &rejected, kindOf(&rejected), nil)
	require.Equal(t, "metadata: the sampleId is 1, and the clientId is of sample 7", o.message)
}

// TestSampleOfOddClient: the sample follows from the id as archived.
func TestSampleOfOddClient(t *testing.T) {
	for _, id := range []string{"a\xffb", "\xff\xfe", "\xed\xa0\x80"} {
		var m ping.Meta
		var doc ping.Doc
		require.NoError(t, doc.ScanValid(docFields.program, []byte(`{}`)))
		m.SetString(ping.ClientID, id)
		complete(&m, &doc)
		sample, ok := m.Int(ping.SampleID)
		require.True(t, ok)
		require.Equal(t, ping.SampleOf([]byte(strings.ToValidUTF8(id, "\uFFFD"))), sample, "%q", id)
		require.Empty(t, contradiction(&m, &doc))
	}
}

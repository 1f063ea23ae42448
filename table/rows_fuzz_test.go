package table

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/pingmill/pingmill/schema"
	"github.com/pingmill/pingmill/table/column"
)

// usableRows decodes lines of JSON and keeps the rows that fit the columns, in
// the form in which they are written.
func usableRows(t testing.TB, cols []schema.Column, b []byte) (rows day) {
	batch := column.NewBatch(cols)
	for line := range bytes.Lines(b) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		var row map[string]any
		if d.Decode(&row) == nil && row != nil {
			_ = batch.AppendJSONRow(row) // a bad row adds nothing
		}
	}
	return rowsOf(t, batch)
}

// FuzzDailyRows compares the daily tables of any rows with the model.
func FuzzDailyRows(f *testing.F) {
	cols, tables := allInputs(f), newDailySet(f)
	for _, s := range []string{
		`{"client_id":"a","search_counts":[{"engine":"g","source":"sap:x","count":5},{"count":null}],"active_ticks":7}` + "\n" +
			`{"client_id":"a","experiments":{"e":"b","f":null}}`,
		`{"client_id":null,"active_addons":[{"addon_id":"followonsearch@mozilla.com","version":"1"},{"addon_id":""}],"document_id":""}` + "\n" +
			`{"active_addons":[]}`,
		`{"subsession_start_date":"2018-03-01T","profile_creation_date":-719163,"subsession_length":-9223372036854775808,"total_time":-1}`,
		`{"country":"??","city":"x"}` + "\n" + `{"country":"","city":null}` + "\n" + `{"cpu_count":"bad"}` + "\n" + `{"cpu_count":1}` + "\n" +
			`[]`,
	} {
		f.Add([]byte(s), byte(1))
	}
	for seed := range uint64(3) {
		f.Add([]byte(lines(random{rand.New(rand.NewPCG(43, seed))}.rows(cols, 4))), byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte, size byte) {
		tables.check(t, usableRows(t, cols, b), 1+int(size))
	})
}

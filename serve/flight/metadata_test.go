package flight

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/serve/bi"
	"github.com/pingmill/pingmill/serve/bi/bitest"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// object is a catalog in the result of adbc_get_objects.
type object struct {
	Catalog string `json:"catalog_name"`
	Schemas []struct {
		Name   string `json:"db_schema_name"`
		Tables []struct {
			Name    string   `json:"table_name"`
			Type    string   `json:"table_type"`
			Columns []string `json:"columns"`
		} `json:"db_schema_tables"`
	} `json:"catalog_db_schemas"`
}

// TestMetadata: each person sees the tables and columns granted, and no others.
func TestMetadata(t *testing.T) {
	address, _ := served(t, nil)
	for person, want := range map[string]int{"all": len(sitetest.AllTables), "common": len(sitetest.AllTables) - 1, "narrow": 1} {
		got := notebook(t, "grpc://"+address, bearer(person), call{"objects", "all"}, call{"table_schema", "addons"}, call{"types", nil},
			call{"table_schema", bitest.Restricted()}, call{"tables", strings.ToUpper(bitest.Restricted()[:6]) + "%"}, call{"information", nil},
			call{"fetch", "SELECT * FROM addons"})
		var all []object
		require.NoError(t, json.Unmarshal(got[0].Value, &all), got[0].Error)
		require.Len(t, all, 1)
		assert.Equal(t, bi.Catalog, all[0].Catalog)
		require.Len(t, all[0].Schemas, 1)
		assert.Equal(t, bi.Schema, all[0].Schemas[0].Name)
		assert.Len(t, all[0].Schemas[0].Tables, want, person)
		var columns [][2]string
		require.NoError(t, json.Unmarshal(got[1].Value, &columns), got[1].Error)
		var result struct{ Schema [][2]string }
		require.NoError(t, json.Unmarshal(got[6].Value, &result), got[6].Error)
		assert.Equal(t, result.Schema, columns, "the columns of a table, and of all its rows")
		if person == "narrow" {
			assert.Equal(t, [][2]string{{"document_id", "string"}, {"submission_date_obj", "string"}, {"sample_id", "string"}}, columns)
		}
		assert.JSONEq(t, `["TABLE"]`, string(got[2].Value))
		if person == "all" {
			assert.Empty(t, got[3].Error)
			assert.Contains(t, string(got[4].Value), bitest.Restricted())
		} else {
			assert.Equal(t, "NOT_FOUND", got[3].Status)
			assert.JSONEq(t, `[]`, string(got[4].Value))
			got[3].Error = "" // which repeats the name asked for
			for i, a := range got {
				assert.False(t, strings.Contains(string(a.Value)+a.Error, bitest.Restricted()), "answer %d to %s", i, person)
			}
		}
		assert.Contains(t, string(got[5].Value), `"vendor_name": "pingmill"`)
	}
}

// TestJDBC: the metadata that DBeaver asks for, and the types of a query.
func TestJDBC(t *testing.T) {
	address, o := served(t, nil)
	out := clienttest.Metadata(t, "org.apache.arrow:flight-sql-jdbc-driver:18.3.0", "jdbc:arrow-flight-sql://"+address+"/", "token",
		o.Tokens["common"], "useEncryption", "false")
	for _, want := range []string{
		"product pingmill\n", "catalogs | hive\n", "schemas | default\n", "| default addons TABLE",
		"columns | document_id VARCHAR | client_id VARCHAR", "keys\n", "imported\n", "exported\n", "indexes\n",
		"row n:Long=0 d:BigDecimal=1.50 f:Double=0.5 s:String=x b:Boolean=true day:Date=2018-03-01 t:Timestamp=2018-03-01 04:05:06.789 " +
			"a:ArrowFlightJdbcArray=[\"a\"]\n",
		"sum 3503500 BIGINT\n", "Binder Error: there is no table no_such_table",
	} {
		assert.Contains(t, out, want)
	}
	assert.NotContains(t, out, bitest.Restricted())
}

// TestTypes: the list of types, and those of one code.
func TestTypes(t *testing.T) {
	address, _ := served(t, nil)
	c, ctx := dialed(t, address, "narrow")
	for code, want := range map[int32]int64{0: int64(len(xdbcTypes)), 12: 1, 999: 0} {
		typ := &code
		if code == 0 {
			typ = nil
		}
		info, err := c.GetXdbcTypeInfo(ctx, typ)
		require.NoError(t, err)
		r, err := c.DoGet(ctx, info.Endpoint[0].Ticket)
		require.NoError(t, err)
		require.True(t, r.Next(), r.Err())
		assert.Equal(t, want, r.RecordBatch().NumRows(), code)
		r.Release()
	}
}

package pgwire

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/site/sitetest"
)

// TestTimes: dates and timestamps of a table have PostgreSQL's types, and the same values as text and as binary: nulls,
// before 1970, and with microseconds.
func TestTimes(t *testing.T) {
	port, o := served(t, func(c *Config) { c.Tables = append(slices.Clone(c.Tables), sitetest.TimesTable()) })
	sitetest.WithTimes(t, o.Site)
	assert.Equal(t,
		`1|2018-03-01|2018-03-01 04:05:06.789012|{"day":"2018-03-01","at":"2018-03-01 04:05:06.000001"}|["2018-03-01",null]|{"a":"2018-03-01 00:00:00.000000","b":null}
2|1969-12-31|1969-12-31 23:59:59.999999|{"day":"1900-02-28","at":"1582-10-15 00:00:00.000001"}|[]|{}
3|0001-01-01|0001-01-01 00:00:00|{"day":null,"at":null}|["9999-12-31"]|{"z":"9999-12-31 23:59:59.999999"}
4|||||
`, wrote(t, port, o, "common", "SELECT n, day, at, inside, days, named FROM times ORDER BY n"))

	url := "postgres://token:" + o.Tokens["common"] + "@127.0.0.1:" + port + "/hive?sslmode=disable"
	config, err := pgx.ParseConfig(url)
	require.NoError(t, err)
	c, err := pgx.ConnectConfig(t.Context(), config)
	require.NoError(t, err)
	defer c.Close(t.Context())
	for format := range int16(2) {
		rows, err := c.Query(t.Context(), "SELECT day, at, inside.day, inside.at FROM times ORDER BY n", pgx.QueryResultFormats{format})
		require.NoError(t, err)
		var got []string
		for rows.Next() {
			var oids []uint32
			for _, f := range rows.FieldDescriptions() {
				oids = append(oids, f.DataTypeOID)
				assert.Equal(t, format, f.Format)
			}
			assert.Equal(t, []uint32{pgtype.DateOID, pgtype.TimestampOID, pgtype.DateOID, pgtype.TimestampOID}, oids)
			var cells [4]*time.Time
			require.NoError(t, rows.Scan(&cells[0], &cells[1], &cells[2], &cells[3]))
			var row []string
			for _, v := range cells {
				if v == nil {
					row = append(row, "-")
					continue
				}
				row = append(row, v.Format("2006-01-02T15:04:05.000000"))
			}
			got = append(got, strings.Join(row, " "))
		}
		require.NoError(t, rows.Err())
		assert.Equal(t, []string{
			"2018-03-01T00:00:00.000000 2018-03-01T04:05:06.789012 2018-03-01T00:00:00.000000 2018-03-01T04:05:06.000001",
			"1969-12-31T00:00:00.000000 1969-12-31T23:59:59.999999 1900-02-28T00:00:00.000000 1582-10-15T00:00:00.000001",
			"0001-01-01T00:00:00.000000 0001-01-01T00:00:00.000000 - -",
			"- - - -",
		}, got, "format %d", format)
	}
	types := wrote(t, port, o, "common",
		"SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'times' ORDER BY ordinal_position")
	assert.Equal(t, "n|integer\nday|date\nat|timestamp without time zone\ninside|json\ndays|json\nnamed|json\nsubmission_date|text\n", types)
}

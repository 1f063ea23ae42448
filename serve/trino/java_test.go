package trino

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pingmill/pingmill/serve/bi/bitest"
	"github.com/pingmill/pingmill/sql/queryservice"
	"github.com/pingmill/pingmill/tools/clienttest"
)

// trinoVersion is the version of Trino's Java clients in tests.
const trinoVersion = "476"

// inJDBC are lines that testdata/Trino.java prints.
var inJDBC = []string{
	"product Trino 435 435\n", "catalogs | hive\n", "schemas | hive default | hive information_schema\n", "schemas of | default\n",
	"| addons TABLE One row for each active add-on of each main ping with a client id.", "one | clients_daily\n",
	"| blocklisted 16 boolean null 1 |", "| scope 4 integer 10 1 |", "types | tinyint | bigint | varbinary |", "keys\n", "procedures\n",
	"row n:bigint:Long=0 d:decimal(3,2):BigDecimal=1.50 f:double:Double=0.5 s:varchar(1):String=x b:boolean:Boolean=true " +
		"day:date:Date=2018-03-01 t:timestamp(6):Timestamp=2018-03-01 04:05:06.789012 " +
		"z:timestamp(0) with time zone:Timestamp=2018-03-01 04:05:06 UTC " +
		"a:array(varchar(1)):TrinoArray=[a] " +
		"m:map(varchar(1),integer):UnmodifiableMap={k=1} x:varbinary:byte[]=0x00FF nothing:bigint:null=null " +
		"o:time(0):Time=04:05:06 i:interval day to second:TrinoIntervalDayTime=3 00:00:00.000 r:row(q integer):Row={q=1} e:real:Float=0.1\n",
	"schema information_schema\n", "set false\n", "session Name:varchar:String=query_max_run_time Value:varchar:String=1h",
	"parameters text:varchar(8):String=it's ? é whole:integer:Integer=-5 big:bigint:Long=9007199254740993 d:decimal(3,2):BigDecimal=1.50 " +
		"f:double:Double=0.5 b:boolean:Boolean=true day:date:Date=2018-03-01 t:timestamp(3):Timestamp=2018-03-01 04:05:06.789 " +
		"x:varbinary:byte[]=0x00FF n:varchar:null=null\n",
	"output 10 input 10\n", "large 90000\n", "transaction x:integer:Integer=1\n",
	"error 47 Query failed : line 2:3: column nothing is not known\n", "cancelled SQLException\n",
	"timeout Query failed : the query has run for longer than query_max_run_time of its session\n",
}

// TestJDBC: the metadata that DBeaver, Tableau and Metabase ask for, prepared statements, and cancelling. The driver keeps
// prepared statements in its session, or sends EXECUTE IMMEDIATE.
func TestJDBC(t *testing.T) {
	java, jar := clienttest.Jar(t, "io.trino:trino-jdbc:"+trinoVersion)
	port, certificate, o := encrypted(t)
	url := "jdbc:trino://127.0.0.1:" + port + "/hive/default"
	for _, more := range [][]string{{"explicitPrepare", "true", "password", o.Tokens["common"]},
		{"explicitPrepare", "false", "accessToken", o.Tokens["common"]}} {
		args := append(slices.Clone(clienttest.ShortJava), "-cp", jar, "testdata/Trino.java", url, "user", "token", "SSL", "true",
			"SSLTrustStorePath", certificate)
		out := string(output(t, certificate, java, append(args, more...)...))
		for _, want := range inJDBC {
			assert.Contains(t, out, want)
		}
		assert.NotContains(t, out, bitest.Restricted())
	}
	o.Until(t, "common", queryservice.Cancelled, 4)
}

// TestCLI: Trino's command line.
func TestCLI(t *testing.T) {
	java, jar := clienttest.Jar(t, "io.trino:trino-cli:"+trinoVersion+":jar:executable")
	port, certificate, o := encrypted(t)
	cli := func(sql string) string {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, java, append(slices.Clone(clienttest.ShortJava), "-jar", jar, "https://127.0.0.1:"+port, "--user",
			"token", "--password", "--catalog", "hive", "--schema", "default", "--truststore-path", certificate, "--output-format", "CSV_UNQUOTED",
			"--execute", sql)...)
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TRINO_PASSWORD="+o.Tokens["common"])
		out, _ := cmd.CombinedOutput() // its errors are in it
		return string(out)
	}
	out := cli("SHOW TABLES LIKE 'add%'; SELECT 1.50, 'é', timestamp '2018-03-01 04:05:06.789', ARRAY[1, NULL], MAP(ARRAY['k'], ARRAY[1]); " +
		"USE default; PREPARE p FROM SELECT ?; EXECUTE p USING 'it''s'; SELECT count(*) > 0 FROM addons; DESCRIBE nothing")
	for _, want := range []string{
		"addons\n1.50,é,2018-03-01 04:05:06.789,[1, NULL],{k=1}\nUSE\n", "PREPARE\n", "it's\ntrue\n",
		"failed: line 1:10: there is no table nothing (SHOW TABLES lists the tables)\nLINE 1: DESCRIBE nothing\n                 ^\n",
	} {
		assert.Contains(t, out, want)
	}
	assert.NotContains(t, cli("SHOW TABLES"), bitest.Restricted())
}

package trino

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pingmill/pingmill/access"
	"github.com/pingmill/pingmill/serve/bi/bitest"
	"github.com/pingmill/pingmill/site/sitetest"
	"github.com/pingmill/pingmill/sql/queryservice"
)

// pointers are addresses in printed structs.
var pointers = regexp.MustCompile(`0x[0-9a-f]+`)

// quoted returns a text literal.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// ways are those in which a client can send a statement.
var ways = []func(a asker, sql string) string{
	asker.outcome,
	func(a asker, sql string) string { return a.outcome("EXECUTE IMMEDIATE " + quoted(sql)) },
	func(a asker, sql string) string {
		return a.with("X-Trino-Prepared-Statement", header("p", sql)).outcome("EXECUTE p")
	},
	func(a asker, sql string) string { return a.outcome("EXECUTE IMMEDIATE 'SELECT ?' USING " + sql) },
	func(a asker, sql string) string {
		return a.outcome("EXECUTE IMMEDIATE 'SELECT 1 WHERE ?' USING (" + sql + ")")
	},
	func(a asker, sql string) string { return a.outcome("SELECT 1 --\r; " + sql) },
	func(a asker, sql string) string {
		added := a.run("PREPARE p FROM " + sql).header.Get("X-Trino-Added-Prepare")
		p := a.with("X-Trino-Prepared-Statement", added)
		return p.outcome("DESCRIBE OUTPUT p") + p.outcome("EXECUTE p")
	},
}

// TestAttacks: no attack passes in any way, no answer shows secrets, and nothing is written.
func TestAttacks(t *testing.T) {
	address, o := served(t, nil)
	a := as(t, address, o.Tokens["common"])
	before := []string(nil)
	for n, send := range ways {
		attacks := o.Attacks(t, n, len(ways))
		if n == 0 {
			before = o.Files(t)
		}
		for _, attack := range attacks {
			bitest.Unharmed(t, o, attack, send(a, attack.SQL))
		}
	}
	assert.Subset(t, before, o.Files(t))
	for _, sql := range []string{
		"SELECT * FROM read_text('/etc/passwd'), information_schema.tables", "SELECT * FROM information_schema.tables, '/etc/passwd'",
		"SELECT * FROM pm_columns", "SELECT * FROM system_jdbc_tables", "SELECT t.x FROM system.jdbc.tables, pm_queries AS t(x)",
		"SELECT * FROM system.main.duckdb_settings, system.jdbc.tables", "SELECT getenv('HOME') FROM system.jdbc.tables",
		"SELECT * FROM system.jdbc.tables, addons", "SELECT * FROM system.jdbc.tables; ATTACH 'x'",
		"SELECT * FROM information_schema.tables WHERE 1 = (SELECT count(*) FROM " + bitest.Restricted() + ")",
		"SELECT rpad('x', 100000000, 'x') FROM system.jdbc.types a, system.jdbc.types b",
		"SELECT 1 FROM system.jdbc.types a, system.jdbc.types b, system.jdbc.types c, system.jdbc.types d, system.jdbc.types e",
	} {
		assert.NotNil(t, a.run(sql).Error, sql)
	}
	assert.Equal(t, "[1]", a.outcome("SELECT 1"), "the server goes on")
}

// hidden lists statements about a table.
var hidden = []string{
	"SELECT * FROM %s", "SELECT 1,\n client_id FROM hive.default.%s", "DESCRIBE %s", "SHOW COLUMNS FROM default.%s", "SHOW CREATE TABLE %s",
	"SHOW CREATE TABLE hive.default.%s", "SHOW TABLES LIKE '%s'", "SELECT * FROM \"%s$partitions\"", "SHOW PARTITIONS FROM %s",
	"SELECT column_name FROM information_schema.columns WHERE table_name = '%s'",
	"SELECT count(*) FROM system.jdbc.tables WHERE table_name LIKE '%s'",
	"SELECT * FROM system.metadata.table_comments WHERE table_name = '%s'",
	"EXECUTE IMMEDIATE 'SELECT * FROM %s WHERE client_id = ?' USING 'x'", "EXECUTE IMMEDIATE 'DESCRIBE %s'", "EXPLAIN SELECT * FROM %s",
	"SELECT * FROM information_schema.tables, %s", "PREPARE p FROM SELECT * FROM %s", "TABLE %s", "SHOW STATS FOR %s",
}

// TestHidden: a table or a column that was not granted is like one that does not exist, in each answer.
func TestHidden(t *testing.T) {
	address, o := served(t, nil)
	shown := func(a asker, sql string) string {
		got := a.run(sql)
		placed := got.Error != nil && got.Error.ErrorLocation != nil
		return fmt.Sprintf("%v %v %+v %v %v", got.rows(), got.Columns, got.Error, placed, got.Warnings)
	}
	for _, name := range []string{"common", "narrow"} {
		a := as(t, address, o.Tokens[name])
		for _, sql := range hidden {
			there, absent := shown(a, fmt.Sprintf(sql, bitest.Restricted())), shown(a, fmt.Sprintf(sql, bitest.Absent()))
			pointer := func(s string) string { return pointers.ReplaceAllString(s, "") }
			assert.Equal(t, pointer(absent), pointer(strings.ReplaceAll(there, bitest.Restricted(), bitest.Absent())), sql)
		}
		assert.NotContains(t, shown(a, "SELECT * FROM system.jdbc.columns"), bitest.Restricted())
		assert.NotContains(t, shown(a, "SHOW TABLES"), bitest.Restricted())
	}
	narrow := as(t, address, o.Tokens["narrow"])
	assert.Equal(t, narrow.outcome("SELECT clxent_id FROM addons"),
		strings.ReplaceAll(narrow.outcome("SELECT client_id FROM addons"), "client_id", "clxent_id"))
	assert.Equal(t, "[\"document_id\"]\n[\"submission_date_obj\"]\n[\"sample_id\"]",
		narrow.outcome("SELECT column_name FROM information_schema.columns ORDER BY ordinal_position"))
	assert.Contains(t, as(t, address, o.Tokens["all"]).outcome("SHOW TABLES"), bitest.Restricted())
}

// TestForeign: somebody else can neither poll, keep, cancel nor list a statement, and learns nothing from trying.
func TestForeign(t *testing.T) {
	address, o := served(t, nil)
	owner, other := as(t, address, o.Tokens["all"]), as(t, address, o.Tokens["common"])
	got := owner.begin(endless)
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodDelete} {
		res, body := other.send(method, got.Next, "")
		none, absent := other.send(method, strings.ReplaceAll(got.Next, got.ID, "aaaaaaaaaaaaaaaa"), "")
		assert.Equal(t, http.StatusNotFound, res.StatusCode, method)
		assert.Equal(t, none.StatusCode, res.StatusCode)
		assert.Equal(t, absent, body)
		guessed, _ := owner.send(method, strings.Replace(got.Next, got.ID+"/", got.ID+"/x", 1), "")
		assert.Equal(t, http.StatusNotFound, guessed.StatusCode, "another slug")
	}
	res, body := other.send(http.MethodDelete, "/v1/query/"+got.ID, "")
	none, absent := other.send(http.MethodDelete, "/v1/query/aaaaaaaaaaaaaaaa", "")
	assert.Equal(t, none.StatusCode, res.StatusCode)
	assert.Equal(t, absent, body)
	kill := "CALL system.runtime.kill_query('" + got.ID + "')"
	assert.Equal(t, strings.ReplaceAll(other.outcome(strings.ReplaceAll(kill, got.ID, "aaaaaaaaaaaaaaaa")), "aaaaaaaaaaaaaaaa", got.ID),
		other.outcome(kill))
	assert.NotContains(t, other.outcome("SELECT * FROM system.runtime.queries"), got.ID)
	o.Until(t, "all", queryservice.Running, 1)
	assert.Equal(t, "CALL", owner.run(kill).UpdateType)
	o.Until(t, "all", queryservice.Cancelled, 1)
	for got.Next != "" {
		owner.follow(got)
	}
	assert.Equal(t, "USER_CANCELED", got.Error.ErrorName)
}

// TestRights: rights count at each response, and a statement ends with its token.
func TestRights(t *testing.T) {
	address, o := served(t, nil)
	token := o.Hire(t, "analyst", access.Grant{Table: access.AllTables})
	a := as(t, address, token)
	pages := "SELECT document_id, rpad('', 1000, 'x') FROM addons CROSS JOIN UNNEST(sequence(1, 30)) AS t(x)"
	for _, sql := range []string{pages, "SELECT table_name, rpad('', 200, 'x') FROM information_schema.columns"} {
		got := a.begin(sql)
		for len(got.Data) == 0 {
			a.follow(got)
		}
		o.Edit(t, "analyst", func(account *access.Account) { account.Grants = []access.Grant{{Table: "clients_daily"}} })
		a.follow(got)
		require.NotNil(t, got.Error, sql)
		assert.Equal(t, "PERMISSION_DENIED", got.Error.ErrorName)
		assert.Empty(t, got.Next)
		o.Edit(t, "analyst", func(account *access.Account) { account.Grants = []access.Grant{{Table: access.AllTables}} })
	}
	got := a.begin(endless)
	o.Until(t, "analyst", queryservice.Running, 1)
	o.Revoke(t, "analyst")
	o.Until(t, "analyst", queryservice.Cancelled, 1)
	res, _ := a.send(http.MethodGet, got.Next, "")
	assert.Equal(t, http.StatusUnauthorized, res.StatusCode)
	res, _ = a.send(http.MethodPost, "/v1/statement", "SELECT 1")
	assert.Equal(t, http.StatusUnauthorized, res.StatusCode)
}

// TestSignIn: tokens that do not count are refused in the same words, and none is taken in clear text from elsewhere.
func TestSignIn(t *testing.T) {
	address, o := served(t, nil)
	words := map[string]bool{}
	for _, token := range []string{"", "pm_nobody", o.Tokens["expired common"]} {
		res, body := as(t, address, token).send(http.MethodPost, "/v1/statement", "SELECT 1")
		assert.Equal(t, http.StatusUnauthorized, res.StatusCode)
		assert.NotContains(t, res.Header.Get("WWW-Authenticate"), "Basic")
		words[body] = true
	}
	assert.Len(t, words, 1)
	res, _ := as(t, address, o.Tokens["jobs common"]).send(http.MethodPost, "/v1/statement", "SELECT 1")
	assert.Equal(t, http.StatusForbidden, res.StatusCode)
	res, body := as(t, address, "").send(http.MethodGet, "/v1/info", "")
	assert.Equal(t, http.StatusOK, res.StatusCode)
	assert.Contains(t, body, `"starting":false`)

	s := New(Config{Executor: o.Executor, Access: o.Access})
	r := httptest.NewRequest(http.MethodPost, "/v1/statement", strings.NewReader("SELECT 1"))
	r.RemoteAddr = "192.0.2.1:1234"
	r.Header.Set("Authorization", "Bearer "+o.Tokens["common"])
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	assert.Equal(t, http.StatusForbidden, w.Code)
	assert.Contains(t, w.Body.String(), "use TLS")
}

// heap returns the bytes of memory in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestLimits: statements that are open, their texts, headers and bodies have limits, and open results hold little.
func TestLimits(t *testing.T) {
	address, o := served(t, nil)
	a := as(t, address, o.Tokens["common"])
	before := heap()
	long := "SELECT x, rpad('', 1000, 'x') FROM UNNEST(sequence(1, 900)) AS t(x) CROSS JOIN UNNEST(sequence(1, 3)) AS u(y) --" +
		strings.Repeat("x", 500_000)
	var open []*answer
	for range maxOfPerson {
		got := a.begin(long)
		for got.Next != "" && len(got.Data) == 0 {
			a.follow(got)
		}
		require.Nil(t, got.Error)
		got.Data = nil
		open = append(open, got)
		for _, got := range open { // on a busy machine all of them take longer than the server waits for a poll
			res, _ := a.send(http.MethodHead, got.Next, "")
			require.Equal(t, http.StatusOK, res.StatusCode)
		}
	}
	assert.Less(t, heap()-before, int64(80<<20), "their texts and little more")
	refused := a.begin("SELECT 1")
	require.NotNil(t, refused.Error)
	assert.Equal(t, "QUERY_QUEUE_FULL", refused.Error.ErrorName)
	assert.Equal(t, "[1]", as(t, address, o.Tokens["all"]).outcome("SELECT 1"), "others go on")
	for _, got := range open {
		res, _ := a.send(http.MethodDelete, got.Next, "")
		assert.Equal(t, http.StatusNoContent, res.StatusCode)
	}
	assert.Equal(t, "[1]", a.outcome("SELECT 1"))
	before = heap()
	p := a.with("X-Trino-Prepared-Statement", "p="+strings.Repeat("x", 50<<10))
	for range maxAnswered + 10 {
		assert.Empty(t, p.outcome("COMMIT"))
	}
	assert.Less(t, heap()-before, int64(8<<20), "statements that have ended hold no headers")
	assert.Contains(t, []int{0, http.StatusRequestEntityTooLarge}, a.status("SELECT '"+strings.Repeat("x", maxText)+"'"))
	assert.Contains(t, []int{0, http.StatusRequestHeaderFieldsTooLarge},
		a.with("X-Trino-Prepared-Statement", "p="+strings.Repeat("x", 70<<10)).status("SELECT 1"))
	assert.Equal(t, "NOT_SUPPORTED: a prepared statement has at most 32768 bytes: use EXECUTE IMMEDIATE",
		a.outcome("PREPARE p FROM SELECT '"+noise(80<<10)+"'"))
	assert.Equal(t, http.StatusBadRequest, a.status("SELECT '\xff'"))
}

// status posts a statement and returns the status, 0 if the server closed the connection while it was being sent.
func (a asker) status(sql string) int {
	r, err := http.NewRequestWithContext(a.t.Context(), http.MethodPost, "http://"+a.address+"/v1/statement", strings.NewReader(sql))
	require.NoError(a.t, err)
	r.Header = a.header.Clone()
	r.Header.Set("Authorization", "Bearer "+a.token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	res.Body.Close()
	return res.StatusCode
}

// noise is a text that cannot be compressed much.
func noise(n int) string {
	b := make([]byte, n)
	seed := uint32(1)
	for i := range b {
		seed = seed*1664525 + 1013904223
		b[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"[seed>>26]
	}
	return string(b)
}

// TestAbandoned: a query that nobody polls is cancelled, and its statement is not there any more.
func TestAbandoned(t *testing.T) {
	address, o := served(t, func(c *Config) { c.Idle = time.Second })
	a := as(t, address, o.Tokens["common"])
	got := a.begin(endless)
	o.Until(t, "common", queryservice.Cancelled, 1)
	sitetest.WaitFor(t, "the end of the statement", func() bool {
		res, _ := a.send(http.MethodGet, got.Next, "")
		return res.StatusCode == http.StatusNotFound
	})
	done := a.begin("SELECT 1")
	time.Sleep(3 * time.Second) // longer than the server waits
	res, _ := a.send(http.MethodGet, done.Next, "")
	assert.Equal(t, http.StatusNotFound, res.StatusCode)
}

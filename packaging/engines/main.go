// Command engines writes the SQL of the examples for the days of a demo as JSON: {name: SQL}. Other engines run the
// same queries (make engines).
package main

import (
	"encoding/json"
	"log"
	"os"
	"time"

	"github.com/pingmill/pingmill/sql/saved/examples"
)

func main() {
	days := examples.Days{From: day("20180301"), To: day("20180303")}
	all := map[string]string{}
	for _, e := range examples.All {
		sql, err := e.Query(days)
		if err != nil {
			log.Fatal(err)
		}
		all[e.Name] = sql
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		log.Fatal(err)
	}
}

func day(text string) time.Time {
	t, err := time.Parse("20060102", text)
	if err != nil {
		log.Fatal(err)
	}
	return t
}

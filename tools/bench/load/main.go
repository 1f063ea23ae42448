// Command load lets ten people query concurrently, over HTTP and Arrow Flight SQL, while a job makes tables and pings
// arrive. It checks that everybody got a fair share and nothing was lost.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/pingmill/pingmill/sql/worker"
)

func main() {
	worker.Main()
	o := options{log: os.Stderr}
	flag.StringVar(&o.program, "program", "", "the program (default: it is built)")
	flag.IntVar(&o.clients, "clients", 1000, "clients of the installation")
	flag.IntVar(&o.queries, "queries", 600, "queries of all people together")
	flag.Float64Var(&o.rate, "rate", 50, "pings a second that arrive")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r, err := run(ctx, o)
	if err == nil {
		r.print(os.Stdout)
		err = r.unfair()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

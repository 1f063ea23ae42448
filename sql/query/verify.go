package query

import (
	"context"
	"fmt"
)

// verify calls Options.Verify for the files that statement n reads, according to DuckDB's plan. If the plan cannot be
// understood, it verifies all files of the tables that the query may read.
func (r *Rows) verify(n int) error {
	_, err := r.verifyPlan(n, false)
	return err
}

// verifyFirst plans the only statement and verifies the files that it reads before preparing it: preparing is slow for
// views of many files and fast for the files that remain. It returns false without any effect if there is no plan;
// preparing then reports the error.
func (r *Rows) verifyFirst() (bool, error) {
	if len(r.query.statements) != 1 {
		return false, nil
	}
	return r.verifyPlan(0, true)
}

// verifyPlan plans statement n and verifies what it reads. Without a plan it verifies nothing if wanted is true, else
// all files.
func (r *Rows) verifyPlan(n int, wanted bool) (bool, error) {
	views := r.readable()
	if r.db.verify == nil || len(views) == 0 {
		return false, nil
	}
	if err := r.widen(); err != nil {
		return false, err
	}
	text, _ := r.query.statement(n)
	scans, err := planned(r, text, views)
	if err != nil && wanted {
		return false, nil
	}
	return true, r.verifyScans(text, views, scans, wanted, err)
}

// verifyScans verifies the scans of a statement, or all files of the views if planning failed. first means that the statement is
// bound after it.
func (r *Rows) verifyScans(text string, views []int, scans []Scan, first bool, err error) error {
	switch {
	case r.ctx.Err() != nil:
		return fmt.Errorf("run query: %w", context.Cause(r.ctx))
	case err != nil && readsNothing(text):
		return nil
	case err != nil:
		if named := r.db.spelled(r.sql); len(named) > 0 {
			views = named
		}
		scans = nil
		for _, i := range views {
			scans = append(scans, Scan{View: r.db.views[i].Name, Files: r.db.views[i].Base()})
		}
	default:
		r.narrow(scans, first)
	}
	if len(scans) == 0 {
		return nil
	}
	if err := r.db.verify(r.ctx, scans); err != nil {
		return Damaged(err)
	}
	return r.makeNarrow()
}

// Damaged returns the error of a query that would read damaged files.
func Damaged(err error) error { return &Error{Kind: "Damaged", Message: err.Error(), cause: err} }

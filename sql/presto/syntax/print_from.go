package syntax

func (w *printer) relation(r Relation) {
	switch r := r.(type) {
	case *TableName:
		w.name(r.Name)
	case *Derived:
		w.subquery(r.Query)
	case *Unnest:
		w.str("UNNEST(")
		w.exprs(r.Args)
		w.str(")")
		w.when(r.Ordinality, " WITH ORDINALITY")
	case *Lateral:
		w.str("LATERAL ")
		w.subquery(r.Query)
	case *Aliased:
		w.single(r.Relation)
		w.str(" AS ")
		w.ident(r.Alias)
		if r.Columns != nil {
			w.idents(r.Columns)
		}
	case *Sampled:
		if _, ok := r.Relation.(*Aliased); ok {
			w.relation(r.Relation)
		} else {
			w.single(r.Relation)
		}
		w.when(r.System, " TABLESAMPLE SYSTEM (")
		w.when(!r.System, " TABLESAMPLE BERNOULLI (")
		w.expr(r.Percentage)
		w.str(")")
	case *Join:
		w.join(r)
	}
}

// single writes a relation that an alias or a sample may follow.
func (w *printer) single(r Relation) {
	switch r.(type) {
	case *Join, *Aliased, *Sampled:
		w.str("(")
		w.relation(r)
		w.str(")")
	default:
		w.relation(r)
	}
}

func (w *printer) join(j *Join) {
	w.relation(j.Left)
	if j.Comma {
		w.str(", ")
		w.relation(j.Right)
		return
	}
	w.when(j.Natural, " NATURAL")
	w.str([]string{" CROSS", " INNER", " LEFT", " RIGHT", " FULL"}[j.Kind], " JOIN ")
	if _, ok := j.Right.(*Join); ok {
		w.str("(")
		w.relation(j.Right)
		w.str(")")
	} else {
		w.relation(j.Right)
	}
	if j.On != nil {
		w.str(" ON ")
		w.expr(j.On)
	}
	if j.Using != nil {
		w.str(" USING ")
		w.idents(j.Using)
	}
}

func (w *printer) subquery(q *Query) {
	w.str("(")
	w.query(q)
	w.str(")")
}

func (w *printer) over(o *Over) {
	if o.Name != nil {
		w.str(" OVER ")
		w.ident(*o.Name)
		return
	}
	w.str(" OVER (")
	w.window(o.Spec)
	w.str(")")
}

func (w *printer) window(s *WindowSpec) {
	if s.Base != nil {
		w.ident(*s.Base)
	}
	if s.PartitionBy != nil {
		w.str(" PARTITION BY ")
		w.exprs(s.PartitionBy)
	}
	w.orderBy(s.OrderBy)
	if f := s.Frame; f != nil {
		w.str([]string{" RANGE ", " ROWS ", " GROUPS "}[f.Unit])
		if f.End == nil {
			w.bound(f.Begin)
			return
		}
		w.str("BETWEEN ")
		w.bound(f.Begin)
		w.str(" AND ")
		w.bound(*f.End)
	}
}

func (w *printer) bound(b Bound) {
	if b.Expr != nil {
		w.expr(b.Expr)
		w.str(" ")
	}
	w.str([]string{"UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW", "FOLLOWING", "UNBOUNDED FOLLOWING"}[b.Kind])
}

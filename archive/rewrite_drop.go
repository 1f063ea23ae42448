package archive

import (
	"github.com/pingmill/pingmill/archive/rowfile"
	"github.com/pingmill/pingmill/ping"
)

// dropsPing decides over one ping.
func (o *RewriteOptions) dropsPing(r *rowfile.Record) (bool, error) {
	if o.dropsMeta(&r.Meta) || !o.asksBody(&r.Meta) {
		return o.dropsMeta(&r.Meta), nil
	}
	document := *r
	if _, err := document.Unpack(nil); err != nil {
		return false, err
	}
	return o.DropBody(&r.Meta, document.Body), nil
}

func (o *RewriteOptions) dropsMeta(m *ping.Meta) bool { return o.Drop != nil && o.Drop(m) }

// asksBody reports whether the document of a ping has to be searched. A telemetry ping with a client id in its metadata
// has no other id of a client; pings of Glean have several.
func (o *RewriteOptions) asksBody(m *ping.Meta) bool {
	return o.DropBody != nil && (len(m.Text(ping.ClientID)) == 0 || m.Namespace() != ping.Telemetry)
}

// hitsPings reports whether a ping of a row group is to be dropped. It reads the metadata, and the documents only if some of
// them have to be searched: as a rule those of the sample of no client.
func (o *RewriteOptions) hitsPings(rows rowsOfGroup) (bool, error) {
	asks := false
	for r, err := range rows(rowfile.WithoutBody) {
		if err != nil {
			return false, err
		}
		if o.dropsMeta(&r.Meta) {
			return true, nil
		}
		asks = asks || o.asksBody(&r.Meta)
	}
	if !asks {
		return false, nil
	}
	for r, err := range rows(rowfile.AllColumns) {
		if err != nil {
			return false, err
		}
		if o.asksBody(&r.Meta) && o.DropBody(&r.Meta, r.Body) {
			return true, nil
		}
	}
	return false, nil
}

// dropsRejected decides over one rejected submission.
func (o *RewriteOptions) dropsRejected(r *rowfile.Record) (bool, error) {
	if o.DropRejected == nil {
		return false, nil
	}
	e, err := rejectedFrom(r)
	return err == nil && o.DropRejected(e), err
}

// hitsRejected reports whether a rejected submission of a row group is to be dropped.
func (o *RewriteOptions) hitsRejected(rows rowsOfGroup) (bool, error) {
	if o.DropRejected == nil {
		return false, nil
	}
	for r, err := range rows(rowfile.AllColumns) {
		if err != nil {
			return false, err
		}
		if drop, err := o.dropsRejected(r); err != nil || drop {
			return drop, err
		}
	}
	return false, nil
}

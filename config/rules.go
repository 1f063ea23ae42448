package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Rule is a condition on several keys.
type Rule struct {
	Keys  []string
	Given bool // errors name only the keys that are not the default
	Check func(v *Values) error
}

// pair requires that two keys are set both or not at all.
func pair(one, other string) Rule {
	return Rule{Keys: []string{one, other}, Check: func(v *Values) error {
		if (v.text(one) == "") != (v.text(other) == "") {
			return errors.New("want both or neither")
		}
		return nil
	}}
}

// either refuses two keys that are both given.
func either(one, other string) Rule {
	return Rule{Keys: []string{one, other}, Check: func(v *Values) error {
		if v.text(one) != "" && v.text(other) != "" {
			return errors.New("want one of them")
		}
		return nil
	}}
}

// Rules lists the rules of All.
var Rules = []Rule{
	{Keys: storageKeys, Given: true, Check: checkStorage},
	{Keys: icebergKeys, Given: true, Check: checkIceberg},
	{Keys: []string{"deletion.every", "deletion.deadline"}, Check: checkDeletion},
	pair("edge.tls.cert", "edge.tls.key"),
	pair("web.tls.cert", "web.tls.key"),
	pair("mail.server", "mail.from"),
	pair("web.oidc.issuer", "web.oidc.client-id"),
	either("web.oidc.client-secret", "web.oidc.client-secret-file"),
	pair("spool.kafka.cert", "spool.kafka.key"),
	pair("spool.kafka.sasl", "spool.kafka.user"),
	either("spool.kafka.password", "spool.kafka.password-file"),
	{Keys: []string{"only", "schedule.enabled"}, Check: func(v *Values) error {
		enabled, _ := strconv.ParseBool(v.text("schedule.enabled")) // checked
		if !slices.ContainsFunc(v.texts("only"), func(part string) bool { return part != "schedule" || enabled }) {
			return errors.New("nothing is left to run: want parts, and schedule only where it is enabled")
		}
		return nil
	}},
	{Keys: []string{"mail.rows", "mail.domains"}, Check: func(v *Values) error {
		if rows, _ := strconv.ParseBool(v.text("mail.rows")); rows && len(v.texts("mail.domains")) == 0 { // checked
			return errors.New("rows in mails want the domains that they may go to")
		}
		return nil
	}},
	{Keys: []string{"retention.table"}, Check: func(v *Values) error {
		_, err := TableDays(v.texts("retention.table"))
		return err
	}},
	{Keys: []string{"query.table-days"}, Check: func(v *Values) error {
		_, err := QueryDays(v.texts("query.table-days"))
		return err
	}},
	{Keys: []string{"edge.max-request", "spool.segment-bytes"}, Check: func(v *Values) error {
		if v.size("edge.max-request") > v.size("spool.segment-bytes")/2 {
			return errors.New("the largest request does not fit a spool segment: want segments of twice that size or more")
		}
		return nil
	}},
}

// rules checks what concerns several keys.
func (v *Values) rules() error {
	var bad []error
next:
	for _, r := range Rules {
		var places []string
		for _, name := range r.Keys {
			if v.keys.find(name) == nil {
				continue next
			}
			if !r.Given || v.Source(name) != "default" {
				places = append(places, name+" ("+v.Source(name)+")")
			}
		}
		if err := r.Check(v); err != nil {
			bad = append(bad, fmt.Errorf("%s: %w", strings.Join(places, " and "), err))
		}
	}
	return errors.Join(bad...)
}

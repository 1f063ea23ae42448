package schema

import (
	"reflect"
	"strings"
	"testing"
)

// FuzzParseType reads a type, writes it and reads it again.
func FuzzParseType(f *testing.F) {
	for _, s := range []string{
		"boolean", "int", "long", "double", "string", "decimal(37,6)", "decimal( 5 , 5 )", "array<int>", "array<string not null>",
		"map<int,map<string,double>>",
		"struct<a:int not null,b:array<struct<c:map<string,boolean>> not null>>", " array < int  not null > ", "struct<a:int,a:int>",
		"struct<é:int>",
		"decimal(38,38)", "decimal(0,0)", "decimal(1,2)", "decimal(+5,-0)", "decimal(99999999999999999999,1)", "map<double,int>", "array<",
		"array<int", "int>", "struct<>", "not null", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		typ, err := ParseType(s)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Fatalf("%q: an error of several lines: %v", s, err)
			}
			return
		}
		again, err := ParseType(typ.String())
		if err != nil || !reflect.DeepEqual(typ, again) {
			t.Fatalf("%q is written as %q, which reads as %v, %v", s, typ, again, err)
		}
		checkType(t, s, typ)
		for engine := range dialects {
			if text, err := TypeIn(engine, typ); err != nil || text == "" {
				t.Fatalf("%q in %s: %q, %v", s, engine, text, err)
			}
		}
	})
}

// checkType holds for every type that was read.
func checkType(t *testing.T, s string, typ Type) {
	t.Helper()
	var ok bool
	switch typ.Kind {
	case Decimal:
		ok = typ.Precision >= 1 && typ.Precision <= 38 && typ.Scale >= 0 && typ.Scale <= typ.Precision
	case Array:
		ok = typ.Elem != nil && typ.Key == nil
		checkType(t, s, *typ.Elem)
	case Map:
		ok = typ.Elem != nil && typ.Key != nil && (typ.Key.Kind == String || typ.Key.Kind == Int)
		checkType(t, s, *typ.Elem)
	case Struct:
		ok = len(typ.Fields) > 0
		for _, f := range typ.Fields {
			ok = ok && f.Name != ""
			checkType(t, s, f.Type)
		}
	default:
		ok = reflect.DeepEqual(typ, Type{Kind: typ.Kind}) && typ.Kind < Decimal
	}
	if !ok {
		t.Fatalf("%q reads as %+v", s, typ)
	}
}

func TestMustType(t *testing.T) {
	if got := MustType("map<string,int>").String(); got != "map<string,int>" {
		t.Error(got)
	}
	defer func() {
		if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), `parse type "text": unknown type "text"`) {
			t.Errorf("recovered %v", err)
		}
	}()
	MustType("text")
}

func TestUnknownKind(t *testing.T) {
	if got := (Type{Kind: 77}).String(); got != "kind(77)" {
		t.Error(got)
	}
}

package functions

import (
	"slices"
	"strconv"
	"strings"
)

// mapFunctions lists the functions of maps.
var mapFunctions = []Function{
	{Name: "map", Doc: "A map of an array of keys and one of their values; without arguments an empty one.", Forms: []Form{
		{Signature: "() -> map(unknown, unknown)", SQL: "MAP {}"},
		{Signature: "(array(K), array(V)) -> map(K, V)", SQL: "map($1, $2)"},
	}},
	{Name: "map_keys", Doc: "The keys of a map.", Forms: []Form{
		{Signature: "(map(K, V)) -> array(K)", SQL: "map_keys($1)"},
	}},
	{Name: "map_values", Doc: "The values of a map.", Forms: []Form{
		{Signature: "(map(K, V)) -> array(V)", SQL: "map_values($1)"},
	}},
	{Name: "map_entries", Doc: "The keys and values of a map as an array of rows.", Forms: []Form{
		{Signature: "(map(K, V)) -> array(row(K, V))",
			Write: with("list_transform(map_entries($1), lambda #e: {'field0': #e.key, 'field1': #e.value})")},
	}},
	{Name: "map_from_entries", Doc: "A map of an array of rows of a key and its value.", Forms: []Form{
		{Signature: "(array(row(K, V))) -> map(K, V)",
			Write: with("CASE WHEN list_count($1) < len($1) THEN error('map entry cannot be null') ELSE CAST(map_from_entries($1) AS <>) END")},
	}},
	{Name: "multimap_from_entries", Doc: "A map from the keys in an array of rows to arrays of all their values.", Forms: []Form{
		{Signature: "(array(row(K, V))) -> map(K, array(V))", Write: multimapFromEntries},
	}},
	{Name: "map_concat", Doc: "The entries of several maps; of a key in more than one of them the last value.", Forms: []Form{
		{Signature: "(map(K, V), map(K, V)...) -> map(K, V)", Write: mapConcat},
	}},
	{Name: "map_filter", Doc: "The entries of a map for which the lambda is true.", Forms: []Form{
		{Signature: "(map(K, V), function(K, V, boolean)) -> map(K, V)",
			Write: with("map_from_entries(list_filter(map_entries($1), lambda #e: &2(#e.key, #e.value)))")},
	}},
	{Name: "map_zip_with", Doc: "A map with the keys of two maps and what the lambda gives for each with its two values, null for one " +
		"that is not there.", Forms: []Form{
		{Signature: "(map(K, V), map(K, W), function(K, V, W, X)) -> map(K, X)",
			Write: with("CASE WHEN $1 IS NOT NULL AND $2 IS NOT NULL THEN list_transform([list_concat(map_keys($1)," +
				" list_filter(map_keys($2), lambda #k: NOT list_contains(map_keys($1), #k)))], lambda #l: map(#l, list_transform(#l, lambda #k: " +
				"&3(#k, map_extract_value($1, #k), map_extract_value($2, #k)))))[1] END")},
	}},
	{Name: "transform_keys", Doc: "The map with what the lambda gives for each entry as its key.", Forms: []Form{
		{Signature: "(map(K, V), function(K, V, L)) -> map(L, V)",
			Write: with("map(list_transform(map_entries($1), lambda #e: &2(#e.key, #e.value)), map_values($1))")},
	}},
	{Name: "transform_values", Doc: "The map with what the lambda gives for each entry as its value.", Forms: []Form{
		{Signature: "(map(K, V), function(K, V, W)) -> map(K, W)",
			Write: with("map(map_keys($1), list_transform(map_entries($1), lambda #e: &2(#e.key, #e.value)))")},
	}},
	{Name: "map_agg", Kind: Aggregate, Doc: "A map of keys and values of the rows; of a key in several rows one of the values.", Forms: []Form{
		{Signature: "(K, V) -> map(K, V)", Nulls: true,
			Write: aggregate("list_transform([list_filter(@" + pairs + ", lambda #x: #x IS NOT NULL)], lambda #l: CASE WHEN len(#l) > 0 THEN " +
				firstOfKeys + " END)[1]")},
	}},
	{Name: "multimap_agg", Kind: Aggregate, Doc: "A map from the keys in the rows to arrays of all their values.", Forms: []Form{
		{Signature: "(K, V) -> map(K, array(V))", Nulls: true, Write: multimapAgg},
	}},
	{Name: "map_union", Kind: Aggregate, Doc: "The entries of the maps of all rows; of a key in several of them one of the values.",
		Forms: []Form{
			{Signature: "(map(K, V)) -> map(K, V)",
				Write: aggregate("list_transform([list_transform(flatten(@list(map_entries($1))), lambda #x: {'k': #x.key, 'v': #x.value})]," +
					" lambda #l: CASE WHEN len(#l) > 0 THEN " + firstOfKeys + " END)[1]")},
		}},
	{Name: "histogram", Kind: Aggregate, Doc: "A map from the values to the number of their rows.", Forms: []Form{
		{Signature: "(T) -> map(T, bigint)", Write: aggregate("CAST(@histogram($1) AS <>)")},
	}},
}

// Templates of maps of a list #l of {k, v} without null keys. DuckDB's maps refuse a key that is there twice: then
// its first place is looked up, or, of many keys, the entries are sorted by key and place. #s are the sorted, #b those
// with which a key begins and their places. A lambda may take elements of a long list outside of it, but no slices:
// each would copy the list.
const (
	pairs      = "@list(CASE WHEN $1 IS NOT NULL THEN {'k': $1, 'v': $2} END)"
	sortedKeys = "list_sort(list_transform(#l, lambda #x, #i: {'k': #x.k, 'i': #i}))"
	beginnings = "list_filter(list_zip(#s, list_prepend(NULL, #s), range(1, len(#s) + 1)), lambda #x: #x[1].k IS DISTINCT FROM #x[2].k " +
		"AND #x[1] IS NOT NULL)"
	keysOf      = "list_transform(#l, lambda #x: #x.k)"
	firstOfKeys = "list_transform([{'k': " + keysOf + ", 'd': list_distinct(" + keysOf +
		")}], lambda #k: CASE WHEN len(#k.d) = len(#l) THEN map_from_entries(#l)" +
		" WHEN len(#k.d) <= 2000 THEN map_from_entries(list_transform(list_sort(list_transform(#k.d, lambda #x: list_position(#k.k, #x))), " +
		"lambda #i: #l[#i]))" +
		" ELSE list_transform([" + sortedKeys + "], lambda #s: map_from_entries(list_transform(list_sort(list_transform(" + beginnings +
		", lambda #x: #x[1].i)), lambda #i: #l[#i])))[1] END)[1]"
	allOfKeys = "list_transform([" + sortedKeys + "], lambda #s: list_transform([" + beginnings +
		"], lambda #b: list_transform([list_sort(list_transform(" +
		"list_zip(#b, list_append(list_transform(list_slice(#b, 2, -1), lambda #x: #x[3]), len(#s) + 1)), lambda #e: " +
		"list_transform(range(#e[1][3], #e[2]), lambda #j: #s[#j].i)))], lambda #g: map(list_transform(#g, lambda #x: #l[#x[1]].k)," +
		" list_transform(#g, lambda #x: list_transform(#x, lambda #i: #l[#i].v))))[1])[1])[1]"
)

// multimapAgg has distinct values in the order in which they come. For map_agg they need not be distinct.
func multimapAgg(c *Call) (Result, error) {
	list := "list_filter(" + pairs + ", lambda #x: #x IS NOT NULL)"
	if c.Distinct {
		list = "list_transform([list_filter(@" + pairs + ", lambda #x: #x IS NOT NULL)], lambda #p: " + distinct("#p") + ")[1]"
	}
	return aggregate("list_transform([" + list + "], lambda #l: CASE WHEN len(#l) > 0 THEN " + allOfKeys + " END)[1]")(c)
}

func multimapFromEntries(c *Call) (Result, error) {
	row := c.Args[0].Type.Elem()
	key, value := "struct_extract(#x, '"+row.Field(0)+"')", "struct_extract(#x, '"+row.Field(1)+"')"
	return with("list_transform([list_transform($1, lambda #x: CASE WHEN #x IS NULL THEN error('map entry cannot be null') WHEN " + key +
		" IS NULL THEN error('map key cannot be null')" +
		" ELSE {'k': " + key + ", 'v': " + value + "} END)], lambda #l: CASE WHEN len(#l) = 0 THEN CAST(MAP {} AS <>) WHEN #l IS NOT NULL THEN " +
		allOfKeys + " END)[1]")(c)
}

// mapConcat is null if one of the maps is. The entries of the last map come first.
func mapConcat(c *Call) (Result, error) {
	var null, list []string
	for i := range c.Args {
		n := "$" + strconv.Itoa(i+1)
		null, list = append(null, n+" IS NULL"), append(list, "map_entries(CAST("+n+" AS <>))")
	}
	slices.Reverse(list)
	return with("CASE WHEN NOT (" + strings.Join(null, " OR ") + ") THEN list_transform([list_transform(flatten([" + strings.Join(list, ", ") +
		"]), lambda #x: {'k': #x.key, 'v': #x.value})], lambda #l: " + firstOfKeys + ")[1] END")(c)
}

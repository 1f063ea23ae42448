package main

// The definitions of a first day, and those of the next one with one probe more
// of every kind that definitions know.
var (
	oldProbes = map[string]string{
		"main_summary.yaml": `{user_prefs: [{name: a.old, type: integer}], histogram_whitelist: [OLD]}`,
		"Scalars.yaml":      "s:\n  old: {kind: uint, record_in_processes: [main], description: d}\n",
		"AddonScalars.yaml": "x:\n  old: {kind: uint, record_in_processes: [dynamic], description: d}\n",
		"Histograms.json":   `{"OLD": {"kind": "enumerated", "n_values": 5, "record_in_processes": ["main"]}}`,
	}
	newProbes = map[string]string{
		"main_summary.yaml": `user_prefs:
- {name: a.new, type: string}
- {name: a.old, type: integer}
- {name: b.new, type: boolean}
- {name: c.new, type: integer}
histogram_whitelist: [OLD, ENUM, BOOL, FLAG, LIN, EXP, CAT, KEYED, KEYED_CAT, CHILD]
`,
		"Scalars.yaml": `s:
  old: {kind: uint, record_in_processes: [main], description: d}
  a_uint: {kind: uint, record_in_processes: [main], description: d}
  a_bool: {kind: boolean, record_in_processes: [main], description: d}
  a_text: {kind: string, record_in_processes: [main], description: d}
  k_uint: {kind: uint, keyed: true, record_in_processes: [main], description: d}
  k_bool: {kind: boolean, keyed: true, record_in_processes: [main], description: d}
  k_text: {kind: string, keyed: true, record_in_processes: [main], description: d}
  child: {kind: uint, record_in_processes: [all_children], description: d}
`,
		"AddonScalars.yaml": `x:
  old: {kind: uint, record_in_processes: [dynamic], description: d}
  a_uint: {kind: uint, record_in_processes: [dynamic], description: d}
  a_bool: {kind: boolean, record_in_processes: [dynamic], description: d}
  a_text: {kind: string, record_in_processes: [dynamic], description: d}
  k_uint: {kind: uint, keyed: true, record_in_processes: [dynamic], description: d}
  k_bool: {kind: boolean, keyed: true, record_in_processes: [dynamic], description: d}
  k_text: {kind: string, keyed: true, record_in_processes: [dynamic], description: d}
`,
		"Histograms.json": `{
			"OLD": {"kind": "enumerated", "n_values": 5, "record_in_processes": ["main"]},
			"ENUM": {"kind": "enumerated", "n_values": 5, "record_in_processes": ["main"]},
			"BOOL": {"kind": "boolean", "record_in_processes": ["main"]},
			"FLAG": {"kind": "flag", "record_in_processes": ["main"]},
			"LIN": {"kind": "linear", "low": 1, "high": 100, "n_buckets": 10, "record_in_processes": ["main"]},
			"EXP": {"kind": "exponential", "low": 1, "high": 100, "n_buckets": 10, "record_in_processes": ["main"]},
			"CAT": {"kind": "categorical", "labels": ["x", "y"], "record_in_processes": ["main"]},
			"KEYED": {"kind": "enumerated", "n_values": 5, "keyed": true, "record_in_processes": ["main"]},
			"KEYED_CAT": {"kind": "categorical", "labels": ["x", "y"], "keyed": true, "record_in_processes": ["main"]},
			"CHILD": {"kind": "enumerated", "n_values": 5, "record_in_processes": ["all_children"]}}`,
	}
)

// addedColumns are the new columns in the order of schema --diff, with their
// types and the value that every ping gives them, as DuckDB writes it.
var addedColumns = []struct{ name, typ, value string }{
	{"user_pref_a_new", "string", "t"},
	{"user_pref_b_new", "boolean", "false"},
	{"user_pref_c_new", "int", "-3"},
	{"scalar_content_s_child", "int", "11"},
	{"scalar_gpu_s_child", "int", "12"},
	{"scalar_parent_s_a_bool", "boolean", "true"},
	{"scalar_parent_s_a_text", "string", "hi"},
	{"scalar_parent_s_a_uint", "int", "5"},
	{"scalar_parent_s_k_bool", "map<string,boolean>", "{k=false}"},
	{"scalar_parent_s_k_text", "map<string,string>", "{k=v}"},
	{"scalar_parent_s_k_uint", "map<string,int>", "{k=6}"},
	{"histogram_content_child", "map<int,int>", "{3=13}"},
	{"histogram_gpu_child", "map<int,int>", "{4=14}"},
	{"histogram_parent_bool", "map<int,int>", "{1=3}"},
	{"histogram_parent_cat", "map<string,int>", "{y=4}"},
	{"histogram_parent_enum", "map<int,int>", "{1=2}"},
	{"histogram_parent_exp", "map<int,int>", "{10=8}"},
	{"histogram_parent_flag", "map<int,int>", "{0=1}"},
	{"histogram_parent_keyed", "map<string,map<int,int>>", "{k={1=5}}"},
	{"histogram_parent_keyed_cat", "map<string,map<string,int>>", "{k={x=9}}"},
	{"histogram_parent_lin", "map<int,int>", "{20=7}"},
}

// addedScalars are the new scalars of add-ons as schema --diff writes them: they
// are entries of maps, not columns.
var addedScalars = []string{
	"x_a_bool in boolean_addon_scalars", "x_a_text in string_addon_scalars", "x_a_uint in uint_addon_scalars",
	"x_k_bool in keyed_boolean_addon_scalars", "x_k_text in keyed_string_addon_scalars", "x_k_uint in keyed_uint_addon_scalars",
}

// unchangedColumns are columns of both days, with their values on each: those that were there before, and the maps to
// which add-ons' scalars are added.
var unchangedColumns = []struct{ name, before, after string }{
	{"user_pref_a_old", "7", "7"},
	{"scalar_parent_s_old", "8", "8"},
	{"histogram_parent_old", "{2=9}", "{2=9}"},
	{"uint_addon_scalars", "{x_old=1}", "{x_a_uint=2, x_old=1}"},
	{"boolean_addon_scalars", "{}", "{x_a_bool=true}"},
	{"string_addon_scalars", "{}", "{x_a_text=t}"},
	{"keyed_uint_addon_scalars", "{}", "{x_k_uint={k=3}}"},
	{"keyed_boolean_addon_scalars", "{}", "{x_k_bool={k=false}}"},
	{"keyed_string_addon_scalars", "{}", "{x_k_text={k=v}}"},
}

const everyProbe = `{"version":4,"environment":{"settings":{"userPrefs":{"a.old":7,"a.new":"t","b.new":false,"c.new":-3}}},"payload":{
"histograms":{"OLD":{"values":{"2":9}},"ENUM":{"values":{"1":2}},"BOOL":{"values":{"1":3}},"CAT":{"values":{"1":4}},
"FLAG":{"values":{"0":1}},"LIN":{"values":{"20":7}},"EXP":{"values":{"10":8}}},
"keyedHistograms":{"KEYED":{"k":{"values":{"1":5}}},"KEYED_CAT":{"k":{"values":{"0":9}}}},
"processes":{"parent":{"scalars":{"s.old":8,"s.a_uint":5,"s.a_bool":true,"s.a_text":"hi"},
"keyedScalars":{"s.k_uint":{"k":6},"s.k_bool":{"k":false},"s.k_text":{"k":"v"}}},
"content":{"scalars":{"s.child":11},"histograms":{"CHILD":{"values":{"3":13}}}},
"gpu":{"scalars":{"s.child":12},"histograms":{"CHILD":{"values":{"4":14}}}},
"dynamic":{"scalars":{"x.old":1,"x.a_uint":2,"x.a_bool":true,"x.a_text":"t"},
"keyedScalars":{"x.k_uint":{"k":3},"x.k_bool":{"k":false},"x.k_text":{"k":"v"}}}}}}`

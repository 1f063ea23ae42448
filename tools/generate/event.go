package generate

import (
	"github.com/pingmill/pingmill/tools/generate/jsontext"
	"github.com/pingmill/pingmill/tools/generate/probe"
	"github.com/pingmill/pingmill/tools/generate/random"
)

// event is the part of an event that follows its time, as JSON.
type event = weighted[string]

var parentEvents = []event{
	{20, `"navigation","search","urlbar","enter",{"engine":"google"}],`},
	{10, `"navigation","search","searchbar","enter",{"engine":"other-Ask Example"}],`},
	{6, `"navigation","search","searchbar","oneoff",{"engine":"ddg"}],`},
	{5, `"navigation","search","about_newtab","enter",{"engine":"bing"}],`},
	{6, `"addonsManager","install","extension","1",{"step":"started","source":"amo","num_strings":null}],`},
	{4, `"addonsManager","update","extension","2",{"step":"completed"}],`},
	{4, `"pictureinpicture","open","player"],`},
	{3, `"security","tls_error","page",null,{"code":"SEC_ERROR_UNKNOWN_ISSUER","hsts":"false"}],`},
	{3, `"devtools.main","open","tools",null],`},
	{2, `"activity_stream","event","CLICK","TOP_SITES",{"addon_version":"2018.01.04","page":"about:newtab","note":"größer als \"5\""}],`},
	{2, `"normandy","enroll","preference_study","pref-flip-example-1426091",{"branch":"control","telemetry_process":"study"}],`},
}

var contentEvents = []event{
	{5, `"example.content","click","link"],`},
	{3, `"example.content","load","frame","slow",{"kind":"ad"}],`},
}

var dynamicEvents = []event{
	{5, `"example.addon","open","panel"],`},
	{3, `"example.addon","choose","provider","second",{"from":"first","took_ms":"812"}],`},
}

// writeEvents writes n events under a name, in the order of their times.
func writeEvents(t *jsontext.Text, r *random.Source, name string, list []event, n int, a *probe.Activity) {
	t.OpenList(name)
	at := r.Span(500, 60_000)
	for ; n > 0; n-- {
		t.BeginList()
		t.Number(at)
		t.Raw(draw(r, list))
		at += r.Span(200, 1000+a.Length*4)
	}
	t.CloseList()
}

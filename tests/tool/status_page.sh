#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tests the page that shows the progress of a plan: status_page.sh DRUA
# shellcheck source=tests/tool/work_folder.sh
. "$(dirname "$0")/work_folder.sh"

command -v python3 >/dev/null || skip "python3 is missing"
cat >check.py <<'END'
import html.parser, sys

class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.colours, self.text, self.bars = [], [], "", []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        assert not {"src", "href"} & set(attributes), attributes
        assert tag != "script"
        if tag == "rect" and attributes["width"] == "9":
            self.colours.append(attributes["fill"])
        if tag == "progress":
            self.bars.append((int(attributes["value"]), int(attributes["max"])))
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.text += data

page = Page()
text = open(sys.argv[1]).read()
page.feed(text)
page.close()
assert not page.open, page.open
colours = {name: page.colours.count(code) for name, code in
           (("done", "#37a"), ("some", "#9bd"), ("lost", "#c33"), ("none", "#ccc"))}
assert str([page.bars[-1], colours]) == sys.argv[2], (page.bars, colours)
for words in sys.argv[3:]:
    assert words in page.text, (words, page.text)
END

"$drua" phantom . width=96 height=96 depth=32 channels=2 background=20 >/dev/null 2>&1
"$drua" plan copy image.tif "a & <b>.zarr" --block 32,32,16 --chunk 32,32,16 -o plan.json >said 2>log ||
    fail "plan: $(cat log)"
"$drua" status plan.json --html page.html 2>log || fail "page: $(cat log)"
python3 check.py page.html "[(0, 36), {'done': 0, 'some': 0, 'lost': 0, 'none': 18}]" "plan.json" "a & <b>.zarr" ||
    fail "the page of a new plan is wrong"

# blocks 0 to 8 are the first layer of the first channel
"$drua" run plan.json --blocks 0:11 2>log || fail "run: $(cat log)"
"$drua" status plan.json --html page.html 2>log || fail "page: $(cat log)"
python3 check.py page.html "[(11, 36), {'done': 2, 'some': 7, 'lost': 0, 'none': 9}]" "11 of 36" \
    "1 processes have written" "channel 2, frame 1" "0 blocks are lost" || fail "the page of a plan at work is wrong"
size=$(wc -c <page.html)
[ "$size" -lt 20000 ] || fail "the page has $size bytes"

# the page must not replace a file of the plan, or lie in one of its images
mkdir -p "a & <b>.zarr"
for page in plan.json image.tif "a & <b>.zarr" "a & <b>.zarr/page.html" "a & <b>.zarr.writing/page.html" \
    ./plan.json.journal/page.html plan.json.journal/../plan.json; do
    status=0
    "$drua" status plan.json --html "$page" >said 2>log || status=$?
    [ $status = 1 ] && grep -q "which the plan reads or writes" log || fail "a page at $page: $status, $(cat log)"
done
rmdir "a & <b>.zarr"
"$drua" status plan.json --html "a & <b>.zarr" >said 2>log && fail "a page at the place of the output"

# a damaged block is lost
printf x >"$(find "a & <b>.zarr.writing/0" -type f -name 2 | head -n 1)"
"$drua" verify plan.json 2>log && fail "damage is not found"
"$drua" status plan.json --html page.html 2>log || fail "page: $(cat log)"
python3 check.py page.html "[(10, 36), {'done': 2, 'some': 6, 'lost': 1, 'none': 9}]" "1 blocks are lost" ||
    fail "the page does not show lost blocks"

# other files are not replaced, and the page of a finished plan says that the plan is finished
echo data >other
status=0
"$drua" status plan.json --html other 2>log || status=$?
[ $status = 1 ] && [ "$(cat other)" = data ] && grep -q "is not a page of HTML" log || fail "another file: $(cat log)"
"$drua" run plan.json 2>log && "$drua" finish plan.json 2>log || fail "finish: $(cat log)"
mkdir pages
"$drua" status plan.json --html pages/page.html 2>log || fail "page: $(cat log)"
python3 check.py pages/page.html "[(36, 36), {'done': 18, 'some': 0, 'lost': 0, 'none': 0}]" "finished" ||
    fail "the page of a finished plan is wrong"

# passes of a shared plan
cat >otsu.ijm <<'END'
Ext.Drua_push(image);
Ext.CLIJ2_thresholdOtsu(image, mask);
Ext.Drua_pull(mask);
END
"$drua" plan otsu.ijm image.tif mask.zarr --block 32,32,16 --chunk 32,32,16 --share -o shared.json >said 2>log ||
    fail "plan: $(cat log)"
"$drua" status shared.json --html shared.html 2>log || fail "page: $(cat log)"
python3 check.py shared.html "[(0, 36), {'done': 0, 'some': 0, 'lost': 0, 'none': 18}]" "pass 1: blocks measured" ||
    fail "the page of a shared plan is wrong"

# SPDX-License-Identifier: BSD-3-Clause
"""Tests the documentation site in a browser, from disk without a server: browse.py SITE CHROMIUM [PICTURES].

Opens every page: its links and images must exist, no script may fail, and no other computer may be contacted. Then
tests the search with the queries of queries.tsv, the dark colours, and pages on a screen of 400 pixels. PICTURES is a
folder for screenshots.
"""
import pathlib
import sys
import urllib.parse

from playwright.sync_api import sync_playwright

site = pathlib.Path(sys.argv[1]).resolve()
pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
NARROW = ["index.html", "tasks/index.html", "tasks/compare_thresholds.html", "tasks/measure_shape.html",
          "samples/index.html", "guides/install.html", "all.html",
          "operations/gaussian_blur.html", "operations/deconvolve.html", "categories/filter/index.html",
          "guides/first_macro.html", "guides/differences.html",
          "guides/imagej.html", "guides/speed.html", "guides/about.html", "operations/index.html"]
SEARCHES = {"gaussian blur": "operations/gaussian_blur.html", "deconvolve": "operations/deconvolve.html",
            "voronoiOtsuLabeling": "operations/voronoi_otsu_labeling.html",
            "statisticsOfLabelledPixels": "operations/statistics_of_labelled_pixels.html",
            "device memory budget": "guides/memory.html"}
passed = failed = 0


def verdict(name, faults):
    global passed, failed
    if faults:
        failed += 1
        print("FAIL", name + ":", "; ".join(faults[:5]), flush=True)
    else:
        passed += 1


def address(name):
    return (site / name).as_uri()


class Reader:
    """A browser page that records errors."""

    def __init__(self, browser, **screen):
        self.context = browser.new_context(**screen)
        self.context.set_default_timeout(240000)
        self.page = self.context.new_page()
        self.faults = []
        self.page.on("pageerror", lambda error: self.faults.append("script: " + str(error)))
        self.page.on("console", lambda line: line.type == "error" and self.faults.append("console: " + line.text))
        self.page.on("request", lambda request: self.asked(request.url))
        self.page.on("requestfailed", lambda request: self.missed(request))

    def asked(self, url):
        if not url.startswith((site.as_uri(), "data:", "about:", "blob:")):
            self.faults.append("asks for " + url)

    def missed(self, request):
        if request.failure != "net::ERR_ABORTED":      # the next page was opened before this one finished
            self.faults.append("missing: " + request.url)

    def open(self, name):
        self.page.goto(address(name))
        return self.page

    def shoot(self, name):
        if pictures:
            self.page.screenshot(path=pictures / (name.replace("/", "_") + ".png"))

    def taken(self):
        faults, self.faults = self.faults, []
        return faults


def contents(page):
    return page.evaluate("""() => ({links: [...document.querySelectorAll('a[href]')].map(a => a.href),
        ids: [...document.querySelectorAll('[id]')].map(e => e.id),
        broken: [...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src),
        silent: [...document.images].filter(i => !i.alt.trim()).map(i => i.src),
        files: [...document.images].map(i => i.src)})""")


def all_pages(browser):
    reader, found = Reader(browser), {}
    for file in sorted(site.rglob("*.html")):
        name = file.relative_to(site).as_posix()
        found[name] = contents(reader.open(name))
        verdict(name, reader.taken() + ["picture " + source for source in found[name]["broken"]] +
                ["no alternative text: " + source for source in found[name]["silent"]])
    reader.context.close()
    return found


def links(found):
    """Every link leads to a page, and to a place in it."""
    for name, page in found.items():
        faults = []
        for link in set(page["links"] + page["files"]):
            url, _, anchor = link.partition("#")
            if not url.startswith("file:"):
                continue
            file = pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(url).path))
            target = file.relative_to(site).as_posix() if file.is_relative_to(site) else None
            if target is None or not file.is_file():
                faults.append("leads to " + link)
            elif anchor and urllib.parse.unquote(anchor) not in found[target]["ids"]:
                faults.append("no place " + target + "#" + anchor)
        verdict("links of " + name, faults)


def search(browser):
    for words, expected in SEARCHES.items():
        reader = Reader(browser, viewport={"width": 1280, "height": 800})
        page = reader.open("index.html")
        page.click("input.md-search__input")
        page.keyboard.type(words, delay=30)
        try:
            page.wait_for_selector(".md-search-result__item a", state="attached")
            first = page.evaluate("[...document.querySelectorAll('.md-search-result__item > a, "
                                  ".md-search-result__item > .md-search-result__link')].slice(0, 3).map(a => a.href)")
            faults = [] if any(link.startswith(address(expected))
                               for link in first) else ["first comes " + ", ".join(first)]
            reader.shoot("search " + words)
        except Exception as error:     # the search did not answer
            faults = [str(error).splitlines()[0]]
        verdict("search for " + words, faults + reader.taken())
        reader.context.close()


START_SEARCH = """async () => {
    const script = document.createElement("script"), loaded = new Promise(resolve => script.onload = resolve);
    script.src = "search/search_index.js";
    document.head.append(script);
    await loaded;
    const worker = new Worker(JSON.parse(document.getElementById("__config").textContent).search);
    const answer = type => new Promise(resolve => {
        const hear = ({data}) => {
            if (data.type !== type) return;
            worker.removeEventListener("message", hear);
            resolve(data.data);
        };
        worker.addEventListener("message", hear);
    });
    window.find = (type, data, due) => {
        const found = answer(due);
        worker.postMessage({type, data});
        return found;
    };
    await find(0, {config: __index.config, docs: __index.docs, options: {suggest: false}}, 1);
}"""


def queries(browser):
    """The first page of queries.tsv is found first, and the others are among the first five."""
    reader = Reader(browser)
    page = reader.open("index.html")
    page.evaluate(START_SEARCH)
    for line in (pathlib.Path(__file__).parent / "queries.tsv").read_text().splitlines():
        if line.startswith("#"):
            continue
        query, due = line.split("\t")
        due = [name + ".html" for name in due.split()]
        found = page.evaluate("async q => (await find(2, q, 3)).items.slice(0, 5).map(i => i[0].location)", query)
        good = found[:1] == due[:1] and set(due) <= set(found)
        verdict("query " + query, reader.taken() + ([] if good else ["finds " + " ".join(found)]))
    nothing = page.evaluate("async () => (await find(2, 'qwertzuiop', 3)).items.length")
    verdict("a query without a hit", [] if nothing == 0 else ["finds %d pages" % nothing])
    reader.context.close()


PICTURES = """() => [...document.querySelectorAll('article img')].filter(i => i.naturalWidth).filter(i => {
    const box = i.getBoundingClientRect(), style = getComputedStyle(i);
    const wide = i.clientWidth - parseFloat(style.paddingLeft) * 2;
    const high = i.clientHeight - parseFloat(style.paddingTop) * 2;
    const bent = Math.abs(wide / high * i.naturalHeight / i.naturalWidth - 1) > 0.03;
    return box.left < 0 || box.right > 400 || box.width < 40 || bent && style.objectFit !== 'contain';
}).map(i => 'cut or distorted: ' + i.src)"""


def narrow(browser):
    """At 400 pixels no element is wider than the screen, no picture is cut, and text is large enough."""
    reader = Reader(browser, viewport={"width": 400, "height": 800})
    for name in NARROW:
        page = reader.open(name)
        wide = page.evaluate("document.documentElement.scrollWidth")
        size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('article p')).fontSize)")
        page.evaluate("document.querySelectorAll('img').forEach(i => i.loading = 'eager')")
        page.wait_for_function("[...document.images].every(i => i.complete)")
        reader.shoot("narrow " + name)
        verdict("400 pixels: " + name, reader.taken() + page.evaluate(PICTURES) +
                (["is %d pixels wide" % wide] if wide > 400 else []) +
                (["words of %g pixels" % size] if size < 12 else []))
    reader.context.close()


def brightness(page):
    return page.evaluate("""() => {
        const rgb = e => getComputedStyle(e).getPropertyValue('background-color').match(/[\\d.]+/g).map(Number);
        const ink = getComputedStyle(document.querySelector('article h1')).color.match(/[\\d.]+/g).map(Number);
        return [rgb(document.body).slice(0, 3).reduce((a, b) => a + b) / 3,
            ink.slice(0, 3).reduce((a, b) => a + b) / 3] }""")


def dark(browser):
    for scheme in ("light", "dark"):
        reader = Reader(browser, viewport={"width": 1280, "height": 900}, color_scheme=scheme)
        for name in ["index.html", "operations/gaussian_blur.html", "categories/labels/index.html",
                     "operations/index.html", "guides/first_macro.html"]:
            page = reader.open(name)
            page.wait_for_timeout(300)
            paper, ink = brightness(page)
            good = paper > 200 and ink < 150 if scheme == "light" else paper < 60 and ink > 150
            reader.shoot(scheme + " " + name)
            verdict(scheme + ": " + name, reader.taken() + ([] if good else ["paper %g, ink %g" % (paper, ink)]))
        reader.context.close()


def main():
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=sys.argv[2])
        search(browser)
        queries(browser)
        narrow(browser)
        dark(browser)
        links(all_pages(browser))
        browser.close()
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(failed > 0 or passed == 0)


main()

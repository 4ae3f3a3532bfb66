# SPDX-License-Identifier: BSD-3-Clause
"""Tests the documentation site in a browser, from disk without a server: browse.py SITE CHROMIUM [PICTURES].

Opens every page: its links and images must exist, no script may fail, and no other computer may be contacted. Then
tests the search, the dark colours, and pages on a screen of 400 pixels. PICTURES is a folder for screenshots.
"""
import pathlib
import sys
import urllib.parse

from playwright.sync_api import sync_playwright

site = pathlib.Path(sys.argv[1]).resolve()
pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
NARROW = ["index.html", "operations/gaussian_blur.html", "operations/deconvolve.html", "categories/filter/index.html",
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
            self.faults.append("not there: " + request.url)

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
        files: [...document.images].map(i => i.src)})""")


def all_pages(browser):
    reader, found = Reader(browser), {}
    for file in sorted(site.rglob("*.html")):
        name = file.relative_to(site).as_posix()
        found[name] = contents(reader.open(name))
        verdict(name, reader.taken() + ["picture " + source for source in found[name]["broken"]])
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


def narrow(browser):
    """At 400 pixels no element is wider than the screen, and text is large enough."""
    reader = Reader(browser, viewport={"width": 400, "height": 800})
    for name in NARROW:
        page = reader.open(name)
        wide = page.evaluate("document.documentElement.scrollWidth")
        size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('article p')).fontSize)")
        reader.shoot("narrow " + name)
        verdict("400 pixels: " + name, reader.taken() + (["is %d pixels wide" % wide] if wide > 400 else []) +
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
        narrow(browser)
        dark(browser)
        links(all_pages(browser))
        browser.close()
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(failed > 0 or passed == 0)


main()

#!/usr/bin/env python3
"""Uses the page that `Scripts/modules graph --format html` writes, in a headless Chromium. Scripts/test --browser runs it.

usage: graph.py PAGE [--screenshots FOLDER]
  PAGE                   the page of this repository's graph
  --screenshots FOLDER   also write pictures of the page to this folder

Exits with 0 if every step found what it expected, with 1 if not, and with 3 if there is no Chromium.
"""

import json
import os
import re
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

from looks import LIGHT
from walk import programs
from webdriver import Browser, Failure, check

# Returns the texts of the map that are hard to read: WCAG 2.2, 1.4.3 asks for a contrast of 4.5:1.
TEXTS = LIGHT + """
const color = (e, name) => getComputedStyle(e)[name]
const behind = e => e.closest(".box") ? color(e.closest(".box").querySelector(".sheet:not(.api), .badge"), "fill")
  : e.closest(".legend") ? color(document.body, "backgroundColor") : color(document.querySelector(".band"), "fill")
return [...map.querySelectorAll("text:not(.mark)")].filter(e => contrast(color(e, "fill"), behind(e)) < 4.5)
  .map(e => e.textContent)
"""
LINES = "return map.querySelectorAll('.lines .line').length"
DESCRIPTION = "return [...map.querySelectorAll('.is-callers[data-box]')].map(e => e.getAttribute('aria-label').split(',')[0])"


def callers(api):
    """The packages and apps whose sources import an Api, from the files themselves."""
    files = [file for folder in ("Packages/*/*", "Apps/*") for file in Path(".").glob(f"{folder}/Sources/**/*.swift")
             if re.search(rf"^import {api}$", file.read_text(encoding="utf-8"), re.M)]
    folders = {file.parts[file.parts.index("Sources") - 1] for file in files}
    # The Shell and Demo are targets of the root package.
    return sorted({"ModularApp" if name in ("Shell", "Demo") else name for name in folders} - {api, api.removesuffix("Api")})


def listed(browser, title):
    """The names in a list of the panel."""
    return browser.run(f"""
        const head = [...panel.querySelectorAll("h3")].find(e => e.textContent.startsWith({title!r}));
        return head ? [...head.nextElementSibling.querySelectorAll(".name")].map(e => e.textContent) : null""")


def box(browser, name):
    return browser.elements(f'#map [aria-label^="{name},"]')[0]


def press(browser, name):
    browser.call("POST", box(browser, name) + "/click")


def resize(browser, width, height):
    """Waits until the map is drawn again, which replaces its elements."""
    browser.size(width, height)
    browser.wait("the map to have the new width", lambda: browser.run(
        f"return innerWidth === {width} && Number(map.getAttribute('width')) === mapWidth()"))


def overview(browser):
    """Before a click, the lines, the layers, the legend and the counts are there, and nothing is cut."""
    browser.wait("the map", lambda: browser.run(LINES) > 30)
    text = browser.run("return map.textContent")
    for part in ("Apps", "Business", "Base", "Core", "calls an Api", "registers IMPs", "uses Common "):
        check(part in text, f"the map does not say '{part}'")
    check(browser.run("return map.querySelectorAll('.line.bundle').length") > 5, "no bundles are drawn")
    check(browser.run("return map.querySelectorAll('.head').length") > 30, "the lines have no heads")
    check("No cycle" in browser.text("#state"), f"the verdict is '{browser.text('#state')}'")
    words = browser.run("return panel.textContent")
    parts, total = re.search(r"((?:\d+ [^+=]+? \+ )+\d+ [^+=]+?) = (\d+) boxes", words).groups()
    check(sum(int(part.split()[0]) for part in parts.split(" + ")) == int(total), f"the counts differ: {words}")
    check(len(browser.elements("#map [data-box]")) == int(total), f"not {total} boxes are drawn")
    wide, cut = browser.run("""
        const own = map.getBoundingClientRect(), frame = document.documentElement.clientWidth;
        return [document.documentElement.scrollWidth > frame, [...map.querySelectorAll("text")]
          .filter(e => { const b = e.getBoundingClientRect(); return b.right > own.right + 1 || b.left < own.left - 1 })
          .map(e => e.textContent)]""")
    check(not wide, "the page is wider than the window")
    check(not cut, f"texts are cut: {cut}")
    overlapping = browser.run("""
        const boxes = [...map.querySelectorAll("[data-box] .sheet:last-of-type")].map(e => e.getBoundingClientRect());
        return boxes.filter((a, i) => boxes.slice(i + 1).some(b =>
          a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length""")
    check(overlapping == 0, f"{overlapping} boxes overlap")
    hard = browser.run(TEXTS)
    check(not hard, f"texts have too little contrast: {hard[:3]}")


def focus(browser):
    """A click on Ride lists who calls it, by mouse and by keyboard, and Escape returns."""
    press(browser, "Ride")
    found, expected = listed(browser, "Callers"), callers("RideApi")
    check(len(expected) > 3 and found == expected, f"the callers of Ride are {expected}, but the page lists {found}")
    check(listed(browser, "Registers") == ["ModularApp"], "the registration is not listed apart")
    check("LoggerApi" not in listed(browser, "Dependencies") and "Logger" in listed(browser, "Dependencies"),
          "the dependencies of Ride are not listed")
    check(set(browser.run(DESCRIPTION)) == set(expected), "not the callers are marked on the map")
    check(browser.run("return location.hash") == "#Ride", "the address does not name the box")
    place = browser.run("return panel.querySelector('li .place').textContent")
    path, line = place.rsplit(":", 1)
    check("RideApi" in Path(path).read_text(encoding="utf-8").split("\n")[int(line) - 1], f"{place} does not use Ride")
    browser.keys("\ue00c")
    check(browser.run("return [panel.querySelector('.back'), document.activeElement.dataset.box !== undefined]")
          == [None, True], "Escape does not return, with the focus on the map")
    before = browser.run("return document.activeElement.getAttribute('aria-label')")
    browser.keys("\ue015")
    after = browser.run("return document.activeElement.getAttribute('aria-label')")
    check(after and after != before, "the arrow keys do not move")
    browser.keys("\ue007")
    check(browser.text("#panel h2") == after.split(",")[0], "Return does not choose")
    browser.keys("\ue00c")
    browser.keys("/")
    browser.keys("pay")
    check(listed(browser, "Found") == ["PayType", "PayTypeCashless"], "the search does not list what it finds")
    browser.keys("\ue007")
    check(browser.text("#panel h2") == "PayType", "Return does not choose what the search finds")
    check(listed(browser, "Registers") == ["ModularApp", "PayTypeCashless"], "the alternative is not listed apart")
    press(browser, "PayTypeCashless")
    check("alternative IMP of PayType" in browser.text("#panel"), "the panel does not say what an alternative replaces")
    browser.keys("\ue00c")
    for css in ("#map [data-box]", "header button", "header input"):
        for role, name in browser.names(css):
            check(name.strip(), f"an element ({css}, {role}) has no name")


def unfold(browser):
    """A package can be drawn as its targets."""
    press(browser, "APIService")
    browser.run("[...panel.querySelectorAll('button')].find(e => e.textContent.startsWith('Draw its')).click()")
    check(len(browser.elements('#map [aria-label^="APICache,"]')) == 1, "the targets are not drawn")
    browser.run("[...panel.querySelectorAll('button')].find(e => e.textContent.startsWith('Draw APIService')).click()")
    browser.keys("\ue00c")
    check(browser.elements('#map [aria-label^="APICache,"]') == [], "the targets are still drawn")


def wrong(browser, page):
    """What breaks a rule is red, with the sentence of the finding. Names are text, whatever they contain."""
    text = Path(page).read_text(encoding="utf-8")
    data = re.search(r'application/json">(.*?)</script>', text, re.S).group(1)
    graph = json.loads(data)
    arrow = next(arrow for arrow in graph["arrows"] if arrow["kind"] == "calls")
    arrow |= {"isWrong": True, "findings": [0]}
    graph["findings"] = [{"rule": "layer-order", "path": "a.swift", "line": 3, "what": "Up depends upward", "fix": "remove it"}]
    name = graph["boxes"][arrow["from"]]["name"] = "<img src=x>\"'</script>&amp;"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "wrong.html"
        file.write_text(text.replace(data, json.dumps(graph).replace("<", "\\u003c")), encoding="utf-8")
        browser.open(f"file://{file}")
        browser.wait("the map", lambda: browser.run(LINES) > 30)
        red, sentence = browser.run("""
            const line = map.querySelector(".lines .line.wrong");
            return [getComputedStyle(line).stroke, line.querySelector("title").textContent]""")
        channels = [int(channel) for channel in re.findall(r"\d+", red)[:3]]
        check(channels[0] > 180 and max(channels[1:]) < 130, f"a wrong line is not red: {red}")
        check(sentence == "Up depends upward", f"a wrong line says '{sentence}'")
        check("1 finding" in browser.text("#state"), f"the verdict is '{browser.text('#state')}'")
        check("Up depends upward" in browser.text("#panel"), "the panel does not list the finding")
        check(browser.run(f"return [...map.querySelectorAll('title, text')].some(e => e.textContent === {json.dumps(name)})"),
              "a name is not shown as it is")
        check(browser.elements("img, #map img") == [], "a name became an element")


def save(browser):
    """The saved picture needs no style sheet, and shows what the map shows."""
    lines = browser.run("return map.querySelectorAll('path').length")
    browser.call("POST", browser.elements("#save")[0] + "/click")
    file = os.path.join(browser.downloads, "ModularApp.svg")
    browser.wait("the picture", lambda: os.path.exists(file))
    text = Path(file).read_text(encoding="utf-8")
    tree = xml.etree.ElementTree.fromstring(text)
    paths = tree.findall(".//{*}path")
    check(len(paths) == lines, f"the picture has {len(paths)} paths, and the map {lines}")
    check(all(path.get("stroke") for path in paths), "a line of the picture has no colour")
    check("class=" not in text and "var(" not in text and "href" not in text, "the picture needs something else")
    names = [element.text for element in tree.findall(".//{*}text")]
    check({"Ride", "Business", "registers IMPs"} <= set(names), "names are missing in the picture")
    check(any("No cycle" in (name or "") for name in names), "the picture does not say what it shows")
    browser.open("file://" + file)
    check(browser.run("return document.documentElement.getBoundingClientRect().height") > 500, "the picture is empty")


def main(arguments):
    if len(arguments) not in (1, 3) or len(arguments) == 3 and arguments[1] != "--screenshots":
        print(__doc__, file=sys.stderr)
        return 2
    page, folder = os.path.abspath(arguments[0]), arguments[2] if len(arguments) == 3 else None

    def picture(browser, name):
        if folder:
            browser.screenshot(os.path.join(folder, f"graph-{name}.png"))

    try:
        check(os.path.getsize(page) < 100_000, f"the page has {os.path.getsize(page)} bytes")
        for is_dark in (False, True):
            with Browser(*programs(), dark=is_dark) as browser:
                for width, height in ((1440, 900), (390, 844)):
                    name = f"{width}{'-dark' if is_dark else ''}"
                    browser.open("file://" + page)
                    resize(browser, width, height)
                    overview(browser)
                    picture(browser, name)
                    press(browser, "Ride")
                    picture(browser, name + "-ride")
                    browser.keys("\ue00c")
                    print(f"graph: drew the map, {name}")
                resize(browser, 1440, 900)
                focus(browser)
                unfold(browser)
                errors = browser.errors()
                check(not errors, "the browser logged: " + "; ".join(errors))
                wrong(browser, page)
                browser.open("file://" + page)
                save(browser)
        print("graph: passed")
        return 0
    except Failure as failure:
        print(f"graph: {failure}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

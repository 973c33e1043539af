"""What the walk expects of how the app looks: the ride code, the line, the icons, the buttons and the contrast."""

import re

import qr
from webdriver import Failure, check

# Functions that compare colors.
LIGHT = """
const channels = color => color.match(/[0-9.]+/g).slice(0, 3).map(Number)
const light = color => channels(color).map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0)
const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort(); return (y + .05) / (x + .05) }
"""

# Returns the borders of buttons and fields that have too little contrast with the page: WCAG 2.2, 1.4.11 asks for 3:1.
BORDERS = LIGHT + """
const page = getComputedStyle(document.body).backgroundColor
return [...document.querySelectorAll("main > form > button, .tools button, select, input:not([type=hidden])")]
  .filter(e => e.getClientRects().length && !["radio", "checkbox"].includes(e.type))
  .filter(e => contrast(getComputedStyle(e).borderTopColor, page) < 3)
  .map(e => e.outerHTML)
"""


def looks(browser, base):
    """The ride code can be scanned, the line and the tabs are drawn, one button is the main one, and there is a way back."""
    browser.open(base + "ride")
    browser.expect("output", "")
    path, width = browser.run("const e = document.querySelector('svg.qr');"
                              "return [e.querySelector('path').getAttribute('d'), e.getBoundingClientRect().width]")
    dark = {(int(row), int(column)) for column, row in re.findall(r"M(\d+) (\d+)h1v1h-1z", path)}
    try:
        text = qr.read(dark)
    except qr.Unreadable as error:
        raise Failure(f"the QR code cannot be read: {error}") from None
    check(text == browser.text("output"), f"the QR code says {text}, not {browser.text('output')}")
    try:
        damaged = qr.read(dark ^ {(12, 12)})
        raise Failure(f"a damaged QR code is read as {damaged}")
    except qr.Unreadable:
        pass
    check(width >= 33 * 4, f"the QR code is only {width} wide")
    stations = [name for _, name in browser.names(".line input[type=radio]")]
    check(stations[0] == "North Gate" and len(stations) == 6, f"the line has the stations {stations}")
    check(len(browser.elements("main button.main")) == 1, "not one button is the main one")
    check(len(browser.elements("main button.second")) == 1, "not one button is the second one")
    check(len(browser.elements("nav a svg")) == 5, "a tab has no icon")
    check(browser.names("nav [aria-current=page]")[0][1] == "Ride", "the tab of the page is not marked")
    check(browser.elements(".back") == [], "a tab has a way back")
    browser.open(base + "account")
    check_borders(browser)
    browser.open(base + "ride")
    browser.run("document.querySelector('main a[href=\"/my-journeys\"]').click()")
    browser.expect("h1", "My journeys")
    browser.click("main button", "Get the statement")
    browser.expect("h1", "Statement")
    browser.click(".bar a", "Back")
    browser.expect("h1", "My journeys")
    browser.keys("\ue004")
    visible = browser.run("const r = document.activeElement.getBoundingClientRect();"
                          "return document.activeElement.className == 'skip' && r.left >= 0 && r.top >= 0 && r.width > 50")
    check(visible, "the link that skips the navigation cannot be seen")


def check_borders(browser):
    faint = browser.run(BORDERS)
    check(not faint, f"borders have too little contrast: {faint[:3]}")
    check(len(browser.elements("main button, main input")) > 1, "the page has no buttons and fields")

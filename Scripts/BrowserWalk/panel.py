"""What the walk expects of the panel beside the app, and of the layout at both sizes."""

from webdriver import check


def shown(browser, css):
    """The texts of the displayed elements."""
    return browser.run(f"return [...document.querySelectorAll({css!r})].filter(e => e.getClientRects().length)"
                       ".map(e => e.innerText)")


def panel(browser, base):
    """The panel says who asked whom for what, and can be filtered, paused and cleared, also across pages."""
    browser.open(base + "ride")
    browser.click("main button", "Enter the metro")
    browser.expect("[role=status]", "opens")
    browser.expect(".tap summary", "Tap “Enter the metro” on “Ride”")
    lines = shown(browser, ".tap[open] .call")
    check(any("Ride asks Gate to let the passenger through → passed at North Gate" in line for line in lines),
          f"no call of the gate in {lines}")
    browser.run("const s = document.querySelector('.tools select'); s.value = 'Gate'; s.dispatchEvent(new Event('change'))")
    for _ in range(2):
        lines = shown(browser, ".tap[open] .call")
        check(lines and all("Gate" in line for line in lines), f"the filter shows {lines}")
        browser.open(base + "ride")
        browser.expect("h1", "Ride")
    browser.run("const s = document.querySelector('.tools select'); s.value = ''; s.dispatchEvent(new Event('change'))")
    browser.click(".tools button", "Pause")
    newest = shown(browser, ".tap summary")[0]
    browser.open(base + "my-journeys")
    browser.expect("h1", "My journeys")
    check(shown(browser, ".tap summary")[0] == newest, "the pause shows a new tap")
    browser.click(".tools button", "Go on")
    check("Open “My journeys”" in shown(browser, ".tap summary")[0], "the panel does not go on")
    browser.click(".tools button", "Clear")
    check(shown(browser, ".tap") == [], "taps are left after they were cleared")
    browser.open(base + "ride")
    browser.expect(".tap[open] summary", "Open “Ride”")
    check(len(shown(browser, ".tap")) == 1, "cleared taps come back")
    browser.open(browser.run("return document.querySelector('.place a[href*=RideService]').href"))
    browser.expect(".here", "pi(type:")
    browser.expect("main", "xed --line ")
    check(browser.run("return document.querySelector('main p a').href").startswith("vscode://file/"), "no link to the editor")
    browser.open(base + "ride")
    browser.expect("h1", "Ride")
    faults = browser.run(ORDER)
    check(not faults, f"after a late change, the panel shows the taps {faults}")
    browser.click("main button", "Leave the metro")
    browser.expect("[role=status]", "opens")


# Shows 30 taps, and then changes of two older ones. Returns the numbers if the panel is not as it should be.
ORDER = """
const send = number => show(`<details class="tap" id="tap-${number}" data-number="${number}"><summary></summary></details>`)
for (let number = 1010; number <= 1300; number += 10) send(number)
send(1285), send(1005)
const shown = [...taps.children].map(tap => +tap.dataset.number + (tap.open ? " open" : ""))
const expected = ["1300 open", 1290, 1285]
for (let number = 1280; number > 1010; number -= 10) expected.push(number)
return `${shown}` === `${expected}` ? [] : shown
"""

# Returns the faults of the panel's layout, after opening all taps.
LAYOUT = """
const faults = [], taps = document.querySelector(".taps"), right = taps.getBoundingClientRect().left + taps.clientWidth
const order = ["app", "business", "common", "server"], shown = e => e.getClientRects().length > 0
const box = e => { const range = document.createRange(); range.selectNodeContents(e); return range.getBoundingClientRect() }
const touch = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
for (const key of document.querySelectorAll(".keys span"))
  if (shown(key) && box(key).right > right) faults.push("cut at the right edge: " + key.textContent)
for (const tap of taps.children) {
  tap.open = true
  const title = tap.querySelector("summary b").textContent, fault = text => faults.push(title + ": " + text)
  const names = [...tap.querySelectorAll(".names b")].filter(shown), lanes = [...tap.querySelectorAll(".lane")].filter(shown)
  names.forEach((a, i) => names.slice(i + 1).forEach(b => {
    if (touch(box(a), box(b))) fault(a.textContent + " touches " + b.textContent)
    if (order.indexOf(a.className) > order.indexOf(b.className)) fault(a.textContent + " stands before " + b.textContent)
    if (box(a).top !== box(b).top) fault(a.textContent + " stands above or below " + b.textContent)
  }))
  for (const e of [...names, ...lanes, ...tap.querySelectorAll(".text, .said, summary small")])
    if (box(e).right > right + .5) fault("cut at the right edge: " + e.textContent)
  const lifelines = tap.querySelector(".names")?.getBoundingClientRect()
  for (const text of tap.querySelectorAll(".text *, .said"))
    if (shown(text) && names.length && touch(text.matches(".said") ? text.getBoundingClientRect() : box(text), lifelines))
      fault("a text crosses the lifelines: " + text.textContent)
  for (const lane of lanes) for (const arrow of lane.children) {
    const [a, b] = [arrow.getBoundingClientRect(), lane.getBoundingClientRect()]
    if (a.left < b.left || a.right > b.right + .5 || a.top < b.top || a.bottom > b.bottom) fault("an arrow leaves its lane")
  }
}
if (taps.scrollWidth > taps.clientWidth) faults.push("the panel scrolls sideways")
taps.scrollTop = taps.scrollHeight
const last = taps.lastElementChild.getBoundingClientRect(), end = taps.getBoundingClientRect().bottom
if (last.bottom > end - 39) faults.push("the last tap ends " + (end - last.bottom) + " above the edge, where the panel fades")
taps.scrollTop = 0
return faults
"""


# Returns the texts whose type is smaller than 12 pixels.
SMALL = """
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), small = []
while (texts.nextNode()) {
  const text = texts.currentNode, e = text.parentElement
  if (text.data.trim() && e.getClientRects().length && !e.closest("script") && parseFloat(getComputedStyle(e).fontSize) < 12)
    small.push(text.data)
}
return small
"""

# Returns the buttons of the page that its tab bar cuts off.
CUT = """
const main = document.querySelector("main").getBoundingClientRect()
return [...document.querySelectorAll("main button.main, main button.second")]
  .filter(button => button.getBoundingClientRect().bottom > main.bottom).map(button => button.textContent)
"""


def check_type(browser):
    small = browser.run(SMALL)
    check(not small, f"these texts are smaller than 12 pixels: {small[:5]}")


def ride_fits(browser, base):
    """The buttons of a ride are on the screen, also below the longest message. It enters the metro and leaves it again."""
    browser.open(base + "ride")
    for button in ("Enter the metro", "Leave the metro"):
        browser.click("main button", button)
        browser.expect("[role=status]", "opens")
        cut = browser.run(CUT)
        check(not cut, f"after “{button}”, the tab bar cuts off {cut}")


def wide(browser, base):
    """Beside the app, no name touches another, nothing is cut, and no text crosses an arrow or a lifeline."""
    browser.size(1440, 900)
    browser.open(base + "ride")
    browser.expect("h1", "Ride")
    faults = browser.run(LAYOUT)
    check(not faults, "the panel at 1440 x 900: " + "; ".join(faults[:5]))
    check(len(browser.elements(".names b")) > 10 and len(browser.elements(".lane i")) > 10, "the panel has no arrows")
    whole = browser.run("return document.documentElement.scrollHeight <= innerHeight")
    check(whole, "the page at 1440 x 900 scrolls")
    check(len(shown(browser, ".keys.arrows span")) == 5, "the legend does not explain the arrows")
    check_type(browser)
    ride_fits(browser, base)
    # An error is red while its tap is folded.
    colours = browser.run("""
        const tap = document.querySelector(".tap:has(.errors)")
        tap.open = false
        const colour = e => getComputedStyle(e).color
        return [colour(tap.querySelector(".errors")), colour(tap.querySelector("summary"))]""")
    check(colours[0] != colours[1], f"errors have the colour {colours[0]} of the other texts")


def narrow(browser, base):
    """On a phone, the app fills the screen, its tabs stay at the bottom, and the panel is a sheet that one opens."""
    browser.size(390, 844)
    for page in ("", "ride", "my-journeys", "account"):
        browser.open(base + page)
        browser.expect("h1", "")
        fits = browser.run("return document.documentElement.scrollWidth <= 390 && document.documentElement.scrollHeight <= 844")
        check(fits, f"/{page} is larger than the screen of a phone")
        bottom = browser.run("return document.querySelector('nav').getBoundingClientRect().bottom")
        check(abs(bottom - 844) < 2, f"the tabs of /{page} end at {bottom}, not at the bottom")
        check(browser.text(".live") == "", f"the panel is open on /{page}")
    check_type(browser)
    ride_fits(browser, base)
    browser.click(".bar a", "What happened")
    browser.expect(".live h2", "What happened")
    check_type(browser)
    faults = browser.run(LAYOUT)
    check(not faults, "the sheet at 390 x 844: " + "; ".join(faults[:5]))
    browser.click(".live header a", "Close")
    browser.wait("the sheet to close", lambda: browser.text(".live") == "")

#!/usr/bin/env python3
"""Uses the app in a headless Chromium as a passenger would. Scripts/test --browser runs it.

usage: walk.py SHELL [--screenshot FILE]
  SHELL               the Shell's executable; the walk starts it with an empty data folder
  --screenshot FILE   write the picture of Apps/Shell/README.md

Exits with 0 if every step found what it expected, with 1 if not, and with 3 if there is no Chromium.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

from webdriver import Browser, Failure

PASSENGER = ("13800138000", "correct horse")


def programs():
    """The browser and its driver."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if chromium and driver:
        return chromium, driver
    print("walk: Chromium or its driver is missing. Install both: apt-get install chromium chromium-driver",
          file=sys.stderr)
    sys.exit(3)


def check(condition, message):
    if not condition:
        raise Failure(message)


def check_names(browser):
    """Every link, button and field must have a name that a screen reader can read."""
    browser.expect("h1", "")
    for css in ("a", "button", "input:not([type=hidden])", "select", ".taps", "summary"):
        for role, name in browser.names(css):
            check(name.strip(), f"an element ({css}, {role}) has no name on the page '{browser.text('h1')}'")
    for css, count in (("main", 1), ("h1", 1), ("nav", 1), ("[lang]", 1)):
        check(len(browser.elements(css)) == count, f"the page has not {count} {css}")


def log_in(browser, base):
    browser.open(base)
    browser.click("nav a", "Account")
    browser.expect("h1", "Account")
    check_names(browser)
    browser.fill("Mobile number", "138 0013 8000")
    browser.fill("Password", "wrong")
    browser.click("main button", "Log in")
    browser.expect("main [role=alert]", "The name or the password is wrong")
    check(browser.run("return document.activeElement.name") == "password", "the wrong field has no focus")
    browser.expect(".tap .said.bad", "wrong")
    browser.fill("Password", PASSENGER[1])
    browser.click("main button", "Log in")
    browser.expect("[role=status]", "Welcome")


def ride(browser):
    """Opens the service, picks a payment method, and takes a ride."""
    browser.click("nav a", "Ride")
    browser.expect("main [role=alert]", "open the ride service")
    browser.follow("Open the service")
    browser.expect("h1", "Open the ride service")
    check_names(browser)
    browser.press("I have read the terms and agree to them")
    browser.click("main button", "Open the service")
    browser.expect("h1", "Payment methods")
    browser.follow("Balance")
    browser.expect("[role=status]", "Balance")
    check_names(browser)
    browser.click("nav a", "Ride")
    browser.expect("output", "")
    browser.click("main button", "Enter the metro")
    browser.expect("[role=status]", "opens")
    browser.wait("an address without the message", lambda: "@" not in browser.run("return location.href"))
    check_names(browser)
    browser.click("main button", "Leave the metro")
    browser.expect("[role=status]", "from the balance")


def contents(browser, base):
    """Links lead to real pages, the statement can be saved, and addresses contain no names of the code."""
    browser.open(base)
    browser.follow("Ride to the harbour")
    browser.expect("main article h2", "Ride to the harbour this spring")
    browser.open(base + "my-journeys")
    browser.click("main button", "Get the statement")
    browser.expect("main", "The operator has charged you for 1 journey.")
    browser.click("main a", "Save the statement")
    browser.wait("the statement", lambda: os.path.exists(os.path.join(browser.downloads, "statement.txt")))
    with open(os.path.join(browser.downloads, "statement.txt"), encoding="utf-8") as file:
        check(file.read().startswith("North Gate - "), "the statement is empty")
    browser.open(base + "nowhere")
    browser.follow("Go to Home")
    browser.expect("h1", "Home")
    for page in ("Ride", "Payment", "Journeys", "Account", "Home"):
        browser.click("nav a", page)
        browser.wait(page, lambda: browser.text("nav [aria-current]") == page)
        address = browser.run("return location.href + document.title")
        check("_vc" not in address and "@" not in address, f"a name of the code is in the address {address}")


def try_it(browser, base):
    """A module is taken out and put back from the page."""
    browser.open(base)
    browser.click(".bar a", "Try it")
    browser.expect("h1", "Try it")
    check_names(browser)
    browser.follow("Journey")
    browser.expect("main [role=status]", "The app runs without Journey now.")
    browser.click("nav a", "Journeys")
    browser.expect("main [role=alert]", "Journey is not in this app.")
    browser.expect(".tap[open] .bad", "the module Journey is not in this app")
    browser.click(".bar a", "Try it")
    browser.follow("Journey")
    browser.expect("main [role=status]", "Journey is in the app again.")
    browser.click("nav a", "Journeys")
    browser.expect("h1", "My journeys")


def stopped(browser, shell):
    """A page says that the app does not answer."""
    check(browser.text(".stopped") == "", "the page says that the app does not answer")
    shell.terminate()
    shell.wait(30)
    browser.expect(".stopped", "The app does not answer.")


def live(browser):
    """The panel grows without a reload, and a reload does not repeat a message."""
    browser.click("nav a", "Journeys")
    browser.expect("h1", "My journeys")
    check(len(browser.elements("main .rows li")) == 1, "not one journey")
    before = len(browser.elements(".tap"))
    browser.run("fetch('/home')")
    browser.wait("a new tap in the panel", lambda: len(browser.elements(".tap")) > before)
    browser.wait("the newest tap to be the open one", lambda: browser.run(
        "return [...document.querySelectorAll('.tap')].map(tap => tap.open).lastIndexOf(true) === 0"))
    browser.click("nav a", "Home")
    browser.run("history.back()")
    browser.expect("h1", "My journeys")


def keyboard(browser, base):
    """The first Tab leads to a link that skips the navigation, and Return submits a form."""
    browser.open(base + "account")
    browser.keys("\ue004")
    check(browser.run("return document.activeElement.textContent") == "Skip to the page", "no way to skip")
    browser.click("main button", "Log out")
    browser.expect("[role=status]", "logged out")
    browser.fill("Mobile number", PASSENGER[0])
    browser.fill("Password", PASSENGER[1] + "\ue007")
    browser.expect("[role=status]", "Welcome")


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
    check(any("Ride asks Gate pass(station: “North Gate”) → passed at North Gate" in line for line in lines),
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
    browser.click("main button", "Leave the metro")
    browser.expect("[role=status]", "opens")


# Returns the faults of the panel's layout, after opening all taps.
LAYOUT = """
const faults = [], taps = document.querySelector(".taps"), right = taps.getBoundingClientRect().left + taps.clientWidth
const order = ["app", "business", "common", "server"], shown = e => e.getClientRects().length > 0
const box = e => { const range = document.createRange(); range.selectNodeContents(e); return range.getBoundingClientRect() }
const touch = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
for (const tap of taps.children) {
  tap.open = true
  const title = tap.querySelector("summary b").textContent, fault = text => faults.push(title + ": " + text)
  const names = [...tap.querySelectorAll(".names b")].filter(shown), lanes = [...tap.querySelectorAll(".lane")].filter(shown)
  names.forEach((a, i) => names.slice(i + 1).forEach(b => {
    if (touch(box(a), box(b))) fault(a.textContent + " touches " + b.textContent)
    if (order.indexOf(a.className) > order.indexOf(b.className)) fault(a.textContent + " stands before " + b.textContent)
  }))
  for (const e of [...names, ...lanes, ...tap.querySelectorAll(".text, .said, summary small")])
    if (box(e).right > right + .5) fault("cut at the right edge: " + e.textContent)
  for (const text of [...tap.querySelectorAll(".text *, .said"), ...names])
    if (shown(text) && lanes.some(lane => touch(text.matches(".said") ? text.getBoundingClientRect() : box(text),
        lane.getBoundingClientRect()))) fault("a text crosses the lifelines: " + text.textContent)
  for (const lane of lanes) for (const arrow of lane.children) {
    const [a, b] = [arrow.getBoundingClientRect(), lane.getBoundingClientRect()]
    if (a.left < b.left || a.right > b.right + .5 || a.top < b.top || a.bottom > b.bottom) fault("an arrow leaves its lane")
  }
}
if (taps.scrollWidth > taps.clientWidth) faults.push("the panel scrolls sideways")
return faults
"""


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
    browser.click(".bar a", "What happened")
    browser.expect(".live h2", "What happened")
    faults = browser.run(LAYOUT)
    check(not faults, "the sheet at 390 x 844: " + "; ".join(faults[:5]))
    browser.click(".live header a", "Close")
    browser.wait("the sheet to close", lambda: browser.text(".live") == "")


def walk(shell, base, screenshot):
    chromium, driver = programs()
    with Browser(chromium, driver, scripts=False) as browser:
        browser.size(1440, 900)
        log_in(browser, base)
        print("walk: logged in without scripts")
    with Browser(chromium, driver) as browser:
        browser.size(1440, 900)
        browser.open(base)
        check_names(browser)
        ride(browser)
        print("walk: took a ride")
        if screenshot:
            browser.wait("the picture", lambda: browser.run("return document.readyState == 'complete'"))
            browser.screenshot(screenshot)
        live(browser)
        contents(browser, base)
        try_it(browser, base)
        keyboard(browser, base)
        wide(browser, base)
        panel(browser, base)
        narrow(browser, base)
        errors = [error for error in browser.errors() if "(Not Found)" not in error]
        check(not errors, "the browser logged: " + "; ".join(errors))
    with Browser(chromium, driver, dark=True) as browser:
        browser.size(1440, 900)
        browser.open(base)
        check(browser.run("return matchMedia('(prefers-color-scheme: dark)').matches"), "not dark")
        background = browser.run("return getComputedStyle(document.body).backgroundColor")
        check(sum(map(int, re.findall(r"\d+", background)[:3])) < 150, f"not dark: {background}")
        stopped(browser, shell)
    print("walk: passed")


def main(arguments):
    screenshot = None
    if len(arguments) == 3 and arguments[1] == "--screenshot":
        screenshot = arguments[2]
    elif len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    programs()
    with tempfile.TemporaryDirectory() as data:
        shell = subprocess.Popen(
            [os.path.abspath(arguments[0]), "app", "--no-browser", "--data", data], stdout=subprocess.PIPE,
            text=True)
        try:
            address = re.search(r"http://\S+/", shell.stdout.readline() or "")
            check(address, "the Shell printed no address")
            walk(shell, address.group(), screenshot)
            return 0
        except Failure as failure:
            print(f"walk: {failure}", file=sys.stderr)
            return 1
        finally:
            shell.terminate()
            shell.wait(30)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

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
    for css in ("a", "button", "input:not([type=hidden])", "select", "ol.calls"):
        for role, name in browser.names(css):
            check(name.strip(), f"an element ({css}, {role}) has no name on the page '{browser.text('h1')}'")
    for css, count in (("main", 1), ("h1", 1), ("nav", 1), ("[lang]", 1)):
        check(len(browser.elements(css)) == count, f"the page has not {count} {css}")


def log_in(browser, base):
    browser.open(base)
    browser.click("nav a", "Account")
    browser.expect("h1", "Account")
    check_names(browser)
    browser.fill("Mobile number", PASSENGER[0])
    browser.fill("Password", "wrong")
    browser.click("main button", "Log in")
    browser.expect("[role=alert]", "wrong")
    browser.fill("Password", PASSENGER[1])
    browser.click("main button", "Log in")
    browser.expect("[role=status]", "Welcome")


def ride(browser):
    """Opens the service, picks a payment method, and takes a ride."""
    browser.click("nav a", "Ride")
    browser.expect("[role=alert]", "open the ride service")
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
    check_names(browser)
    browser.click("main button", "Leave the metro")
    browser.expect("[role=status]", "from the balance")


def live(browser):
    """The live view grows without a reload, and a reload does not repeat a message."""
    browser.click("nav a", "Journeys")
    browser.expect("h1", "My journeys")
    check(len(browser.elements("main .rows li")) == 1, "not one journey")
    before = len(browser.elements(".calls li"))
    browser.run("fetch('/home_vc')")
    browser.wait("new calls in the live view", lambda: len(browser.elements(".calls li")) > before)
    browser.click("nav a", "Home")
    browser.run("history.back()")
    browser.expect("h1", "My journeys")


def keyboard(browser, base):
    """The first Tab leads to a link that skips the navigation, and Return submits a form."""
    browser.open(base + "user_vc")
    browser.keys("\ue004")
    check(browser.run("return document.activeElement.textContent") == "Skip to the page", "no way to skip")
    browser.click("main button", "Log out")
    browser.expect("[role=status]", "logged out")
    browser.fill("Mobile number", PASSENGER[0])
    browser.fill("Password", PASSENGER[1] + "\ue007")
    browser.expect("[role=status]", "Welcome")


def narrow(browser, base):
    """On a phone, nothing is wider than the screen."""
    browser.size(500, 900)
    for page in ("home_vc", "ride_vc", "user_vc"):
        browser.open(base + page)
        wide = browser.run("return document.documentElement.scrollWidth > innerWidth")
        check(not wide, f"{page} is wider than the screen")


def walk(base, screenshot):
    chromium, driver = programs()
    with Browser(chromium, driver, scripts=False) as browser:
        log_in(browser, base)
        print("walk: logged in without scripts")
    with Browser(chromium, driver) as browser:
        browser.size(1280, 860)
        browser.open(base)
        check_names(browser)
        ride(browser)
        print("walk: took a ride")
        if screenshot:
            browser.size(1440, 860)
            browser.open(base + "ride_vc")
            browser.wait("the picture", lambda: browser.run("return document.readyState == 'complete'"))
            browser.screenshot(screenshot)
        live(browser)
        keyboard(browser, base)
        narrow(browser, base)
        errors = browser.errors()
        check(not errors, "the browser logged: " + "; ".join(errors))
    with Browser(chromium, driver, dark=True) as browser:
        browser.open(base)
        check(browser.run("return matchMedia('(prefers-color-scheme: dark)').matches"), "not dark")
        background = browser.run("return getComputedStyle(document.body).backgroundColor")
        check(sum(map(int, re.findall(r"\d+", background)[:3])) < 150, f"not dark: {background}")
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
            walk(address.group(), screenshot)
            return 0
        except Failure as failure:
            print(f"walk: {failure}", file=sys.stderr)
            return 1
        finally:
            shell.terminate()
            shell.wait(30)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

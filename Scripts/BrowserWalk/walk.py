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

from looks import check_borders, looks
from panel import narrow, panel, shown, wide
from webdriver import Browser, Failure, check

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
    browser.wait("the focus on the wrong field", lambda: browser.run(
        "return document.activeElement.name") == "password")
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
    check(not any("Try it" in title for title in shown(browser, ".tap summary")), "the panel has a tap without lines")
    browser.follow("Journey")
    browser.expect("main [role=status]", "The app runs without Journey now: you can ride, but no journey is kept.")
    browser.follow("See it on “Journeys”")
    browser.expect("main [role=alert]", "Journey is not in this app.")
    browser.expect("main .missing", "The module Journey is missing: App asked for it in vain.")
    browser.expect(".tap[open] .bad", "App opens a page of Journey → not in this app")
    browser.click(".bar a", "Try it")
    browser.expect("main", "Asked for it in vain: App (1 time).")
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
        looks(browser, base)
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
        browser.open(base + "try")
        check_borders(browser)
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

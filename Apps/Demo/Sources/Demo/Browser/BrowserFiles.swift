/// The style sheet of the app in the browser.
enum BrowserFiles {
    /// The colours are the system's, light or dark, and a few that have contrast on both.
    static let style = """
        :root { color-scheme: light dark; --blue: #1f75cc; --line: #8886; --good: light-dark(#137333, #6dd58c);
          --bad: light-dark(#b3261e, #ff8a80); --app: light-dark(#5f6368, #bdc1c6); --business: light-dark(#1a5fb4, #8ab4f8);
          --common: light-dark(#7b3fa0, #d7aefb); --server: light-dark(#8a5000, #fbbc6b) }
        * { box-sizing: border-box }
        body { margin: 0; display: grid; grid-template-columns: minmax(20rem, 24rem) minmax(0, 1fr); gap: 1.5rem;
          padding: 1.5rem; background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif }
        .skip { position: absolute; left: -99rem; background: Canvas; padding: .4rem .8rem; border-radius: .6rem }
        .skip:focus { left: 1rem; top: .5rem; z-index: 3 }
        .phone, .live { border: 1px solid var(--line); border-radius: 1.25rem; overflow: hidden; display: flex;
          flex-direction: column; height: calc(100vh - 3rem) }
        .bar, .main { background: var(--blue); color: #fff; font-weight: 700 }
        .bar { padding: .6rem 1.25rem; display: flex; justify-content: space-between } .bar a { color: inherit }
        main { flex: 1; overflow: auto; padding: 1rem 1.25rem } h1, h2 { margin: 0 }
        small { display: block; opacity: .75 }
        .message, .failure { padding: .4rem .9rem; border-left: .4rem solid var(--good) }
        .failure { border-color: var(--bad) }
        nav { display: flex; border-top: 1px solid var(--line) }
        nav a { flex: 1; padding: .8rem .2rem; text-align: center; font-size: .85rem; color: inherit; text-decoration: none }
        nav a[aria-current] { font-weight: 700; box-shadow: inset 0 3px var(--blue) }
        label { display: block; margin: .8rem 0 .25rem; font-weight: 600 }
        button, select, input:not([type=checkbox]) { width: 100%; padding: .6rem .75rem; border: 1px solid var(--line);
          border-radius: .6rem; font: inherit; margin: .5rem 0 }
        .button { display: block; padding: .6rem .75rem; border-radius: .6rem; text-align: center; text-decoration: none }
        .web { border: 1px solid var(--line); border-radius: .9rem; padding: .5rem 1.25rem } .stopped { position: fixed;
          inset: 0 0 auto; z-index: 4; margin: 0; padding: .6rem 1.25rem; background: var(--bad); color: Canvas; font-weight: 700 }
        .stopped[hidden] { display: none }
        .rows { list-style: none; margin: .8rem 0; padding: 0 }
        .rows a, .rows div, .rows button { display: flex; padding: .75rem; border: 0; border-bottom: 1px solid var(--line);
          border-radius: 0; margin: 0; text-align: left; background: none; color: inherit; text-decoration: none }
        .rows span { flex: 1 } .rows a::after, .rows button::after { content: "\\203A" }
        .rows [aria-current]::after { content: "\\2713"; font-weight: 700 }
        .code { padding: 1.2rem; text-align: center; border: 2px dashed var(--blue); border-radius: .9rem }
        output { display: block; font: 700 1.35rem/1.3 ui-monospace, monospace; overflow-wrap: anywhere }
        @media (max-width: 52rem) {
          body { grid-template-columns: minmax(0, 1fr); padding: 0 }
          .phone { height: 100dvh; border: 0; border-radius: 0 }
        }
        """
}

/// The style sheet of the app in the browser.
enum BrowserFiles {
    /// The colours are the system's, light or dark, and a few that have contrast on both.
    static let style = """
        :root { color-scheme: light dark; --blue: #1f75cc; --line: light-dark(#858585, #808080); --soft: #8885; --good: light-dark(#137333, #6dd58c);
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
        .bar { padding: .6rem 1.25rem; display: flex; gap: 1rem } .bar a { color: inherit } .bar span { flex: 1 }
        .back::before { content: "\\2039\\A0" / "" }
        main { flex: 1; overflow: auto; padding: 1rem 1.25rem; overflow-wrap: anywhere } h1, h2 { margin: 0; line-height: 1.3 }
        main p { margin: .7rem 0 }
        small { display: block; opacity: .75 }
        .message, .failure { padding: .4rem .9rem; border-left: .4rem solid var(--good) }
        .failure { border-color: var(--bad) }
        .missing { padding: .4rem .9rem; border: 1px dashed var(--bad); border-radius: .6rem; font-size: .9rem }
        .missing a { color: inherit }
        nav { display: flex; border-top: 1px solid var(--line) }
        nav a { flex: 1; padding: .5rem .1rem .45rem; text-align: center; font-size: .78rem; color: inherit;
          text-decoration: none; border-top: 3px solid transparent }
        nav svg { width: 1.5rem; height: 1.5rem; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round;
          stroke-linejoin: round } nav span { display: block }
        nav a[aria-current] { font-weight: 700; color: var(--business); border-color: currentColor }
        label { display: block; margin: .8rem 0 .25rem; font-weight: 600 }
        button, select, input:not([type=checkbox], [type=radio]) { width: 100%; min-height: 2.75rem; padding: .6rem .75rem;
          border: 1px solid var(--line); border-radius: .6rem; font: inherit; font-weight: 400; margin: .35rem 0;
          background: Canvas; color: CanvasText }
        .main, button.main { background: var(--blue); color: #fff; border-color: var(--blue); font-weight: 700 }
        main form > .main { position: sticky; bottom: 0; box-shadow: 0 0 0 .3rem Canvas }
        button.second { color: var(--business); border-color: currentColor; font-weight: 600 }
        [aria-invalid] { border-color: var(--bad) } .box { display: flex; gap: .75rem; align-items: center; min-height: 2.75rem;
          font-weight: 400 } [type=checkbox], [type=radio] { width: 1.35rem; height: 1.35rem; flex: none; margin: 0;
          accent-color: var(--blue) }
        .line { margin: .8rem 0; padding: 0; border: 0 } .line legend { font-weight: 600; padding: 0 }
        .line label { display: flex; gap: .75rem; align-items: center; margin: 0; padding: .2rem 0; font-weight: 400;
          background: linear-gradient(var(--blue), var(--blue)) .55rem 0 / .3rem 100% no-repeat }
        .line legend + label { background-position: .55rem 100%; background-size: .3rem 50% }
        .line label:last-of-type { background-size: .3rem 50% }
        .button { display: block; padding: .6rem .75rem; border-radius: .6rem; text-align: center; text-decoration: none }
        .web { border: 1px solid var(--line); border-radius: .9rem; padding: .5rem 1.25rem } .stopped { position: fixed;
          inset: 0 0 auto; z-index: 4; margin: 0; padding: .6rem 1.25rem; background: var(--bad); color: Canvas; font-weight: 700 }
        .stopped[hidden] { display: none }
        .rows { list-style: none; margin: .8rem 0; padding: 0 }
        .rows a, .rows div, .rows button { display: flex; padding: .75rem; border: 0; border-bottom: 1px solid var(--soft);
          border-radius: 0; margin: 0; text-align: left; background: none; color: inherit; text-decoration: none }
        .rows span { flex: 1 } .rows a::after, .rows button::after { content: "\\203A" }
        .rows [aria-current]::after { content: "\\2713"; font-weight: 700 }
        .code { display: flex; align-items: center; gap: 1rem; padding: .6rem; margin: .6rem 0; border: 1px solid var(--line);
          border-radius: .9rem }
        output { display: block; font: 600 .95rem/1.3 ui-monospace, monospace; overflow-wrap: anywhere }
        .qr { flex: none; width: 9rem; shape-rendering: crispEdges } .qr rect { fill: #fff }
        @media (max-width: 52rem) {
          body { grid-template-columns: minmax(0, 1fr); padding: 0 }
          .phone { height: 100dvh; border: 0; border-radius: 0 }
        }
        """
}

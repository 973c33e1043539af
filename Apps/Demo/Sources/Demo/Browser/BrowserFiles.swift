/// The style sheet, the script and the icon of the app in the browser.
enum BrowserFiles {
    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6bcb"/>\
        <path d="M7 24V9l9 9 9-9v15" fill="none" stroke="#fff" stroke-width="3.5" stroke-linejoin="round"/></svg>
        """

    /// Appends the calls that the server streams.
    static let script = """
        const list = document.querySelector(".calls")
        const toEnd = () => { list.scrollTop = list.scrollHeight }
        toEnd()
        let source = list.dataset.source, stream = null
        const show = event => {
          const [head, rows] = event.data.split("\\n"), space = head.indexOf(" ")
          list.style.setProperty("--n", head.slice(0, space))
          list.firstElementChild.outerHTML = head.slice(space + 1)
          list.insertAdjacentHTML("beforeend", rows)
          source = source.replace(/after=\\d+/, "after=" + event.lastEventId)
          toEnd()
        }
        // A hidden tab gives up its connection, because a browser opens at most six to a server.
        const follow = () => {
          stream = stream?.close() ?? null
          if (!document.hidden) (stream = new EventSource(source)).onmessage = show
        }
        document.addEventListener("visibilitychange", follow)
        follow()
        """

    static let style = """
        :root { color-scheme: light dark; --ink: #16202c; --soft: #5b6878; --line: #d5dce4; --back: #eef2f6; --card: #fff;
          --blue: #0b6bcb; --on-blue: #fff; --good: #e3f4e8; --good-ink: #14532d; --bad: #fdeaea; --bad-ink: #9b1c1c }
        @media (prefers-color-scheme: dark) { :root { --ink: #e8edf3; --soft: #9aa8b8; --line: #334155; --back: #0e141b;
          --card: #18212b; --blue: #6cb6ff; --on-blue: #0b1622; --good: #12331f; --good-ink: #b7ebc6; --bad: #3d1a1d;
          --bad-ink: #ffb4b4 } }
        * { box-sizing: border-box }
        body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: minmax(20rem, 24rem) minmax(0, 1fr);
          gap: 1.5rem; padding: 1.5rem; background: var(--back); color: var(--ink);
          font: 1rem/1.5 system-ui, sans-serif }
        .skip { position: absolute; left: -99rem } .skip:focus { left: 1rem; top: .5rem }
        :focus-visible { outline: 3px solid var(--blue); outline-offset: 2px }
        .phone, .live { background: var(--card); border: 1px solid var(--line); border-radius: 1.25rem; overflow: hidden;
          display: flex; flex-direction: column; max-height: calc(100vh - 3rem) }
        .phone { min-height: min(42rem, calc(100vh - 3rem)) }
        header { background: var(--blue); color: var(--on-blue); padding: .6rem 1.25rem }
        header p { margin: 0; font-weight: 700; letter-spacing: .04em }
        main { flex: 1; overflow: auto; padding: 1rem 1.25rem } h1 { margin: 0 0 .75rem; font-size: 1.6rem }
        main p { margin: .5rem 0 }
        .message, .failure { padding: .6rem .9rem; border-radius: .6rem }
        .message { background: var(--good); color: var(--good-ink) }
        .failure { background: var(--bad); color: var(--bad-ink) }
        nav { display: flex; border-top: 1px solid var(--line) }
        nav a { flex: 1; padding: .8rem .2rem; text-align: center; font-size: .85rem; color: var(--soft);
          text-decoration: none }
        nav a[aria-current] { color: var(--blue); font-weight: 700; box-shadow: inset 0 3px var(--blue) }
        form { margin: 0 } label { display: block; margin: .8rem 0 .25rem; font-weight: 600 }
        input, select, button { font: inherit; color: inherit }
        input:not([type=checkbox]), select { width: 100%; padding: .6rem .75rem; border: 1px solid var(--soft);
          border-radius: .6rem; background: var(--card) }
        [aria-invalid] { border-color: var(--bad-ink) !important }
        .box { display: flex; gap: .6rem; align-items: center; margin: .8rem 0 } .box label { margin: 0 }
        input[type=checkbox] { width: 1.3rem; height: 1.3rem; accent-color: var(--blue) }
        .main { width: 100%; margin: .9rem 0 .2rem; padding: .75rem; border: 0; border-radius: .6rem; font-weight: 700;
          background: var(--blue); color: var(--on-blue); cursor: pointer }
        form ~ form .main { background: none; color: var(--blue); box-shadow: inset 0 0 0 2px var(--blue) }
        .rows { list-style: none; margin: .8rem 0; padding: 0; border: 1px solid var(--line); border-radius: .75rem;
          overflow: hidden }
        .rows li + li { border-top: 1px solid var(--line) }
        .rows a, .rows div, .rows button { display: flex; width: 100%; padding: .75rem 1rem; border: 0; text-align: left;
          background: none; color: inherit; text-decoration: none }
        .rows a, .rows button { cursor: pointer } .rows span { flex: 1 } .rows small { display: block; color: var(--soft) }
        .rows a::after, .rows button::after { content: "\\203A"; color: var(--soft) }
        .rows [aria-current]::after { content: "\\2713"; color: var(--blue); font-weight: 700 }
        .rows a:hover, .rows button:hover { background: var(--back) }
        figure { margin: 1rem 0; padding: 1.2rem; text-align: center; border: 2px dashed var(--blue); border-radius: .9rem }
        output { font: 700 1.35rem/1.3 ui-monospace, monospace; overflow-wrap: anywhere } figcaption { color: var(--soft) }
        .live h2 { margin: 1rem 1.25rem 0; font-size: 1.15rem } .hint { margin: 0 1.25rem .5rem; color: var(--soft);
          font-size: .85rem }
        .calls { list-style: none; margin: 0; padding: 0; flex: 1; overflow: auto; --c: max(5.6rem, 100% / var(--n)) }
        .calls li { display: grid; grid-template-columns: repeat(var(--n), var(--c)); min-width: 100%;
          width: calc(5.6rem * var(--n)); background: linear-gradient(90deg, transparent calc(50% - .5px), var(--line)
          calc(50% - .5px) calc(50% + .5px), transparent calc(50% + .5px)) 0 0 / calc(100% / var(--n)) 100% }
        .calls .names { position: sticky; top: 0; z-index: 1; background: var(--card); padding: .3rem 0 }
        .names b { justify-self: center; padding: .15rem .3rem; border: 1px solid var(--blue); border-radius: .5rem;
          font-size: .72rem; color: var(--blue); max-width: 100%; align-self: end; text-align: center; line-height: 1.2 }
        .step span, .said span { grid-column: 1 / -1; justify-self: start; margin: .7rem .8rem .2rem; padding: .1rem .6rem;
          border-radius: 1rem; background: var(--blue); color: var(--on-blue); font-size: .8rem; position: sticky; left: .8rem }
        .said span { margin: .25rem .8rem; background: var(--good); color: var(--good-ink) }
        .said.bad span { background: var(--bad); color: var(--bad-ink) }
        .arrow { grid-column: var(--a) / span var(--w); margin: 0 calc(50% / var(--w)); padding-top: .3rem; position: relative;
          text-align: center; white-space: nowrap; line-height: 1.25; border-bottom: 2px solid var(--ink); min-height: 2.3rem;
          display: flex; flex-direction: column; align-items: center; justify-content: flex-end }
        .arrow code { font-size: .75rem; background: var(--card) } .arrow small { font-size: .68rem; color: var(--soft);
          background: var(--card) }
        .arrow::after { content: ""; position: absolute; bottom: -6px; border: 5px solid transparent }
        .right .arrow::after { right: -1px; border-left: 8px solid var(--ink); border-right: 0 }
        .left .arrow::after { left: -1px; border-right: 8px solid var(--ink); border-left: 0 }
        .route .arrow, .action .arrow { border-bottom-style: dashed } .self .arrow { border-bottom: 0 }
        .absent .arrow { border-color: var(--bad-ink); color: var(--bad-ink) }
        .who { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
        @media (max-width: 52rem) { body { grid-template-columns: minmax(0, 1fr); padding: 0; gap: 1rem }
          .phone { border-radius: 0; border-width: 0 0 1px; max-height: none } .live { border-radius: 0; max-height: 70vh } }
        """
}

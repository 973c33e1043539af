/// The style sheet and the script of the app in the browser.
enum BrowserFiles {
    /// Appends the calls that the server streams.
    static let script = """
        const list = document.querySelector(".calls"), toEnd = () => { list.scrollTop = list.scrollHeight }
        let stream
        // A hidden tab gives up its connection, because a browser opens at most six to a server.
        const follow = () => {
          stream?.close()
          if (document.hidden) return
          stream = new EventSource("/calls?after=" + list.dataset.end)
          stream.onmessage = event => {
            const [names, rows] = event.data.split("\\n")
            list.firstElementChild.outerHTML = names
            list.style.setProperty("--n", list.firstElementChild.childElementCount)
            list.insertAdjacentHTML("beforeend", rows)
            list.dataset.end = event.lastEventId
            toEnd()
          }
        }
        document.addEventListener("visibilitychange", follow)
        follow()
        toEnd()
        """

    /// The colours are the system's, light or dark, and one blue.
    static let style = """
        :root { color-scheme: light dark; --blue: #1f75cc; --line: #8886 }
        * { box-sizing: border-box }
        body { margin: 0; display: grid; grid-template-columns: minmax(20rem, 24rem) minmax(0, 1fr); gap: 1.5rem;
          padding: 1.5rem; background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif }
        .skip { position: absolute; left: -99rem } .skip:focus { left: 1rem; top: .5rem }
        .phone, .live { border: 1px solid var(--line); border-radius: 1.25rem; overflow: hidden; display: flex;
          flex-direction: column; height: calc(100vh - 3rem) }
        header, .main, .step span { background: var(--blue); color: #fff; font-weight: 700 }
        header { padding: .6rem 1.25rem } main { flex: 1; overflow: auto; padding: 1rem 1.25rem } h1, h2 { margin: 0 }
        small { display: block; opacity: .75 }
        .message, .failure { padding: .4rem .9rem; border-left: .4rem solid green } .failure { border-color: #d33 }
        nav { display: flex; border-top: 1px solid var(--line) }
        nav a { flex: 1; padding: .8rem .2rem; text-align: center; font-size: .85rem; color: inherit; text-decoration: none }
        nav a[aria-current] { font-weight: 700; box-shadow: inset 0 3px var(--blue) }
        label { display: block; margin: .8rem 0 .25rem; font-weight: 600 }
        button, select, input:not([type=checkbox]) { width: 100%; padding: .6rem .75rem; border: 1px solid var(--line);
          border-radius: .6rem; font: inherit; margin: .5rem 0 }
        .rows { list-style: none; margin: .8rem 0; padding: 0 }
        .rows a, .rows div, .rows button { display: flex; padding: .75rem; border: 0; border-bottom: 1px solid var(--line);
          border-radius: 0; margin: 0; text-align: left; background: none; color: inherit; text-decoration: none }
        .rows span { flex: 1 } .rows a::after, .rows button::after { content: "\\203A" }
        .rows [aria-current]::after { content: "\\2713"; font-weight: 700 }
        .code { padding: 1.2rem; text-align: center; border: 2px dashed var(--blue); border-radius: .9rem }
        output { display: block; font: 700 1.35rem/1.3 ui-monospace, monospace; overflow-wrap: anywhere }
        .live h2 { margin: .6rem 1.25rem 0 } .calls { list-style: none; margin: 0; padding: 0; overflow: auto }
        .calls li { display: grid; grid-template-columns: repeat(var(--n), max(5.6rem, 100% / var(--n))); min-width: 100%;
          width: calc(5.6rem * var(--n)); background: linear-gradient(90deg, transparent calc(50% - .5px), var(--line)
          calc(50% - .5px) calc(50% + .5px), transparent calc(50% + .5px)) 0 0 / calc(100% / var(--n)) 100% }
        .calls .names { position: sticky; top: 0; z-index: 1; background: Canvas; text-align: center; font-size: .72rem }
        .step span, .said span { grid-column: 1 / -1; justify-self: start; position: sticky; left: .8rem; margin: .3rem .8rem;
          padding: .1rem .6rem; border-radius: 1rem; font-size: .8rem }
        .said span { background: Canvas; border: 1px solid green } .said.bad span { border-color: #d33 }
        .arrow { grid-column: var(--a) / span var(--w); margin: 0 calc(50% / var(--w)); padding-top: .3rem; position: relative;
          text-align: center; white-space: nowrap; line-height: 1.25; border-bottom: 2px solid; font-size: .75rem }
        .arrow code, .arrow small { background: Canvas; width: fit-content; margin: auto }
        .arrow::after { content: ""; position: absolute; bottom: -6px; border: 5px solid transparent }
        .right .arrow::after { right: -1px; border-left: 8px solid; border-right: 0 }
        .left .arrow::after { left: -1px; border-right: 8px solid; border-left: 0 }
        .route .arrow, .action .arrow { border-bottom-style: dashed } .self .arrow { border-bottom: 0 }
        .who { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
        @media (max-width: 52rem) { body { grid-template-columns: minmax(0, 1fr); padding: 0 } .phone, .live { height: auto } }
        """
}

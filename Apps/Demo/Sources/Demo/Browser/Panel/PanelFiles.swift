/// The style sheet and the script of the panel.
enum PanelFiles {
    /// Shows the taps that the server streams, and filters, pauses and clears the panel. These choices outlive the page, since
    /// each tap loads a new one.
    static let script = """
        const panel = document.querySelector(".live"), taps = panel.querySelector(".taps")
        const modules = panel.querySelector(".tools select"), pause = panel.querySelector(".pause")
        // The filter's module, the last tap before the pause, and the last tap that was cleared.
        const choice = { module: "", paused: 0, cleared: 0, ...JSON.parse(sessionStorage.getItem(taps.dataset.run) ?? "{}") }
        const newest = () => Math.max(0, ...[...taps.children].map(tap => +tap.dataset.number))
        const names = line => line.dataset.modules.split(" ")
        const choose = changes => {
          sessionStorage.setItem(taps.dataset.run, JSON.stringify(Object.assign(choice, changes)))
          update()
        }
        const update = () => {
          const all = new Set([...taps.querySelectorAll(".call")].flatMap(names).concat(choice.module || []))
          const known = new Set([...modules.options].map(option => option.value))
          for (const name of [...all].sort()) if (!known.has(name)) modules.add(new Option(name))
          modules.value = choice.module
          pause.setAttribute("aria-pressed", choice.paused > 0)
          pause.textContent = choice.paused > 0 ? "Go on" : "Pause"
          for (const tap of taps.children) {
            const lines = [...tap.querySelectorAll(".call")], number = +tap.dataset.number
            for (const line of lines) line.hidden = choice.module !== "" && !names(line).includes(choice.module)
            tap.hidden = number <= choice.cleared || (choice.paused > 0 && number > choice.paused)
              || (choice.module !== "" && lines.every(line => line.hidden))
          }
        }
        modules.addEventListener("change", () => choose({ module: modules.value }))
        pause.addEventListener("click", () => choose({ paused: choice.paused > 0 ? 0 : Math.max(1, newest()) }))
        panel.querySelector(".clear").addEventListener("click", () => choose({ cleared: newest() }))
        panel.querySelector(".tools").hidden = false
        update()

        // The address keeps no trace of the message above the page, which a reload does not repeat.
        const address = new URL(location)
        if (address.searchParams.has("\(FormName.done)")) {
          address.searchParams.delete("\(FormName.done)")
          history.replaceState(null, "", address)
        }

        const stopped = document.querySelector(".stopped")
        let stream
        const show = html => {
          const box = document.createElement("template")
          box.innerHTML = html
          const tap = box.content.firstElementChild, old = document.getElementById(tap.id)
          if (old) {
            tap.open = old.open
            old.replaceWith(tap)
          } else {
            // A tap that the panel has dropped may still change, and stays older than the others.
            tap.open = +tap.dataset.number > newest()
            if (tap.open) {
              for (const other of taps.children) other.open = false
              taps.scrollTop = 0
            }
            taps.insertBefore(tap, [...taps.children].find(other => +other.dataset.number < +tap.dataset.number) ?? null)
            while (taps.childElementCount > \(PanelHTML.limit)) taps.lastElementChild.remove()
          }
          update()
        }
        // A hidden tab gives up its connection, because a browser opens at most six to a server.
        const follow = () => {
          stream?.close()
          if (document.hidden) return
          stream = new EventSource("/calls?after=" + taps.dataset.version)
          // The browser connects again by itself, unless the server has another record: then the app was started again.
          stream.onerror = () => { stopped.hidden = false }
          stream.onopen = () => { stopped.hidden = true }
          stream.onmessage = event => {
            show(event.data)
            taps.dataset.version = event.lastEventId
          }
        }
        document.addEventListener("visibilitychange", follow)
        follow()
        """

    /// A line has its text on the left and its arrow on the right, so no text crosses an arrow or a lifeline. The names of the
    /// columns stand in one row, and begin the lifelines. A panel that is too narrow for a tap's columns shows the texts alone.
    static let style = """
        .live { container-type: inline-size; display: flex; flex-direction: column; overflow: hidden }
        .live header { display: flex; align-items: center; padding: .75rem 1.25rem 0 } .live h2 { flex: 1 }
        .close, .peek { display: none }
        .legend { margin: .1rem 1.25rem 0; font-size: .8rem }
        .keys { display: flex; flex-wrap: wrap; gap: 0 1.1rem } .keys:not(.arrows) { font-weight: 700 }
        .keys .arrow { display: inline-block; position: relative; width: 1.8rem; top: -.25rem; margin-right: .2rem }
        .keys .dot { width: .5rem; left: .3rem }
        .app { color: var(--app) } .business { color: var(--business) } .common { color: var(--common) }
        .server { color: var(--server) }
        .tools { display: flex; gap: .6rem; align-items: center; padding: .3rem 1.25rem .6rem; font-size: .85rem }
        .tools[hidden], .tap[hidden], .call[hidden] { display: none }
        .tools label { margin: 0; font-weight: 400; flex: 1 } .tools button, .tools select { width: auto; margin: 0; min-height: 0;
          padding: .3rem .7rem; border-radius: .5rem }
        .place a { color: inherit } code { font: 1em ui-monospace, monospace }
        .source ol { padding-left: 4rem; overflow: auto; font-size: .9rem } .source code { white-space: pre }
        .source .here { background: light-dark(#fff3c4, #4a3f10) } .source { display: block }
        .taps { flex: 1; overflow: auto; border-top: 1px solid var(--line); padding-bottom: 2.5rem;
          mask-image: linear-gradient(#000 calc(100% - 2.5rem), #0000) }
        .tap { border-bottom: 1px solid var(--line) }
        .tap summary { display: flex; gap: .75rem; align-items: baseline; padding: .55rem 1.25rem; cursor: pointer }
        .tap summary::before { content: "\\25B8"; width: .8rem } .tap[open] summary::before { content: "\\25BE" }
        .tap summary b { flex: 1; overflow-wrap: anywhere } .tap summary small { white-space: nowrap }
        .errors { color: var(--bad); font-weight: 700 }
        .chart { position: relative; padding: 0 1.25rem .75rem }
        .chart ol { list-style: none; margin: 0; padding: 0 } .names + ol { padding-top: var(--top, 1.6rem) }
        .names { display: var(--names, grid); position: absolute; inset: 0 1.25rem .75rem auto; font-size: .75rem }
        .names b { display: flex; flex-direction: column; align-items: center; white-space: nowrap }
        .names b::after { content: ""; flex: 1; width: 1px; margin-top: .15rem; background: var(--soft) }
        .call { display: var(--call, grid); grid-template-columns: minmax(0, 1fr) var(--lanes); gap: .75rem }
        .text { padding: .2rem 0 .2rem calc(var(--d) * .9rem); font-size: .875rem; line-height: 1.35; overflow-wrap: anywhere }
        .text small { font-size: .75rem } .place { display: block }
        .count { white-space: nowrap; font-weight: 700 } .said { margin: .35rem var(--said, calc(var(--lanes) + .75rem)) .35rem 0;
          padding: .2rem .75rem; border-left: .3rem solid var(--good); font-size: .9rem } .said.bad { border-color: var(--bad) }
        .bad .end, .said.bad { color: var(--bad) }
        .lane { display: var(--names, block); position: relative } .lane .arrow { position: absolute; top: calc(50% - 1px) }
        .arrow { border-top: 2px solid; font-style: normal }
        .route .arrow, .action .arrow { border-top-style: dashed } .request .arrow { border-top-style: dotted }
        .arrow::after { content: ""; position: absolute; top: -6px; border: 5px solid transparent }
        .arrow.right::after { right: 0; border-left: 8px solid; border-right: 0 }
        .arrow.left::after { left: 0; border-right: 8px solid; border-left: 0 }
        .arrow.dot { border: 0 } .arrow.dot::after { left: -5px; border: 5px solid; border-radius: 50% }
        .bad .arrow { color: var(--bad) }
        @container (max-width: 72rem) { .large { --names: none; --call: block; --said: 0; --top: 0 } }
        @container (max-width: 57rem) { .middle { --names: none; --call: block; --said: 0; --top: 0 } }
        @container (max-width: 50rem) { .tap { --names: none; --call: block; --said: 0; --top: 0 } .arrows { display: none } }
        @media (max-width: 52rem) {
          .live { display: none } .live:target { display: flex; position: fixed; inset: 4rem 0 0; z-index: 2;
            background: Canvas; border-radius: 1.25rem 1.25rem 0 0; box-shadow: 0 0 0 100vmax #0008 }
          .peek, .close { display: block }
          .tap summary { display: block } .tap summary::before { float: left } .tap summary small { padding-left: .8rem }
        }
        """
}

/// The CSS of ``GraphPage``.
enum GraphPageStyle {
    static let text = #"""
        :root {
          color-scheme: light dark;
          --ground: light-dark(#f6f7f9, #14171c); --band: light-dark(#ffffff, #1c2027);
          --ink: light-dark(#1d2430, #e4e8ef); --faint: light-dark(#68707d, #929baa);
          --rule: light-dark(#dfe3e9, #303743); --imp: light-dark(#eef2fb, #263148);
          --api: light-dark(#fdf3dc, #43391f); --calls: light-dark(#14804a, #4fd08c);
          --callers: light-dark(#1d5fd1, #78a9ff); --wrong: light-dark(#d0202e, #ff6b72);
        }
        * { box-sizing: border-box; }
        body { margin: 0; height: 100vh; display: flex; flex-direction: column; background: var(--ground);
          color: var(--ink); font: 14px/1.45 system-ui, sans-serif; }
        header { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 18px; padding: 10px 18px;
          border-bottom: 1px solid var(--rule); background: var(--band); }
        h1 { font-size: 17px; margin: 0; }
        #summary { margin: 0; color: var(--faint); flex: 1; }
        #summary b { color: var(--wrong); }
        input[type=search] { font: inherit; padding: 5px 10px; width: 230px; border: 1px solid var(--rule);
          border-radius: 8px; background: var(--ground); color: inherit; }
        label { color: var(--faint); user-select: none; }
        main { flex: 1; min-height: 0; display: flex; }
        #map { position: relative; flex: 1; overflow: auto; }
        #bands { padding: 14px 18px; display: flex; flex-direction: column; gap: 14px; }
        #wires { position: absolute; top: 0; left: 0; pointer-events: none; z-index: 1; }
        section { background: var(--band); border: 1px solid var(--rule); border-radius: 12px; padding: 8px 14px 14px; }
        section h2 { margin: 0 0 8px; font-size: 12px; font-weight: 600; letter-spacing: .06em; color: var(--faint);
          text-transform: uppercase; }
        .cards { display: flex; flex-wrap: wrap; gap: 9px 12px; justify-content: center; }
        .card { display: inline-flex; border-radius: 8px; border: 1px solid var(--rule); overflow: hidden;
          position: relative; z-index: 2; background: var(--band); }
        [hidden] { display: none !important; }
        .card button { font: inherit; color: inherit; border: 0; padding: 4px 10px; cursor: pointer;
          background: var(--imp); }
        .card button.api { background: var(--api); }
        .card button + button { border-left: 1px dashed var(--rule); }
        .card button:hover { filter: brightness(.95); }
        .card button:focus-visible { outline: 2px solid var(--callers); outline-offset: -2px; }
        .bad { box-shadow: inset 0 -3px var(--wrong); }
        .chosen { outline: 2px solid var(--ink); outline-offset: -2px; font-weight: 600; }
        .calls { box-shadow: inset 0 0 0 2px var(--calls); }
        .callers { box-shadow: inset 0 0 0 2px var(--callers); }
        .calls.callers { box-shadow: inset 0 0 0 2px var(--wrong); }
        .dim { opacity: .28; }
        aside { width: 320px; overflow: auto; padding: 16px 18px; border-left: 1px solid var(--rule);
          background: var(--band); }
        aside h2 { margin: 0; font-size: 19px; overflow-wrap: anywhere; }
        aside h3 { margin: 18px 0 4px; font-size: 13px; }
        aside p, aside li { margin: 2px 0; overflow-wrap: anywhere; }
        aside ul { margin: 0; padding: 0; list-style: none; }
        aside li:has(.mend) { margin-bottom: 10px; }
        aside .path, aside .mend { color: var(--faint); font-size: 12px; }
        aside a { color: inherit; cursor: pointer; text-decoration: underline dotted; }
        .is-calls { color: var(--calls); } .is-callers { color: var(--callers); } .is-wrong { color: var(--wrong); }
        path { fill: none; stroke: var(--faint); stroke-width: 1; opacity: .45; }
        path.calls { stroke: var(--calls); stroke-width: 1.6; opacity: .95; box-shadow: none; }
        path.callers { stroke: var(--callers); stroke-width: 1.6; opacity: .95; }
        path.wrong { stroke: var(--wrong); stroke-width: 2; opacity: 1; }
        @media (max-width: 760px) { main { flex-direction: column; } aside { width: auto; max-height: 40vh;
          border-left: 0; border-top: 1px solid var(--rule); } }
        @media print { header input, header label, aside { display: none; } #map { overflow: visible; } }
        """#
}

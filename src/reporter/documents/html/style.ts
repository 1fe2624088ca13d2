/** Style of a report: for screens, light and dark, for phones, and for paper. It loads no resources. */
export const reportStyle = `
:root {
  color-scheme: light dark;
  --ground: #f7f7f4; --card: #fff; --ink: #1b1f24; --quiet: #59616d; --line: #dfe0dc; --faint: #efefeb; --accent: #1d4f91;
  --new: #12613f; --new-back: #e2f2e9; --back: #1d4f91; --back-back: #e5edf8; --changed: #7a4b00; --changed-back: #f8edd8;
  --ended: #9b2c1f; --ended-back: #fae7e3;
  --line-1: #1d5fad; --line-2: #b4530a; --line-3: #12795a; --line-4: #9a3480; --line-5: #6554c0; --line-6: #6f5b00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101317; --card: #171b21; --ink: #e7eaee; --quiet: #a2abb8; --line: #2c333c; --faint: #1f242b; --accent: #8db8f5;
    --new: #7fd6ab; --new-back: #16332a; --back: #9cc2f7; --back-back: #1a2c45; --changed: #ecc177; --changed-back: #392c12;
    --ended: #f3a596; --ended-back: #40201b;
    --line-1: #7db2f4; --line-2: #f0a05a; --line-3: #5ccaa2; --line-4: #e58fcb; --line-5: #b1a4fb; --line-6: #d8c04f;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  background: var(--ground); color: var(--ink); font: 1rem/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", sans-serif; margin: 0;
}
main, body > header, body > footer { margin: 0 auto; max-width: 74rem; padding: 0 1.5rem; }
body > header { padding-top: 2.5rem; }
body > footer { color: var(--quiet); font-size: 0.85rem; padding-bottom: 3rem; padding-top: 1rem; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { border-radius: 0.2rem; outline: 2px solid var(--accent); outline-offset: 2px; }
h1, h2, h3 { line-height: 1.25; margin: 0; text-wrap: balance; }
h1 { font-size: 2rem; font-weight: 650; letter-spacing: -0.02em; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; font-weight: 620; letter-spacing: -0.01em; }
h3 { font-size: 1rem; font-weight: 620; }
p { margin: 0.4rem 0; max-width: 84ch; }
.kind { color: var(--quiet); font-size: 0.8rem; font-weight: 600; letter-spacing: 0.06em; margin: 0 0 0.35rem; text-transform: uppercase; }
.quiet { color: var(--quiet); }
.small { font-size: 0.85rem; font-weight: 400; }
code { background: var(--faint); border-radius: 0.25rem; font: 0.875em/1.4 ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; overflow-wrap: anywhere; padding: 0.1em 0.35em; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; list-style: none; margin: 1rem 0 0; padding: 0; }
.front nav ul { margin: 0.3rem 0 0; }
section { margin-top: 2.5rem; } section.front { margin-top: 1.5rem; } .front h3 { margin-top: 1.4rem; }
.lead { font-size: 1.1rem; }
.movers { display: grid; gap: 0.3rem; list-style: none; margin: 0.5rem 0 0; max-width: 52rem; padding: 0; }
.movers li { align-items: baseline; display: grid; gap: 0 1rem; grid-template-columns: minmax(0, 2fr) minmax(5rem, auto) minmax(0, 3fr); }
.movers b { font-variant-numeric: tabular-nums; text-align: right; } .mover { overflow-wrap: anywhere; }
.creatives { display: grid; gap: 0.75rem; grid-template-columns: repeat(3, minmax(0, 1fr)); list-style: none; margin: 0.5rem 0 0; padding: 0; }
.creatives li { display: flex; flex-direction: column; overflow-wrap: anywhere; padding: 0.8rem 1rem; } .creatives p { margin: 0.15rem 0; }
.creatives .face { flex: 1; margin-bottom: 0.4rem; } .creatives .creative { margin: 0; max-height: 9rem; max-width: 100%; }
section > h2 { margin-bottom: 0.6rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; }
.figures { display: grid; gap: 0.75rem; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); margin: 1.75rem 0 0; }
.figures > div { padding: 0.8rem 1rem 0.9rem; }
.figures dt { color: var(--quiet); font-size: 0.85rem; }
.figures dd { font-size: 1.65rem; font-variant-numeric: tabular-nums; font-weight: 600; letter-spacing: -0.02em; line-height: 1.25; margin: 0; }
.figures dd.note { color: var(--quiet); font-size: 0.85rem; font-weight: 400; letter-spacing: 0; line-height: 1.4; margin-top: 0.15rem; }
.notice { border-left: 3px solid var(--changed); margin: 1rem 0 0; padding: 0.1rem 0 0.1rem 0.9rem; }
.charts { align-items: start; display: grid; gap: 1rem; grid-template-columns: repeat(2, minmax(0, 1fr)); }
.charts.uneven { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); }
figure { margin: 0; padding: 1.1rem 1.25rem 1rem; }
figure.wide { grid-column: 1 / -1; }
figcaption { margin-bottom: 0.75rem; }
figcaption p { color: var(--quiet); font-size: 0.875rem; margin: 0.15rem 0 0; max-width: none; }
.chart { display: block; height: auto; min-width: 46rem; width: 100%; }
.chart text { fill: var(--quiet); font-size: 12px; font-variant-numeric: tabular-nums; }
.chart .axis line { stroke: var(--line); stroke-width: 1; }
.chart .zero { stroke: var(--quiet); stroke-width: 1; }
.line { fill: none; stroke-linejoin: round; stroke-linecap: round; stroke-width: 2.2; }
.line-1 { stroke: var(--line-1); } .line-2 { stroke: var(--line-2); stroke-dasharray: 8 5; } .line-3 { stroke: var(--line-3); stroke-dasharray: 1 5; }
.line-4 { stroke: var(--line-4); stroke-dasharray: 12 5 2 5; } .line-5 { stroke: var(--line-5); stroke-dasharray: 4 4; }
.line-6 { stroke: var(--line-6); stroke-dasharray: 16 6; }
.dot-1 { fill: var(--line-1); } .dot-2 { fill: var(--line-2); } .dot-3 { fill: var(--line-3); }
.dot-4 { fill: var(--line-4); } .dot-5 { fill: var(--line-5); } .dot-6 { fill: var(--line-6); }
.chart .end { font-weight: 600; } .chart .end-1 { fill: var(--line-1); } .chart .end-2 { fill: var(--line-2); } .chart .end-3 { fill: var(--line-3); }
.chart .end-4 { fill: var(--line-4); } .chart .end-5 { fill: var(--line-5); } .chart .end-6 { fill: var(--line-6); }
.begun { fill: var(--new); stroke: var(--new); } .ended { fill: var(--card); stroke: var(--ended); stroke-width: 1.6; }
.legend { display: flex; flex-wrap: wrap; font-size: 0.875rem; gap: 0.2rem 1.4rem; list-style: none; margin: 0.6rem 0 0; padding: 0; }
.legend .sample { height: 0.5rem; margin-right: 0.45rem; width: 1.75rem; }
.legend .key { height: 0.7rem; margin-right: 0.45rem; width: 0.7rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; width: 100%; }
caption { color: var(--quiet); font-size: 0.875rem; padding: 0 0 0.5rem; text-align: left; }
th, td { border-bottom: 1px solid var(--line); padding: 0.5rem 0.9rem 0.5rem 0; text-align: left; vertical-align: top; }
thead th { border-bottom-color: var(--quiet); color: var(--quiet); font-size: 0.8rem; font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 550; }
tbody tr:last-child > * { border-bottom: 0; }
.number { font-variant-numeric: tabular-nums; padding-right: 1.6rem; text-align: right; white-space: nowrap; }
.card > .scroll tr > :last-child { padding-right: 0; }
.day { font-variant-numeric: tabular-nums; white-space: nowrap; }
td, th { overflow-wrap: break-word; } .ad { max-width: 30rem; min-width: 14rem; } .ad p { margin: 0; }
.card > .scroll { padding: 0.9rem 1.25rem 0.4rem; }
.card > .scroll table { min-width: 44rem; }
.card > .scroll table.narrow { min-width: 0; }
.bars td.bar { padding-right: 0.8rem; width: 48%; } .bars svg { display: block; height: 0.8rem; margin-top: 0.32rem; width: 100%; } .bars path { fill: var(--line-1); }
.bars th, .bars td { border-bottom: 0; padding-bottom: 0.22rem; padding-top: 0.22rem; } .bars tbody th { font-weight: 400; } .bars .number { padding-right: 0; }
.bars thead > tr > * { border-bottom: 1px solid var(--line); }
.badge { border-radius: 1rem; display: inline-block; font-size: 0.8rem; font-weight: 600; line-height: 1.5; padding: 0 0.6rem; white-space: nowrap; }
.badge-new, .badge-found { background: var(--new-back); color: var(--new); } .badge-reactivated { background: var(--back-back); color: var(--back); }
.badge-changed, .badge-open { background: var(--changed-back); color: var(--changed); } .badge-ended, .badge-failed { background: var(--ended-back); color: var(--ended); }
.badge-plain { background: var(--faint); color: var(--ink); }
del { color: var(--quiet); } ins { text-decoration: none; }
.creative { background: var(--faint); border: 1px solid var(--line); border-radius: 0.3rem; display: block; height: auto; margin-top: 0.4rem; max-height: 10rem; max-width: 14rem; object-fit: contain; width: auto; }
details { margin-top: 0.8rem; } summary { color: var(--accent); cursor: pointer; font-size: 0.875rem; width: fit-content; } details[open] summary { margin-bottom: 0.5rem; }
.filters { align-items: end; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 0.75rem 1.25rem; padding: 1rem 1.25rem; }
.filters[hidden] { display: none; }
.filters label { color: var(--quiet); display: grid; font-size: 0.8rem; font-weight: 600; gap: 0.2rem; }
.filters select, .filters input[type="search"] { background: var(--card); border: 1px solid var(--quiet); border-radius: 0.35rem; color: var(--ink); font: inherit; font-size: 0.9rem; font-weight: 400; max-width: 15rem; min-height: 2.2rem; min-width: 9rem; padding: 0.2rem 0.5rem; }
.filters fieldset { border: 0; display: flex; flex-wrap: wrap; gap: 0.2rem 0.9rem; margin: 0; min-height: 2.2rem; padding: 0; }
.filters legend { color: var(--quiet); font-size: 0.8rem; font-weight: 600; padding: 0 0 0.2rem; }
.filters fieldset label { align-items: center; color: var(--ink); display: flex; font-size: 0.9rem; font-weight: 400; gap: 0.35rem; }
.filters input[type="checkbox"] { accent-color: var(--accent); height: 1.05rem; margin: 0; width: 1.05rem; }
.filters button { background: none; border: 1px solid var(--quiet); border-radius: 0.35rem; color: var(--ink); cursor: pointer; font: inherit; font-size: 0.9rem; min-height: 2.2rem; padding: 0 0.8rem; }
.shown { color: var(--quiet); display: block; font-size: 0.875rem; padding: 0.75rem 1.25rem 0; }
.shown:empty { display: none; }
@media (max-width: 56rem) { .charts, .charts.uneven { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 40rem) {
  main, body > header, body > footer { padding-left: 1rem; padding-right: 1rem; }
  body > header { padding-top: 1.5rem; } h1 { font-size: 1.55rem; } figure { padding: 0.9rem; } .figures { grid-template-columns: 1fr 1fr; }
  .creatives { grid-template-columns: repeat(2, minmax(0, 1fr)); } .movers li { grid-template-columns: minmax(0, 1fr) auto; } .movers .small { grid-column: 1 / -1; }
 .figures dd { font-size: 1.4rem; } .card > .scroll { padding-left: 0.9rem; padding-right: 0.9rem; } .filters { padding: 0.9rem; } .shown { padding-left: 0.9rem; }
  .filters label, .filters select, .filters input[type="search"] { max-width: none; width: 100%; } .filters fieldset label { width: auto; }
  .bars td.bar { width: 35%; } .bars th { overflow-wrap: anywhere; } .bars .number { white-space: normal; }
}
@page { margin: 12mm 14mm; }
@media print {
  :root {
    --ground: #fff; --card: #fff; --ink: #000; --quiet: #333; --line: #bbb; --faint: #fff; --accent: #000;
    --new: #000; --new-back: #fff; --back: #000; --back-back: #fff; --changed: #000; --changed-back: #fff; --ended: #000; --ended-back: #fff;
    --line-1: #000; --line-2: #000; --line-3: #000; --line-4: #444; --line-5: #444; --line-6: #444;
  }
  html { font-size: 9.5pt; } h1 { font-size: 1.6rem; } main, body > header, body > footer { max-width: none; padding-left: 0; padding-right: 0; } body > header { padding-top: 0; }
  .front { break-after: page; } .front + .figures { margin-top: 0; } .lead { font-size: 1rem; }
  .mover { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } .movers li { grid-template-columns: minmax(0, 2fr) minmax(5rem, auto) minmax(0, 3fr); } .movers .small { grid-column: auto; }
  .creatives { grid-template-columns: repeat(3, minmax(0, 1fr)); } .creatives li { break-inside: avoid; padding: 0.5rem 0.7rem; }
  .creatives li > p { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .creatives .face { max-height: 7.5rem; overflow: hidden; } .creatives .creative { max-height: 7.5rem; }
  .filters, summary { display: none; } .card { border-color: #bbb; border-radius: 0; break-inside: auto; } .badge { border: 1px solid #666; }
  .scroll { overflow: visible; } .card > .scroll table, .chart, .ad { min-width: 0; } th, td, .number { overflow-wrap: anywhere; padding-right: 0.6rem; }
  thead th, .day, .number, .badge { white-space: normal; } thead { display: table-header-group; }
  tr, .figures > div, .chart { break-inside: avoid; } .chart text { font-size: 15px; } h2, h3, figcaption, caption { break-after: avoid; } a { color: inherit; }
  .charts { display: block; } figure { margin-bottom: 0.6rem; } .bars path { fill: #555; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
}
`;

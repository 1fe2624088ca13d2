import { html, raw } from 'hono/html';

/** Escaped HTML. */
export type Html = ReturnType<typeof html>;

const style = `
:root { color-scheme: light dark; --line: #8884; --quiet: #666; }
@media (prefers-color-scheme: dark) { :root { --quiet: #aaa; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1.5rem; }
a { color: LinkText; } code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { border: 1px solid var(--line); border-radius: 0.4rem; overflow-x: auto; padding: 0.8rem; }
table { border-collapse: collapse; width: 100%; } th, td { border-bottom: 1px solid var(--line); padding: 0.35rem 0.6rem 0.35rem 0; text-align: left; vertical-align: top; }
th { color: var(--quiet); font-weight: 600; } section { border-top: 1px solid var(--line); margin-top: 2rem; }
.method { border: 1px solid var(--line); border-radius: 0.3rem; font-weight: 600; padding: 0 0.4rem; } .quiet { color: var(--quiet); }
details { margin: 0.5rem 0; } summary { cursor: pointer; } td:last-child { overflow-wrap: anywhere; }
@media (max-width: 48rem) {
  code, td { overflow-wrap: anywhere; } th, td { border: 0; display: inline; } td:last-child { display: block; }
  tr { border-bottom: 1px solid var(--line); display: block; padding: 0.35rem 0; }
}
`;

/** Creates a self-contained page: no scripts, pictures or external resources. */
export function page(title: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

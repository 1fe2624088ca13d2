import { html, raw } from 'hono/html';

/** Colours and type of the console (`src/console/style/tokens.css`). */
const style = `
:root { color-scheme: light dark; --ground: #f7f7f5; --card: #fff; --ink: #1b1f24; --quiet: #565e6a; --line: #dfe0db; }
@media (prefers-color-scheme: dark) { :root { --ground: #101317; --card: #171b21; --ink: #e7eaee; --quiet: #a2abb8; --line: #2c333c; } }
body { align-items: center; background: var(--ground); color: var(--ink); display: grid; font: 0.9375rem/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", sans-serif; margin: 0; min-height: 100vh; padding: 1.5rem; }
main { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; box-sizing: border-box; margin: 0 auto; max-width: 30rem; padding: 1.5rem 2rem 2rem; width: 100%; }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0.75rem 0 0.5rem; } p { margin: 0.5rem 0 0; } .quiet { color: var(--quiet); }
`;

/** Creates the page of a link that shows no report. It is the same for every reason, so that it tells nothing about the link. */
export function missingPage() {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Report not available – Nightshift</title>
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <main>
          <p class="quiet">Nightshift</p>
          <h1>This report is not available</h1>
          <p>The link has expired, was revoked or is incomplete, or the report no longer exists.</p>
          <p>Ask the person who sent it for a new link.</p>
        </main>
      </body>
    </html>`;
}

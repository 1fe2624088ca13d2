import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Content security policy of the board: its own script, and calls to this server. It sets styles by script, which adds no risk beyond that
 * script; pictures are its own.
 */
export const boardPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Renders the page of the board for its script. Not from the template of the board, because that one loads fonts from a third party.
 */
export function makeBoardPage(folder: string, base: string, config: object): string {
  const template = readFileSync(join(folder, 'index.ejs'), 'utf8');
  const styles = namesIn(template, /<link href="(static\/css\/[\w.-]+\.css)" rel="stylesheet">/g);
  const scripts = namesIn(template, /<script defer src="(static\/js\/[\w.-]+\.js)"><\/script>/g);
  // The JSON cannot begin a tag or an entity.
  const json = JSON.stringify(config).replaceAll(
    /[<>&]/g,
    (char) => `\\u00${char.charCodeAt(0).toString(16)}`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<base href="${base}/">
<title>Queues – Nightshift</title>
<link rel="icon" type="image/svg+xml" id="fav-logo" href="/icon.svg">
${styles.map((name) => `<link rel="stylesheet" href="${name}">`).join('\n')}
</head>
<body class="preload">
<script id="__UI_CONFIG__" type="application/json">${json}</script>
<div id="root">Loading the queues …</div>
${scripts.map((name) => `<script defer src="${name}"></script>`).join('\n')}
</body>
</html>
`;
}

function namesIn(template: string, pattern: RegExp): readonly string[] {
  const names = [...template.matchAll(pattern)].map(([, name = '']) => name);
  if (names.length === 0)
    throw new Error(
      'The template of the queue board has an unknown form. Check the version of @bull-board/ui.',
    );
  return names;
}

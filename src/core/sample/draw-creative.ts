/** An ad to draw. All texts may be any text. */
export interface DrawnCreative {
  /** `Text`, `Image` or `Video`; any other is drawn like an image. */
  readonly format: string;
  readonly brand: string;
  readonly headline: string;
  readonly description: string;
  readonly displayUrl: string;
  /** Colour of the brand, in degrees of the colour wheel. */
  readonly hue: number;
  /** Size in pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Draws an ad as an SVG document, the same for the same ad: as a search result, a banner or a video. The picture says that it is a sample. It has
 * no script, no style sheet and no reference to another file.
 */
export function drawCreative(creative: DrawnCreative): string {
  const { width, height, headline } = creative;
  const content = drawings[creative.format]?.(creative) ?? drawBanner(creative);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `role="img" aria-label="${escapeXml(`Sample ad: ${headline}`)}" font-family="system-ui, sans-serif">${content}</svg>\n`
  );
}

const drawings: Readonly<Record<string, (creative: DrawnCreative) => string>> = {
  Text: drawSearchResult,
  Image: drawBanner,
  Video: drawVideo,
};

function drawSearchResult(creative: DrawnCreative): string {
  const { width, height, brand, displayUrl, headline, description, hue } = creative;
  return [
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="#fff" stroke="#d5d9e0"/>`,
    text('Sponsored', { x: 20, y: 32, size: 13, fill: '#202124', weight: 700 }),
    `<circle cx="36" cy="62" r="16" fill="${colour(hue, 34)}"/>`,
    text(initialOf(brand), { x: 36, y: 68, size: 16, fill: '#fff', weight: 700, anchor: 'middle' }),
    text(firstLine(brand, 38), { x: 62, y: 58, size: 14, fill: '#202124' }),
    text(firstLine(displayUrl, 44), { x: 62, y: 76, size: 12, fill: '#4d5156' }),
    ...textLines(headline, { columns: 36, lines: 2 }).map((line, i) =>
      text(line, { x: 20, y: 114 + i * 25, size: 20, fill: '#1a0dab' }),
    ),
    ...textLines(description, { columns: 52, lines: 1 }).map((line) =>
      text(line, { x: 20, y: 170, size: 14, fill: '#4d5156' }),
    ),
    sampleMark(width - 16, 18, '#5f6368'),
  ].join('');
}

function drawBanner(creative: DrawnCreative): string {
  const { width, height, brand, headline, hue } = creative;
  return [
    backdrop(creative, [36, 24]),
    `<circle cx="${width - 30}" cy="${height - 60}" r="110" fill="${colour(hue + 40, 50)}" opacity="0.35"/>`,
    `<circle cx="${width - 90}" cy="36" r="54" fill="${colour(hue - 30, 60)}" opacity="0.25"/>`,
    text(firstLine(brand, 30), { x: 24, y: 44, size: 16, fill: '#fff', weight: 600 }),
    ...textLines(headline, { columns: 19, lines: 4 }).map((line, i) =>
      text(line, { x: 24, y: 96 + i * 34, size: 28, fill: '#fff', weight: 700 }),
    ),
    `<rect x="24" y="${height - 54}" width="116" height="34" rx="17" fill="#fff"/>`,
    text('Learn more', {
      x: 82,
      y: height - 32,
      size: 14,
      fill: colour(hue, 24),
      weight: 600,
      anchor: 'middle',
    }),
    sampleMark(width - 16, height - 16, '#fff'),
  ].join('');
}

function drawVideo(creative: DrawnCreative): string {
  const { width, height, brand, headline, hue } = creative;
  const [middle, centre] = [width / 2, height / 2 - 20];
  return [
    backdrop(creative, [28, 12]),
    `<path d="M0 ${height - 40}L${width * 0.3} 90L${width * 0.55} ${height - 60}L${width * 0.75} 120L${width} ${height - 50}V${height}H0Z" ` +
      `fill="${colour(hue + 25, 40)}" opacity="0.45"/>`,
    `<circle cx="${middle}" cy="${centre}" r="34" fill="#000" opacity="0.55"/>`,
    `<path d="M${middle - 11} ${centre - 17}L${middle + 19} ${centre}L${middle - 11} ${centre + 17}Z" fill="#fff"/>`,
    text(firstLine(brand, 40), { x: 20, y: 34, size: 15, fill: '#fff', weight: 600 }),
    `<rect y="${height - 78}" width="${width}" height="78" fill="#000" opacity="0.5"/>`,
    ...textLines(headline, { columns: 38, lines: 1 }).map((line) =>
      text(line, { x: 20, y: height - 42, size: 22, fill: '#fff', weight: 700 }),
    ),
    `<rect x="20" y="${height - 20}" width="${width - 90}" height="4" rx="2" fill="#fff" opacity="0.4"/>`,
    `<rect x="20" y="${height - 20}" width="${(width - 90) / 3}" height="4" rx="2" fill="#fff"/>`,
    text('0:05', { x: width - 20, y: height - 13, size: 13, fill: '#fff', anchor: 'end' }),
    sampleMark(width - 16, 18, '#fff'),
  ].join('');
}

/** A surface that gets darker from the first lightness to the second. */
function backdrop({ width, height, hue }: DrawnCreative, [from, to]: readonly [number, number]): string {
  return (
    `<linearGradient id="backdrop" x2="1" y2="1"><stop stop-color="${colour(hue, from)}"/>` +
    `<stop offset="1" stop-color="${colour(hue + 20, to)}"/></linearGradient>` +
    `<rect width="${width}" height="${height}" rx="8" fill="url(#backdrop)"/>`
  );
}

function sampleMark(x: number, y: number, fill: string): string {
  return text('SAMPLE', { x, y, size: 10, fill, weight: 600, anchor: 'end' });
}

interface TextStyle {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly fill: string;
  readonly weight?: number;
  readonly anchor?: 'middle' | 'end';
}

function text(content: string, { x, y, size, fill, weight = 400, anchor }: TextStyle): string {
  const align = anchor === undefined ? '' : ` text-anchor="${anchor}"`;
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}"${align}>${escapeXml(content)}</text>`;
}

/** Hues outside the circle are those within it. */
function colour(hue: number, lightness: number): string {
  return `hsl(${((Math.round(hue) % 360) + 360) % 360},55%,${lightness}%)`;
}

function initialOf(brand: string): string {
  return [...brand.trim()][0]?.toUpperCase() ?? '';
}

function firstLine(content: string, columns: number): string {
  return textLines(content, { columns, lines: 1 })[0] ?? '';
}

/** Breaks a text into lines between its words, and ends the last one with an ellipsis if there is more. Letters of East Asia are two columns wide. */
function textLines(
  content: string,
  { columns, lines }: { readonly columns: number; readonly lines: number },
): string[] {
  const result: string[] = [];
  // More characters than fit are not worth breaking.
  const words = content
    .slice(0, columns * (lines + 1))
    .split(/\s+/)
    .filter((word) => word !== '');
  for (const word of words) {
    const last = result.at(-1);
    if (last !== undefined && columnsOf(`${last} ${word}`) <= columns)
      result[result.length - 1] = `${last} ${word}`;
    else result.push(word);
  }
  const shown = result.slice(0, lines).map((line) => cut(line, columns));
  const isWhole = result.length <= lines && content.length <= columns * (lines + 1);
  return isWhole ? shown : shown.map((line, i) => (i === lines - 1 ? cut(`${line} …`, columns) : line));
}

function cut(line: string, columns: number): string {
  if (columnsOf(line) <= columns) return line;
  let kept = '';
  for (const character of line) {
    if (columnsOf(kept + character) >= columns) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

function columnsOf(content: string): number {
  return [...content].reduce((sum, character) => sum + (/[\u1100-\uffef]/.test(character) ? 2 : 1), 0);
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Characters that XML 1.0 does not allow, even as references: controls, halves of surrogate pairs, and two noncharacters. */
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

function escapeXml(content: string): string {
  return content
    .replace(forbidden, ' ')
    .replace(/[&<>"']/g, (character) => references[character] ?? character);
}

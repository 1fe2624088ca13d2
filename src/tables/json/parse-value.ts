/** Value of a list, with the text of its cells. */
export type ListValue =
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, string> }
  | { readonly kind: 'array'; readonly items: readonly string[] }
  | { readonly kind: 'scalar'; readonly text: string };

/** Error of one value, which is a rejected record. */
export class ValueError extends Error {}

/** Maximum nesting of a value. */
const depthMax = 100;

/**
 * Parses a JSON value to cells: strings as their text, numbers as they are written, true and false as such, null as an empty cell, nested
 * values as JSON without blanks.
 *
 * `JSON.parse` alone would change numbers: 12345678901234567890 would become 12345678901234567000.
 *
 * @throws ValueError when it is not well-formed, has a key twice, or is nested deeper than 100.
 */
export function parseValue(text: string): ListValue {
  assertWellFormed(text);
  const start = skipBlanks(text, 0);
  if (text[start] === '{') return { kind: 'object', members: parseMembers(text, start + 1) };
  if (text[start] === '[') return { kind: 'array', items: parseItems(text, start + 1) };
  return { kind: 'scalar', text: cellText(text.trim()) };
}

function assertWellFormed(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Later releases of Node quote the text in the message.
    const position = / at position ([0-9]+)/.exec(error.message);
    throw new ValueError(
      position === null
        ? 'is not well-formed JSON'
        : `is not well-formed JSON (character ${Number(position[1]) + 1} of the value)`,
      { cause: error },
    );
  }
}

function parseMembers(text: string, start: number): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let at = skipBlanks(text, start);
  while (text[at] !== '}') {
    const keyEnd = endOfString(text, at);
    const key = stringText(text.slice(at, keyEnd));
    // The value follows the colon.
    const from = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
    const to = endOfValue(text, from);
    if (members.has(key)) throw new ValueError(`has the key ${JSON.stringify(key.slice(0, 80))} twice`);
    members.set(key, cellText(text.slice(from, to)));
    at = skipBlanks(text, to);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
  }
  return members;
}

function parseItems(text: string, start: number): readonly string[] {
  const items: string[] = [];
  let at = skipBlanks(text, start);
  while (text[at] !== ']') {
    const to = endOfValue(text, at);
    items.push(cellText(text.slice(at, to)));
    at = skipBlanks(text, to);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
  }
  return items;
}

function cellText(raw: string): string {
  const first = raw[0];
  if (first === '"') return stringText(raw);
  if (first === '{' || first === '[') return raw.replace(/("(?:[^"\\]|\\.)*")|[ \t\n\r]+/g, '$1');
  return raw === 'null' ? '' : raw;
}

function stringText(raw: string): string {
  return raw.includes('\\') ? String(JSON.parse(raw)) : raw.slice(1, -1);
}

/** Returns the position after a value of well-formed JSON. */
function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first === '{' || first === '[') return endOfNested(text, start);
  let at = start;
  while (!isBlank(text.charCodeAt(at)) && text[at] !== ',' && text[at] !== '}' && text[at] !== ']') at += 1;
  return at;
}

function endOfNested(text: string, start: number): number {
  let depth = 0;
  let at = start;
  for (;;) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (character === '{' || character === '[') depth += 1;
    if (depth > depthMax) throw new ValueError(`is nested deeper than ${depthMax}`);
    at += 1;
    if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
}

/** Returns the position after a string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const stop = text.indexOf('"', at);
    let escapes = 0;
    while (text[stop - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return stop + 1;
    at = stop + 1;
  }
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

import { decodeEntities, XmlError } from './decode-entities.ts';

/** Opening tag of an element. */
export interface XmlTag {
  /** Name without its prefix. */
  readonly name: string;
  /** Name with its prefix. */
  readonly fullName: string;
  /** True for `<name/>`. */
  readonly isEmpty: boolean;
  /** Returns the value of an attribute, by its name without prefix; undefined when it is missing. Of two prefixes the first counts. */
  readonly attribute: (name: string) => string | undefined;
}

/** Tag that is read again and again, which saves an object for each cell of a sheet. */
export interface ReusedTag extends XmlTag {
  /** Reads the tag whose name starts at `start`; returns the position after it, or -1 when it is not complete. @throws XmlError */
  readonly read: (text: string, start: number) => number;
}

const quote = 0x22;
const apostrophe = 0x27;
const slash = 0x2f;
const equals = 0x3d;
const greater = 0x3e;
const less = 0x3c;

/** Creates an empty tag. */
export function createTag(): ReusedTag {
  const tag = { name: '', fullName: '', isEmpty: false, attribute, read };
  let source = '';
  /** Start and end of name and value of each attribute. */
  const spans: number[] = [];
  let spansUsed = 0;

  function read(text: string, start: number): number {
    spansUsed = 0;
    const nameEnd = endOfName(text, start);
    let at = nameEnd;
    let isClosing = false;
    for (;;) {
      const from = at;
      at = skipSpace(text, at);
      if (at >= text.length) return -1;
      const code = text.charCodeAt(at);
      if (code === greater) {
        source = text;
        setName(text.slice(start, nameEnd));
        tag.isEmpty = isClosing;
        return at + 1;
      }
      if (isClosing) throw new XmlError('a tag has a misplaced "/"');
      if (code === slash) {
        isClosing = true;
        at += 1;
        continue;
      }
      if (from === at) throw new XmlError('a tag is not well-formed');
      at = readAttribute(text, at);
      if (at === -1) return -1;
    }
  }

  /** Reads name, equals sign and quoted value; returns the position after them, or -1 when they are not complete. */
  function readAttribute(text: string, start: number): number {
    const nameEnd = endOfName(text, start);
    let at = skipSpace(text, nameEnd);
    if (at >= text.length) return -1;
    if (nameEnd === start || text.charCodeAt(at) !== equals) throw new XmlError('an attribute has no value');
    at = skipSpace(text, at + 1);
    if (at >= text.length) return -1;
    const mark = text.charCodeAt(at);
    if (mark !== quote && mark !== apostrophe) throw new XmlError('the value of an attribute is not quoted');
    const stop = text.indexOf(mark === quote ? '"' : "'", at + 1);
    if (stop === -1) return -1;
    spans[spansUsed] = start;
    spans[spansUsed + 1] = nameEnd;
    spans[spansUsed + 2] = at + 1;
    spans[spansUsed + 3] = stop;
    spansUsed += 4;
    return stop + 1;
  }

  function setName(given: string): void {
    tag.fullName = given;
    tag.name = given.slice(given.indexOf(':') + 1);
    if (tag.name === '') throw new XmlError('a tag has no name');
  }

  function attribute(wanted: string): string | undefined {
    for (let index = 0; index < spansUsed; index += 4) {
      const end = spans[index + 1] ?? 0;
      const from = end - wanted.length;
      const start = spans[index] ?? 0;
      if (from < start || !source.startsWith(wanted, from)) continue;
      if (from > start && source[from - 1] !== ':') continue;
      return decodeEntities(source.slice(spans[index + 2], spans[index + 3]));
    }
    return undefined;
  }

  return tag;
}

function endOfName(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || code === greater || code === slash || code === equals) return at;
    if (code === less || code === quote || code === apostrophe)
      throw new XmlError('a tag is not well-formed');
  }
  return at;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

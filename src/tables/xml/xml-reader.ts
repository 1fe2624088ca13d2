import { decodeEntities, XmlError } from './decode-entities.ts';
import { createTag, readName, type XmlTag } from './xml-tag.ts';

/** Receiver of the parts of an XML document. Names are without their prefix. */
export interface XmlHandler {
  /** Called at the start of an element. The tag is valid during the call only. */
  readonly onOpen: (name: string, tag: XmlTag) => void;
  /** Called at the end of an element, also of an empty one. */
  readonly onClose: (name: string) => void;
  /** Called with text between tags, decoded; several times within an element where comments or CDATA separate it. */
  readonly onText: (text: string) => void;
}

/** Reader of an XML document that arrives in chunks. */
export interface XmlReader {
  /** Adds the next chunk of text, cut anywhere. @throws XmlError */
  readonly write: (chunk: string) => void;
  /** Ends the document. @throws XmlError when elements are open. */
  readonly end: () => void;
}

/** Maximum nesting of elements. Spreadsheets have about 12. */
const depthMax = 100;
/** Maximum length of a tag or a text, in UTF-16 code units. A cell of Excel has at most 32,767 characters, an escaped one seven times that. */
const tokenCharsMax = 4 * 1024 * 1024;

/**
 * Creates a reader for the XML of spreadsheets: elements, attributes, text, CDATA, the predefined entities.
 *
 * It is fast because it knows nothing else: a document type is rejected, and with it all entities that expand. Prefixes of names are ignored;
 * names, attributes and nesting are checked as far as they are used.
 */
export function createXmlReader({ onOpen, onClose, onText }: XmlHandler): XmlReader {
  const open: string[] = [];
  const tag = createTag();
  let text = '';
  let at = 0;
  /** Position up to which the end of the current token was searched. */
  let searched = 0;
  let hasRoot = false;
  let isEnded = false;

  function write(chunk: string): void {
    text = at === 0 ? text + chunk : text.slice(at) + chunk;
    searched -= at;
    at = 0;
    while (readToken());
    if (text.length - at > tokenCharsMax) throw new XmlError('a tag or a text is too long');
  }

  function end(): void {
    isEnded = true;
    while (readToken());
    if (at < text.length) throw new XmlError('it ends within a tag');
    if (open.length > 0) throw new XmlError(`the element "${open.at(-1)}" is not closed`);
    if (!hasRoot) throw new XmlError('it has no content');
  }

  /** Reads the next tag, or the text before it; false when it needs more text. */
  function readToken(): boolean {
    if (at >= text.length) return false;
    if (text.charCodeAt(at) !== 0x3c) return readText();
    const next = text.charCodeAt(at + 1);
    if (next === 0x2f) return readClosingTag();
    if (next === 0x3f) return skipTo('?>', 2);
    if (next === 0x21) return readDeclaration();
    return Number.isNaN(next) ? false : readOpeningTag();
  }

  function readText(): boolean {
    const stop = find('<');
    if (stop === -1 && !isEnded) return false;
    const raw = text.slice(at, stop === -1 ? text.length : stop);
    moveTo(at + raw.length);
    if (open.length === 0) {
      if (/[^\s\ufeff]/.test(raw)) throw new XmlError('it has text outside of all elements');
    } else onText(decodeEntities(withoutReturns(raw)));
    return true;
  }

  function readOpeningTag(): boolean {
    const stop = tag.read(text, at + 1);
    if (stop === -1) return false;
    const { name, isEmpty } = tag;
    if (open.length === 0 && hasRoot) throw new XmlError('it has more than one root element');
    hasRoot = true;
    open.push(name);
    if (open.length > depthMax) throw new XmlError(`its elements are nested deeper than ${depthMax}`);
    moveTo(stop);
    onOpen(name, tag);
    if (isEmpty) {
      open.pop();
      onClose(name);
    }
    return true;
  }

  function readClosingTag(): boolean {
    const stop = find('>');
    if (stop === -1) return false;
    const name = readName(text, at + 2, stop);
    if (open.pop() !== name) throw new XmlError(`the end tag "${name}" does not belong to an open element`);
    moveTo(stop + 1);
    onClose(name);
    return true;
  }

  /** Reads a comment or CDATA. Anything else is a document type. */
  function readDeclaration(): boolean {
    const start = text.slice(at, at + 9);
    if (start.startsWith('<!--')) return skipTo('-->', 4);
    if (start === '<![CDATA[') return readCharacterData();
    if (!isEnded && ('<!--'.startsWith(start) || '<![CDATA['.startsWith(start))) return false;
    throw new XmlError('it has a document type declaration, which no spreadsheet program writes');
  }

  function readCharacterData(): boolean {
    const stop = find(']]>', 9);
    if (stop === -1) return false;
    const raw = text.slice(at + 9, stop);
    moveTo(stop + 3);
    if (open.length === 0) throw new XmlError('it has text outside of all elements');
    onText(withoutReturns(raw));
    return true;
  }

  function skipTo(mark: string, offset: number): boolean {
    const stop = find(mark, offset);
    if (stop === -1) return false;
    moveTo(stop + mark.length);
    return true;
  }

  /** Finds a mark after the start of the token. What was searched for a former chunk is not searched again. */
  function find(mark: string, offset = 0): number {
    const stop = text.indexOf(mark, Math.max(at + offset, searched));
    if (stop === -1) searched = Math.max(at + offset, text.length - mark.length + 1);
    return stop;
  }

  function moveTo(position: number): void {
    at = position;
    searched = position;
  }

  return { write, end };
}

/** Normalizes line ends (XML 1.0 §2.11). */
function withoutReturns(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

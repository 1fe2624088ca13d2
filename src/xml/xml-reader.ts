import { decodeEntities, XmlError } from './decode-entities.ts';
import { createOpenElements } from './open-elements.ts';
import { createTextCursor } from './text-cursor.ts';
import { createTag, type XmlTag } from './xml-tag.ts';

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

/** Maximum length of a tag or a text, in UTF-16 code units. A cell of Excel has at most 32,767 characters, an escaped one seven times that. */
const tokenCharsMax = 4 * 1024 * 1024;

/**
 * Creates a reader for the XML of spreadsheets: elements, attributes, text, CDATA, the predefined entities.
 *
 * It is fast because it knows nothing else: a document type is rejected, and with it all entities that expand. Prefixes of names are ignored;
 * names, attributes and nesting are checked as far as they are used.
 */
export function createXmlReader({ onOpen, onClose, onText }: XmlHandler): XmlReader {
  const cursor = createTextCursor();
  const elements = createOpenElements();
  const tag = createTag();
  let isEnded = false;

  function write(chunk: string): void {
    cursor.append(chunk);
    while (readToken());
    if (cursor.text().length - cursor.at() > tokenCharsMax) throw new XmlError('a tag or a text is too long');
  }

  function end(): void {
    isEnded = true;
    while (readToken());
    if (cursor.at() < cursor.text().length) throw new XmlError('it ends within a tag');
    elements.end();
  }

  /** Reads the next tag, or the text before it; false when it needs more text. */
  function readToken(): boolean {
    const text = cursor.text();
    const at = cursor.at();
    if (at >= text.length) return false;
    if (text.charCodeAt(at) !== 0x3c) return readText(text, at);
    const next = text.charCodeAt(at + 1);
    if (next === 0x2f) return readClosingTag(text, at);
    if (next === 0x3f) return skipTo('?>', 2);
    if (next === 0x21) return readDeclaration(text, at);
    return Number.isNaN(next) ? false : readOpeningTag(text, at);
  }

  function readText(text: string, at: number): boolean {
    const stop = cursor.find('<');
    if (stop === -1 && !isEnded) return false;
    const raw = stop === -1 ? text.slice(at) : text.slice(at, stop);
    cursor.moveTo(at + raw.length);
    if (elements.isWithin()) onText(decodeEntities(withoutReturns(raw)));
    else if (/[^\s\ufeff]/.test(raw)) throw new XmlError('it has text outside of all elements');
    return true;
  }

  function readOpeningTag(text: string, at: number): boolean {
    const stop = tag.read(text, at + 1);
    if (stop === -1) return false;
    cursor.moveTo(stop);
    elements.open(tag.fullName, tag.name);
    onOpen(tag.name, tag);
    if (tag.isEmpty) onClose(elements.close());
    return true;
  }

  function readClosingTag(text: string, at: number): boolean {
    const stop = cursor.find('>');
    if (stop === -1) return false;
    cursor.moveTo(stop + 1);
    onClose(elements.closeNamed(text, at + 2, stop));
    return true;
  }

  /** Reads a comment or CDATA. Anything else is a document type. */
  function readDeclaration(text: string, at: number): boolean {
    const start = text.slice(at, at + 9);
    if (start.startsWith('<!--')) return skipTo('-->', 4);
    if (start === '<![CDATA[') return readCharacterData(text, at);
    if (!isEnded && ('<!--'.startsWith(start) || '<![CDATA['.startsWith(start))) return false;
    throw new XmlError('it has a document type declaration, which no spreadsheet program writes');
  }

  function readCharacterData(text: string, at: number): boolean {
    const stop = cursor.find(']]>', 9);
    if (stop === -1) return false;
    cursor.moveTo(stop + 3);
    if (!elements.isWithin()) throw new XmlError('it has text outside of all elements');
    onText(withoutReturns(text.slice(at + 9, stop)));
    return true;
  }

  function skipTo(mark: string, offset: number): boolean {
    const stop = cursor.find(mark, offset);
    if (stop === -1) return false;
    cursor.moveTo(stop + mark.length);
    return true;
  }

  return { write, end };
}

/** Normalizes line ends (XML 1.0 §2.11). */
function withoutReturns(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

import { isoDateText } from '../cells/date-text.ts';
import { numberText } from '../cells/number-text.ts';
import type { XmlTag } from '../../xml/xml-tag.ts';
import { durationText } from './duration-text.ts';

/** Reader of the cells of a sheet, one after the other. */
export interface OdsCellReader {
  /** Starts a cell. Returns true when its value is an error. */
  readonly open: (tag: XmlTag) => boolean;
  /** Starts an element in the cell. */
  readonly openPart: (name: string, tag: XmlTag) => void;
  readonly closePart: () => void;
  /** Adds text, which counts within paragraphs only. */
  readonly addText: (text: string) => void;
  /** Returns the text of the cell. */
  readonly text: () => string;
}

/** Parts of a paragraph that are not its text. */
const skippedParts: readonly string[] = ['annotation', 'note', 'ruby-text'];
/** Spaces that one element can stand for: a cell has no more characters. */
const spacesMax = 32_767;

/** Creates a reader of cells (OpenDocument 1.3 part 3, section 9.1.4). The value is in the attributes, or else in the paragraphs. */
export function createOdsCellReader(): OdsCellReader {
  let value: string | null = null;
  let paragraphs: string[] = [];
  let depth = 0;
  /** Depth of the open paragraph, and of a part that is no text; 0: none. */
  let paragraphDepth = 0;
  let skippedDepth = 0;

  function open(tag: XmlTag): boolean {
    paragraphs = [];
    depth = 0;
    const isError = tag.attribute('calcext:value-type') === 'error';
    value = isError ? '' : valueOf(tag);
    return isError;
  }

  function openPart(name: string, tag: XmlTag): void {
    depth += 1;
    if (skippedDepth > 0) return;
    if (paragraphDepth > 0) openInParagraph(name, tag);
    else if (name === 'p') {
      paragraphDepth = depth;
      paragraphs.push('');
    } else skippedDepth = depth;
  }

  function openInParagraph(name: string, tag: XmlTag): void {
    if (name === 's')
      append(' '.repeat(Math.min(Math.max(Number(tag.attribute('c') ?? 1) || 1, 1), spacesMax)));
    else if (name === 'tab') append('\t');
    else if (name === 'line-break') append('\n');
    else if (skippedParts.includes(name)) skippedDepth = depth;
  }

  function closePart(): void {
    if (depth === skippedDepth) skippedDepth = 0;
    else if (depth === paragraphDepth) paragraphDepth = 0;
    depth -= 1;
  }

  function append(text: string): void {
    paragraphs[paragraphs.length - 1] += text;
  }

  return {
    open,
    openPart,
    closePart,
    addText(text) {
      // White space is collapsed (OpenDocument 1.3 part 3, section 6.1.2).
      if (paragraphDepth > 0 && skippedDepth === 0) append(text.replace(/[\t\n\r ]+/g, ' '));
    },
    text: () => (value === null ? paragraphs.join('\n') : shownValue(value, paragraphs)),
  };
}

/** Returns a value as the sheet shows it where its number format gives it zeros in front, or makes it a Boolean; else as it is stored. */
function shownValue(value: string, [shown, ...others]: readonly string[]): string {
  if (shown === undefined || others.length > 0) return value;
  if (/^0[0-9]+$/.test(shown) && Number(shown) === Number(value)) return shown;
  if ((shown === 'TRUE' && value === '1') || (shown === 'FALSE' && value === '0')) return shown;
  return value;
}

/** Returns the value of a cell by its type; null for text. Dates have their own form, whatever the sheet shows. */
function valueOf(tag: XmlTag): string | null {
  switch (tag.attribute('office:value-type')) {
    case 'float':
    case 'percentage':
    case 'currency':
      return numberText(tag.attribute('office:value') ?? '');
    case 'date':
      return isoDateText(tag.attribute('office:date-value') ?? '', null);
    case 'time':
      return durationText(tag.attribute('office:time-value') ?? '');
    case 'boolean':
      return tag.attribute('office:boolean-value') === 'true' ? 'TRUE' : 'FALSE';
    default:
      return tag.attribute('office:string-value') ?? null;
  }
}

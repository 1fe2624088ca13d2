import { XmlError } from './decode-entities.ts';

/** Maximum nesting of elements. Spreadsheets have about 12. */
const depthMax = 100;

/** Elements of a document that are open, the innermost last. */
export interface OpenElements {
  /** Opens an element by its name with and without its prefix. @throws XmlError for a second root, and beyond the maximum nesting. */
  readonly open: (fullName: string, name: string) => void;
  /** Closes the innermost element, and returns its name without prefix. */
  readonly close: () => string;
  /** Closes the innermost element by the end tag between two positions. @throws XmlError when the tag is that of another element. */
  readonly closeNamed: (text: string, start: number, stop: number) => string;
  readonly isWithin: () => boolean;
  /** @throws XmlError when elements are open, or there was none. */
  readonly end: () => void;
}

/** Creates an empty list. */
export function createOpenElements(): OpenElements {
  const fullNames: string[] = [];
  const names: string[] = [];
  let hasRoot = false;

  function open(fullName: string, name: string): void {
    if (fullNames.length === 0 && hasRoot) throw new XmlError('it has more than one root element');
    hasRoot = true;
    fullNames.push(fullName);
    names.push(name);
    if (names.length > depthMax) throw new XmlError(`its elements are nested deeper than ${depthMax}`);
  }

  function close(): string {
    fullNames.pop();
    return names.pop() ?? '';
  }

  function closeNamed(text: string, start: number, stop: number): string {
    const fullName = fullNames[fullNames.length - 1];
    const isSame = fullName !== undefined && text.startsWith(fullName, start);
    if (
      !isSame ||
      (start + fullName.length !== stop && text.slice(start + fullName.length, stop).trim() !== '')
    )
      throw new XmlError(
        `the end tag ${JSON.stringify(text.slice(start, Math.min(stop, start + 80)))} closes no element`,
      );
    return close();
  }

  function end(): void {
    if (names.length > 0) throw new XmlError(`the element "${names.at(-1)}" is not closed`);
    if (!hasRoot) throw new XmlError('it has no content');
  }

  return { open, close, closeNamed, isWithin: () => names.length > 0, end };
}

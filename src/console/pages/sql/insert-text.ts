/** Replaces a range of a text area as if the user typed it, so that undo works, and moves the caret behind it. */
export function insertText(area: HTMLTextAreaElement, text: string, from: number, to: number): void {
  area.focus();
  area.setSelectionRange(from, to);
  // Deprecated, and the only way after which the user can undo. https://w3c.github.io/editing/docs/execCommand/
  document.execCommand('insertText', false, text);
}

/** Inserts a name at the caret, with a space after a word before it. */
export function insertName(area: HTMLTextAreaElement, name: string): void {
  const { selectionStart: from, selectionEnd: to, value } = area;
  const isAfterWord = /[\p{L}\p{N}_,)]$/u.test(value.slice(0, from));
  insertText(area, `${isAfterWord ? ' ' : ''}${name}`, from, to);
}

/** Replaces the whole text. */
export function replaceText(area: HTMLTextAreaElement, text: string): void {
  insertText(area, text, 0, area.value.length);
}

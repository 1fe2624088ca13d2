/** Creates a function that removes the first lines of a text from its chunks. */
export function createLineSkipper(lines: number): (chunk: string) => string {
  let left = lines;
  let before = '';
  return (chunk) => {
    if (left === 0 && before === '') return chunk;
    // The line feed of CR LF can be the first character of the next chunk.
    let rest = before + chunk;
    before = '';
    for (; left > 0; left -= 1) {
      const end = /\r\n|\n|\r(?!$)/.exec(rest);
      if (end === null) {
        before = rest.endsWith('\r') ? '\r' : '';
        return '';
      }
      rest = rest.slice(end.index + end[0].length);
    }
    return rest;
  };
}

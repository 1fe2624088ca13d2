/** Parses JSON to search it for errors; undefined for other text, which the parser of the answer reports. */
export function parseLeniently(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

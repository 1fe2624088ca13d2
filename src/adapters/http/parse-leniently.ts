/** The JSON of a text whose errors are looked for; undefined where it is none, which whoever reads it as an answer will tell. */
export function parseLeniently(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

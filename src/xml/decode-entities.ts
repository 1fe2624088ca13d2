const predefined: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Error of the XML itself. The reader of the file adds name, place and remedy. */
export class XmlError extends Error {}

/**
 * Replaces the five predefined entities and character references. Entities of a document type do not exist here, so nothing expands.
 *
 * @throws XmlError for any other entity, and for a reference to no character of XML.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&]{0,32});?/g, (entity, name: string) => {
    const character = entity.endsWith(';') ? (predefined[name] ?? characterOf(name)) : undefined;
    if (character === undefined) throw new XmlError(`the entity ${JSON.stringify(entity)} is not defined`);
    return character;
  });
}

function characterOf(reference: string): string | undefined {
  const match = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(reference);
  if (match === null) return undefined;
  const code = match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16);
  return isCharacter(code) ? String.fromCodePoint(code) : undefined;
}

/** Production `Char` of XML 1.0. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

/** Format of a file by its content. `text`: CSV, or what the CSV reader rejects. */
export type ContentFormat = 'zip' | 'parquet' | 'ndjson' | 'json' | 'text';

/** Number of decompressed bytes that the detection needs, if the file has as many. */
export const detectBytes = 64 * 1024;

/**
 * Detects the format of a file by its first bytes; its name does not matter.
 *
 * A text is JSON only when its beginning cannot be that of a CSV file: `[` before a value, or a line that is a JSON object or array.
 */
export function detectFormat(head: Buffer): ContentFormat {
  const start = head.toString('latin1', 0, 4);
  if (start === 'PK\x03\x04' || start === 'PK\x05\x06') return 'zip';
  if (start === 'PAR1' || start === 'PARE') return 'parquet';
  return jsonFormat(headText(head));
}

/** Decodes the beginning of a text that can be JSON: UTF-8, or UTF-16 with a byte order mark. */
function headText(head: Buffer): string {
  const bytes = head.subarray(0, detectBytes);
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xfffe) return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 0xfeff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}

function jsonFormat(text: string): ContentFormat {
  const trimmed = text.trimStart();
  if (trimmed[0] !== '{' && trimmed[0] !== '[') return 'text';
  const lines = trimmed.split(/\r\n|\n|\r/, 20).filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  if (isContainer(first)) {
    if (trimmed[0] === '{') return 'ndjson';
    return lines[1] !== undefined && /^\s*\[/.test(lines[1]) ? 'ndjson' : 'json';
  }
  // `[name];[domain]` is a header of CSV, `[{"name"` and `["acme.com",` are JSON.
  if (trimmed[0] === '[') return isArrayStart(trimmed) ? 'json' : 'text';
  // A broken first line is one rejected record of many; an object over several lines is none.
  return /^\{\s*(?:"|\})/.test(trimmed) || lines.some(isContainer) ? 'ndjson' : 'text';
}

/** True for a line that is a JSON object or array. */
function isContainer(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function isArrayStart(text: string): boolean {
  if (/^\[\s*(?:[{[\]]|"(?:[^"\\]|\\.)*"\s*[,\]])/.test(text)) return true;
  // A first text that goes beyond what is known of the file.
  return text.length > detectBytes / 4 && /^\[\s*"(?:[^"\\]|\\.)*$/.test(text);
}

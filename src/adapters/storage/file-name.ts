import { isListedPath } from '../../core/storage/storage-path.ts';

const charsMax = 200;

/**
 * Returns the name of a file at a web address: that of `Content-Disposition` (RFC 6266), else the last part of the path, else `list`. Only
 * the part after the last slash counts, and characters that no file name should have are replaced.
 */
export function fileName(disposition: string | null, url: URL): string {
  const candidates = [extendedName(disposition), plainName(disposition), decode(url.pathname)];
  const names = candidates.map((name) => safeName(name ?? ''));
  return names.find((name) => isListedPath(name)) ?? 'list';
}

/** `filename*=UTF-8''liste%20gr%C3%B6%C3%9Fe.csv` (RFC 8187). */
function extendedName(disposition: string | null): string | null {
  const [, coded] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition ?? '') ?? [];
  return coded === undefined ? null : decode(coded);
}

function plainName(disposition: string | null): string | null {
  const [, quoted, token] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(disposition ?? '') ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? token ?? null;
}

function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  return [...last.replace(/[\p{Cc}\p{Cs}]/gu, '_').trim()].slice(-charsMax).join('');
}

/** Null for a text with broken escapes. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

import type { ParsedCompany } from './company.ts';
import { hasControlCharacter } from './control-character.ts';
import { advertiserIdRemedy, parseAdvertiserId } from './advertiser-id.ts';
import { advertiserRoles, type AdvertiserRole, type MappingEntry } from './company-mapping.ts';

/** The longest note, in UTF-16 units. Our choice. */
const noteCharsMax = 500;

/** Role of one advertiser for one company, as given by a person. */
export interface GivenMapping {
  readonly company: ParsedCompany;
  readonly advertiserId: string;
  /** In any case; empty for `allow`. */
  readonly role: string;
  /** Null, or empty in a file, for none. */
  readonly note: string | null;
}

/** An entry with its warnings; or all errors of it with their remedies, for people. */
export type ReadMapping =
  | { readonly kind: 'entry'; readonly entry: MappingEntry; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] };

/** Parses one entry of a mapping. Never throws. */
export function readMapping({ company, advertiserId, ...given }: GivenMapping): ReadMapping {
  const id = parseAdvertiserId(advertiserId);
  const role = parseRole(given.role);
  const note = given.note === null ? null : given.note.trim().replace(/\s+/g, ' ');
  if (company.kind === 'company' && id.kind === 'id' && role !== null && whyBadNote(note) === null) {
    const entry = { companyKey: company.company.key, advertiserId: id.advertiserId, role, note };
    return { kind: 'entry', entry, warnings: [company.warning, id.warning].filter((text) => text !== null) };
  }
  const reasons = [
    company.kind === 'rejected' ? `${company.reason} (write the company's domain, or its name)` : null,
    id.kind === 'not_an_id' ? `${id.reason} (${advertiserIdRemedy})` : null,
    role === null ? `unknown role (known roles: ${advertiserRoles.join(', ')})` : null,
    whyBadNote(note),
  ];
  return { kind: 'refused', reasons: reasons.filter((text) => text !== null) };
}

function parseRole(text: string): AdvertiserRole | null {
  const name = text.trim().toLowerCase();
  return name === '' ? 'allow' : (advertiserRoles.find((role) => role === name) ?? null);
}

function whyBadNote(note: string | null): string | null {
  if (note === null) return null;
  if (note.length > noteCharsMax) return `a note of more than ${noteCharsMax} characters (shorten it)`;
  return hasControlCharacter(note) ? 'control or broken characters in the note (leave them out)' : null;
}

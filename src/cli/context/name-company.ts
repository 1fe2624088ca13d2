import { parseCompany, type CompanyQuery } from '../../core/companies/company.ts';
import { ValidationError } from '../../core/errors.ts';
import type { Output } from '../terminal/output.ts';

/**
 * Parses a company from one argument: a domain or a web address, otherwise a name. A web address that belongs to no company is
 * rejected. A word with a dot that is not a domain counts as a name, with a note, because some names have a dot.
 *
 * @throws ValidationError when it is neither.
 */
export function nameCompany(output: Pick<Output, 'note'>, text: string): CompanyQuery {
  const byDomain = parseCompany({ domain: text });
  if (byDomain.kind === 'company') return byDomain.company;
  const byName = text.includes('/') ? byDomain : parseCompany({ name: text });
  if (byName.kind === 'rejected') {
    throw new ValidationError(
      `Invalid company ${JSON.stringify(text)}: ${byName.reason}. Use a domain, such as nike.com, or a name.`,
    );
  }
  if (/^\S+\.\S+$/.test(text.trim())) output.note(`Treated as a name, because it is ${byDomain.reason}.`);
  return byName.company;
}

/** Splits a company key for display: the domain or the normalised name, and which of the two it is. */
export function showKey(key: string): { readonly company: string; readonly by: 'domain' | 'name' } {
  return { company: key.slice(2), by: key.startsWith('d:') ? 'domain' : 'name' };
}

import { parseCompany, type CompanyQuery } from '../../core/companies/company.ts';
import { ValidationError } from '../../core/errors.ts';
import type { Output } from '../terminal/output.ts';

/**
 * Reads a company from one argument: a domain or a web address, else a name. An address that belongs to no company is never taken for
 * a name; a word with a dot is, and said so, because some names have one.
 *
 * @throws ValidationError when it is neither.
 */
export function nameCompany(output: Pick<Output, 'note'>, text: string): CompanyQuery {
  const byDomain = parseCompany({ domain: text });
  if (byDomain.kind === 'company') return byDomain.company;
  const byName = text.includes('/') ? byDomain : parseCompany({ name: text });
  if (byName.kind === 'rejected') {
    throw new ValidationError(
      `${JSON.stringify(text)} names no company: ${byName.reason}. Write its domain, such as nike.com, or its name.`,
    );
  }
  if (/^\S+\.\S+$/.test(text.trim())) output.note(`Taken for a name, because it is ${byDomain.reason}.`);
  return byName.company;
}

/** A company key for people: the domain or the normalised name, and which of the two. */
export function showKey(key: string): { readonly company: string; readonly by: 'domain' | 'name' } {
  return { company: key.slice(2), by: key.startsWith('d:') ? 'domain' : 'name' };
}

import { parseCompany, type CompanyQuery } from '../../companies/company.ts';
import { ValidationError } from '../../errors.ts';
import type { ShapeDifference } from '../reply-shape.ts';

/** Account that pays for a smoke test, and the company that it searches. */
export interface SmokeOptions {
  readonly accountId: number;
  readonly company: CompanyQuery;
}

/** Result of a smoke test. */
export interface SmokeResult extends ShapeDifference {
  readonly source: string;
  /** Outcome of the search, or the code of its error. */
  readonly outcome: string;
  /** Reason why the response could not be parsed; null when it could. */
  readonly reason: string | null;
  /** False for a company without ads: then there is nothing to compare, and nothing is stored. */
  readonly isCompared: boolean;
  /** Number of responses; 0 if no call was made. */
  readonly replies: number;
}

/**
 * Parses the company of a smoke test. It needs a domain, because the recorded responses are those of searches by domain.
 *
 * @param where option or field of the domain, for the error.
 * @throws ValidationError
 */
export function parseSmokeCompany(
  { domain, name }: { readonly domain: string; readonly name?: string | undefined },
  where: string,
): CompanyQuery {
  const parsed = parseCompany(name === undefined ? { domain } : { domain, name });
  if (parsed.kind === 'rejected') throw new ValidationError(`${where}: ${parsed.reason}.`);
  if (parsed.company.domain === null) throw new ValidationError(`${where}: ${parsed.warning}.`);
  return parsed.company;
}

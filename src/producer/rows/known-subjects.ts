import type { LookupCounts } from '../../core/credits/estimate.ts';
import type { Operation } from '../../core/credits/price-book.ts';
import { createFirstLines, type FirstLines } from './first-lines.ts';
import type { TakenRow } from './parse-row.ts';

/** Company or address of several rows. */
export interface RepeatedSubject {
  /** Normalised company or address. */
  readonly text: string;
  readonly operation: Operation;
  /** Number of its rows, including the first. */
  readonly rows: number;
  /** Line of the first row. */
  readonly firstLineNo: number;
}

/** New lookups of a row, and the first row of its repeated ones. */
export interface Acquaintance {
  /** Operations of the lookups that the row adds. */
  readonly brings: readonly Operation[];
  /** Line of the first row with the same company or address; null where nothing is repeated. */
  readonly firstLineNo: number | null;
}

/** Distinct companies and addresses of the rows so far. */
export interface KnownSubjects {
  readonly add: (row: TakenRow, lineNo: number) => Acquaintance;
  /** Number of distinct companies and addresses so far. */
  readonly counts: () => LookupCounts;
  /** Most frequent lookups, in descending order; 20 at most. */
  readonly repeated: () => readonly RepeatedSubject[];
}

const repeatedMax = 20;

/** Creates an empty set. */
export function createKnownSubjects(): KnownSubjects {
  const lines: Readonly<Record<Operation, FirstLines>> = {
    ads_search: createFirstLines(),
    email_validation: createFirstLines(),
  };
  const again = new Map<string, RepeatedSubject>();

  /** Returns the line of the first occurrence; null when this is the first, or when there is no subject. */
  function meet(operation: Operation, subject: Subject | null, lineNo: number): number | null {
    if (subject === null) return null;
    const firstLineNo = lines[operation].meet(subject.key, lineNo);
    if (firstLineNo === null) return null;
    const rows = (again.get(subject.key)?.rows ?? 1) + 1;
    again.set(subject.key, { text: textOf(subject), operation, rows, firstLineNo });
    return firstLineNo;
  }

  function add({ company, address }: TakenRow, lineNo: number): Acquaintance {
    const companyLineNo = meet('ads_search', company, lineNo);
    const addressLineNo = meet('email_validation', address, lineNo);
    const bringsCompany = company !== null && companyLineNo === null;
    const bringsAddress = address !== null && addressLineNo === null;
    return {
      brings: operationsOf[bringsCompany ? 1 : 0][bringsAddress ? 1 : 0],
      firstLineNo: companyLineNo ?? addressLineNo,
    };
  }

  return {
    add,
    counts: () => ({ ads_search: lines.ads_search.size(), email_validation: lines.email_validation.size() }),
    repeated: () => [...again.values()].sort((one, other) => other.rows - one.rows).slice(0, repeatedMax),
  };
}

/** Operations by whether there is a company, and an address. */
const operationsOf = [
  [[], ['email_validation']],
  [['ads_search'], ['ads_search', 'email_validation']],
] as const satisfies readonly (readonly (readonly Operation[])[])[];

type Subject = NonNullable<TakenRow['company'] | TakenRow['address']>;

function textOf(subject: Subject): string {
  return 'email' in subject ? subject.email : (subject.domain ?? subject.name ?? '');
}

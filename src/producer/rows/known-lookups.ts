import type { LookupCounts } from '../../core/credits/estimate.ts';
import type { Operation } from '../../core/credits/price-book.ts';
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
  const lines: Readonly<Record<Operation, Map<string, number>>> = {
    ads_search: new Map(),
    email_validation: new Map(),
  };
  const again = new Map<string, RepeatedSubject>();

  /** Returns the line of the first occurrence; null when this is the first. */
  function meet(subject: Subject, lineNo: number): number | null {
    const { operation, key, text } = subject;
    const firstLineNo = lines[operation].get(key);
    if (firstLineNo === undefined) {
      lines[operation].set(key, lineNo);
      return null;
    }
    const rows = (again.get(key)?.rows ?? 1) + 1;
    again.set(key, { text, operation, rows, firstLineNo });
    return firstLineNo;
  }

  function add(row: TakenRow, lineNo: number): Acquaintance {
    const met = subjectsOf(row).map((subject) => ({ subject, firstLineNo: meet(subject, lineNo) }));
    return {
      brings: met.flatMap(({ subject, firstLineNo }) => (firstLineNo === null ? [subject.operation] : [])),
      firstLineNo: met.find(({ firstLineNo }) => firstLineNo !== null)?.firstLineNo ?? null,
    };
  }

  return {
    add,
    counts: () => ({ ads_search: lines.ads_search.size, email_validation: lines.email_validation.size }),
    repeated: () => [...again.values()].sort((one, other) => other.rows - one.rows).slice(0, repeatedMax),
  };
}

interface Subject {
  readonly operation: Operation;
  readonly key: string;
  readonly text: string;
}

function subjectsOf({ company, address }: TakenRow): readonly Subject[] {
  const subjects: Subject[] = [];
  if (company !== null) {
    const text = company.domain ?? company.name ?? '';
    subjects.push({ operation: 'ads_search', key: company.key, text });
  }
  if (address !== null) {
    subjects.push({ operation: 'email_validation', key: address.key, text: address.email });
  }
  return subjects;
}

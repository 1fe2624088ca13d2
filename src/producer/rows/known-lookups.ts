import type { LookupCounts } from '../../core/credits/estimate.ts';
import type { Operation } from '../../core/credits/price-book.ts';
import type { TakenRow } from './parse-row.ts';

/** A company or an address that several rows name. */
export interface RepeatedSubject {
  /** As it was understood. */
  readonly text: string;
  readonly operation: Operation;
  /** Rows that name it, the first one included. */
  readonly rows: number;
  /** The line of the first of them. */
  readonly firstLineNo: number;
}

/** New lookups of a row, and the rows that named its other lookups first. */
export interface Acquaintance {
  /** The operations of the lookups that the row brings in. */
  readonly brings: readonly Operation[];
  /** The line of the first row that names what this one repeats; null where it repeats nothing. */
  readonly firstLineNo: number | null;
}

/** The companies and addresses of a list, as its rows name them in turn. */
export interface KnownSubjects {
  readonly add: (row: TakenRow, lineNo: number) => Acquaintance;
  /** Distinct ones so far. */
  readonly counts: () => LookupCounts;
  /** Most frequent lookups, in descending order; 20 at most. */
  readonly repeated: () => readonly RepeatedSubject[];
}

const repeatedMax = 20;

export function createKnownSubjects(): KnownSubjects {
  const lines: Readonly<Record<Operation, Map<string, number>>> = {
    ads_search: new Map(),
    email_validation: new Map(),
  };
  const again = new Map<string, RepeatedSubject>();

  /** The line where the subject was named first; null when that is here. */
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

import type { Operation } from '../../core/credits/price-book.ts';
import type { RawRow } from '../columns/company-file.ts';
import type { Acquaintance } from '../rows/known-subjects.ts';
import type { ParsedRow } from '../rows/parse-row.ts';

/** Preview of one row as it would be loaded. */
export interface PreviewRow {
  readonly rowNo: number;
  readonly lineNo: number;
  readonly cells: readonly string[];
  /** Result of loading the row. A duplicate adds no lookup. */
  readonly becomes: 'taken' | 'duplicate' | 'rejected';
  readonly companyDomain: string | null;
  readonly companyName: string | null;
  readonly email: string | null;
  /** Reason of the rejection. */
  readonly reason: string | null;
  /** Warning about a part of an accepted row that is ignored. */
  readonly warning: string | null;
  /** Line of the first row with the same company or address. */
  readonly firstLineNo: number | null;
  /** Operations of the lookups that the row adds: their prices are its maximum cost. */
  readonly brings: readonly Operation[];
}

/** Number of rows in a preview; our choice: as many as fit on a screen. */
const previewRowsMax = 20;

/** Collector of the first rows of a file. */
export interface Preview {
  readonly add: (row: RawRow, parsed: ParsedRow, found: Acquaintance) => void;
  readonly rows: () => readonly PreviewRow[];
}

/** Creates an empty preview. */
export function createPreview(): Preview {
  const rows: PreviewRow[] = [];
  return {
    add(row, parsed, found) {
      if (rows.length < previewRowsMax) rows.push(toPreviewRow(row, parsed, found));
    },
    rows: () => rows,
  };
}

function toPreviewRow({ rowNo, lineNo, cells }: RawRow, parsed: ParsedRow, found: Acquaintance): PreviewRow {
  const place = { rowNo, lineNo, cells, ...found };
  if (parsed.kind === 'rejected') {
    const nothing = { companyDomain: null, companyName: null, email: null, warning: null };
    return { ...place, ...nothing, becomes: 'rejected', reason: parsed.reason };
  }
  return {
    ...place,
    becomes: found.brings.length === 0 ? 'duplicate' : 'taken',
    companyDomain: parsed.company?.domain ?? null,
    companyName: parsed.company?.name ?? null,
    email: parsed.address?.email ?? null,
    reason: null,
    warning: parsed.warning,
  };
}

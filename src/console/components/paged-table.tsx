import type { ComponentChildren } from 'preact';
import type { Pages } from '../api/use-pages.ts';
import { PagedList } from './paged-list.tsx';
import { Table, type Column } from './table.tsx';

/** Table that loads page by page, with a button for more. */
export function PagedTable<Row>({
  pages,
  empty,
  ...table
}: {
  readonly pages: Pages<Row>;
  /** Text of the empty state. */
  readonly empty: ComponentChildren;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly rowClass?: (row: Row) => string | undefined;
}) {
  return (
    <PagedList pages={pages} empty={empty}>
      {(items) => <Table {...table} rows={items} />}
    </PagedList>
  );
}

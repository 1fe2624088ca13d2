import type { Column } from '../tables/table.tsx';

/** Column whose name in the URL is known. */
export type GridColumn<Row> = Column<Row> & { readonly id: string };

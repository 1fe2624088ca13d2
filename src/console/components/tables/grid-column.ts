import type { Column } from './table.tsx';

/** Column whose name in the URL is known. */
export type GridColumn<Row> = Column<Row> & { readonly id: string };

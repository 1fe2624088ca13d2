import { z } from '@hono/zod-openapi';
import { cellKinds } from '../../producer/columns/cell-kinds.ts';

/** The looks of a column's first rows, going by most of its cells. */
export const columnKinds = z.enum([...cellKinds, 'person', 'mixed', 'empty']).openapi('ColumnLooks', {
  description:
    'What most cells of the first rows are. `page`: pages on hosts that many share, pictures or documents; `person`: names of persons.',
});

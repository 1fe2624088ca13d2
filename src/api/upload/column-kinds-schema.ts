import { z } from '@hono/zod-openapi';
import { cellKinds } from '../../producer/columns/cell-kinds.ts';

/** Kind of a column: that of most cells in its first rows. */
export const columnKinds = z.enum([...cellKinds, 'person', 'mixed', 'empty']).openapi('ColumnLooks', {
  description:
    'Kind of most cells in the first rows. `page`: web pages on shared hosts, pictures or documents. `person`: names of persons.',
});

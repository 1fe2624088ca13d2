import type { RecordedShape } from '../../core/sources/reply-shape.ts';
import { keysUnder } from '../replies/keys-under.ts';

/** The list of creatives of a domain, `SearchCreatives`: replies that others recorded and published in August 2026. */
export const transparencyShape: RecordedShape = {
  always: [
    '1',
    ...keysUnder('1[]', ['1', '2', '3', '4', '6', '6.1', '7', '7.1', '12']),
    ...keysUnder('1[].3', ['3', '3.2']),
    '4',
    '5',
  ],
  sometimes: [
    '2',
    ...keysUnder('1[]', ['6.2', '7.2', '13', '14']),
    ...keysUnder('1[].3', ['1', '1.4', '2', '5']),
  ],
};

/** The sources there are, in the order in which they are listed. */
export const sourceNames = [
  'snapshot',
  'upstream',
  'serpapi',
  'dataforseo',
  'adyntel',
  'transparency',
  'bigquery',
  'mapped',
  'sample',
] as const;
export type SourceName = (typeof sourceNames)[number];

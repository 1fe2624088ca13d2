/** Answers of calls that may have been charged. A call that failed by the source's own report, or was never sent, has another. */
export const chargedAnswers = [
  'found',
  'none',
  'no_match',
  'candidates',
  'in_doubt',
  'source_unreadable',
] as const;

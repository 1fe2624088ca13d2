import type { PartialReason } from './ads-answer.ts';

/** Completeness of an answer. */
export interface PartialAnswer {
  readonly partial: boolean;
  readonly partialReason: PartialReason | null;
  readonly uncertainAdvertisers: number | null;
}

/** Says for people why an answer may lack ads, and what to do: a sentence for each reason. */
export function partialMessages({
  partial,
  partialReason,
  uncertainAdvertisers: uncertain,
}: PartialAnswer): readonly string[] {
  return [
    ...(partial ? messagesOf(partialReason) : []),
    ...(uncertain === null ? [] : [uncertainMessage(uncertain)]),
  ];
}

function messagesOf(reason: PartialReason | null): readonly string[] {
  switch (reason) {
    // The number of advertisers is a sentence of its own.
    case 'uncertain_advertisers':
      return [];
    case 'too_many_advertisers':
      return [
        'Many advertisers have words of this name: only those with the exact name were evaluated. Map the others with nightshift companies map.',
      ];
    default:
      return ['A later page could not be fetched: there may be more ads.'];
  }
}

function uncertainMessage(count: number): string {
  const advertisers = count === 1 ? '1 advertiser' : `${count.toLocaleString('en')} advertisers`;
  return `${advertisers} may belong to the company: decide with nightshift companies review.`;
}

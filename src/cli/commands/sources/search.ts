import { partialMessages } from '../../../core/ads/partial-messages.ts';
import type { StoredAnswer } from '../../../core/sources/search-ads.ts';
import { parseCompany } from '../../../core/companies/company.ts';
import { counted } from '../../../core/events/messages/text.ts';
import { momentText } from '../../../core/reports/days.ts';
import { ValidationError } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { toAdsSearchBody } from '../../../api/v1/ads/search-schema.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { chooseSources } from '../batches/load-file.ts';
import { parseSearch, type SearchFlags } from '../batches/search-options.ts';
import { creditsText } from '../../terminal/credits-text.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Options of `search`. */
export interface OneSearchOptions extends AccountOptions, SearchFlags {
  readonly domain?: string;
  readonly name?: string;
  readonly source?: string;
}

/** Number of ads in the text output; `--json` has all. */
const adsShown = 20;

/** Searches the ads of one company. `--json` prints the response of docs/architecture/contract.md, 2.2. */
export const searchOne: Command<[], OneSearchOptions> = async (context, options) => {
  const { domain, name, source } = options;
  const search = parseSearch(options);
  const parsed = parseCompany({ domain, name });
  if (parsed.kind === 'rejected') {
    throw new ValidationError(
      `No company to search: ${parsed.reason}. Use --domain nike.com or --name "Nike, Inc.".`,
    );
  }
  if (parsed.warning !== null) context.output.note(`Note: ${parsed.warning}.`);
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const sources = await chooseSources(context, source);
  await app.sources.registry.check(sources, search);
  const answer = await app.lookups.searchAds({
    accountId,
    company: parsed.company,
    sources,
    search,
    via: [],
    requestId: newId('req', Date.now()),
  });
  const body = toAdsSearchBody(answer);
  if (answer.source === 'sample')
    context.output.note('Note: the source sample is generated data, not real ads.');
  context.output.result(body, () =>
    [
      `${body.message} ${body.company_name}: ${counted(body.ads_count, 'ad')}, ${creditsText(answer.chargedMicro)} charged` +
        (answer.matchedBy === null ? '' : `, matched by ${answer.matchedBy}`) +
        (answer.observedAt === null
          ? ''
          : `, reported by ${answer.source} at ${momentText(answer.observedAt)}`),
      ...(body.ads_count === 0
        ? []
        : [
            formatTable(
              [
                { title: 'headline', hide: 3 },
                'format',
                { title: 'first seen', hide: 4 },
                { title: 'last seen', hide: 5 },
                { title: 'advertiser', hide: 2 },
                'creative',
                { title: 'link', hide: 1 },
              ],
              answer.ads
                .slice(0, adsShown)
                .map((ad) => [
                  ad.text?.headline ?? null,
                  ad.format,
                  ad.start,
                  ad.lastSeen,
                  ad.advertiserName,
                  ad.creativeId,
                  ad.originalUrl,
                ]),
              context.output.tableColumns(),
            ),
          ]),
      ...partialMessages(answer),
      ...(answer.truncated
        ? [`The company has more ads than requested${estimateText(answer.estimate)}.`]
        : []),
      ...(body.ads_count > adsShown
        ? [`… and ${(body.ads_count - adsShown).toLocaleString('en')} more; --json prints all.`]
        : []),
    ].join('\n'),
  );
  return exitCodes.done;
};

function estimateText(estimate: StoredAnswer['estimate']): string {
  if (estimate === null) return '';
  const { low, high } = estimate;
  const text = (count: number) => count.toLocaleString('en');
  return `: ${low === high ? text(low) : `${text(low)} to ${text(high)}`}, as estimated by the source`;
}

import type { AdvertiserRole, ListedMapping } from '../../../core/companies/company-mapping.ts';
import { advertiserIdRemedy, parseAdvertiserId } from '../../../core/companies/advertiser-id.ts';
import { readMapping } from '../../../core/companies/parse-mapping.ts';
import { ValidationError } from '../../../core/errors.ts';
import { visibleText } from '../../../core/reports/visible-text.ts';
import {
  readCompanyMapping,
  type LineRemark,
  type MappingFile,
} from '../../../producer/rows/read-company-mapping.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { nameCompany, showKey } from '../../context/name-company.ts';
import { openFile, type FileOptions } from '../batches/open-file.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Options of `companies map`. */
export interface MapOptions extends AccountOptions {
  readonly role: AdvertiserRole;
  readonly note?: string;
}

/** Options of `companies import`. */
export type ImportOptions = AccountOptions & Omit<FileOptions, 'operations'>;

const fromHere = { actor: 'cli', address: null };

/** Lists the advertisers of one company, or the whole mapping. */
export const listCompanies: Command<[string | undefined], AccountOptions> = async (
  context,
  options,
  text,
) => {
  const company = text === undefined ? undefined : nameCompany(context.output, text);
  const {
    sources: { companies },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const listed = await companies.list(accountId, { companyKey: company?.key });
  const mapped = listed.map(mappingJson);
  context.output.result(mapped, () =>
    mapped.length === 0
      ? context.output.commands(
          `${text === undefined ? 'No companies are mapped yet' : `No advertisers are mapped to ${visibleText(text)} yet`}. ` +
            'Map one with: nightshift companies map COMPANY ADVERTISER',
        )
      : mappingTable(mapped, context.output.tableColumns()),
  );
  return exitCodes.done;
};

function mappingTable(mapped: readonly ReturnType<typeof mappingJson>[], columnsMax: number): string {
  return formatTable(
    [
      'company',
      { title: 'key', hide: 2 },
      'advertiser',
      'role',
      { title: 'note', hide: 3 },
      { title: 'checked', hide: 1 },
    ],
    mapped.map((each) => Object.values(each)),
    columnsMax,
  );
}

/** Maps a company to advertisers, all of them or none. */
export const mapCompany: Command<[string, readonly string[]], MapOptions> = async (
  context,
  { role, note = null, ...options },
  text,
  advertiserIds,
) => {
  const company = nameCompany(context.output, text);
  const parsed = { kind: 'company', company, warning: null } as const;
  const read = advertiserIds.map((advertiserId) =>
    readMapping({ company: parsed, advertiserId, role, note }),
  );
  const reasons = read.flatMap((each) => (each.kind === 'refused' ? each.reasons : []));
  if (reasons.length > 0) throw new ValidationError(`Nothing was mapped: ${reasons.join('; ')}.`);
  const entries = read.flatMap((each) => (each.kind === 'entry' ? [each.entry] : []));
  const warnings = read.flatMap((each) => (each.kind === 'entry' ? each.warnings : []));
  for (const warning of warnings) context.output.note(`Note: ${warning}.`);
  const {
    sources: { companies },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const { added } = await companies.map(accountId, entries, fromHere);
  const result = { ...showKey(company.key), role, mapped: entries.length, added, warnings };
  context.output.result(
    result,
    () => `${result.company}: ${result.mapped} mapped as ${role}, ${added} of them new.`,
  );
  return exitCodes.done;
};

/** Removes advertisers from the mapping of a company, or all of them. */
export const removeCompany: Command<[string, readonly string[]], AccountOptions> = async (
  context,
  options,
  text,
  advertiserIds,
) => {
  const company = nameCompany(context.output, text);
  const {
    sources: { companies },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const ids = [...new Set(advertiserIds.map(parseGivenId))];
  const chosen = ids.length === 0 ? null : ids;
  const { length: removed } = await companies.remove(accountId, company.key, chosen, fromHere);
  const result = { ...showKey(company.key), removed, unknown: chosen === null ? 0 : chosen.length - removed };
  context.output.result(result, () => context.output.commands(removedText(result, chosen)));
  return exitCodes.done;
};

/** Dismisses a company that no known advertiser is, or takes that back. */
export const dismissCompany: Command<[string], AccountOptions & { readonly undo?: boolean }> = async (
  context,
  { undo = false, ...options },
  text,
) => {
  const company = nameCompany(context.output, text);
  const {
    sources: { companies },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  await companies.dismiss(accountId, company.key, !undo, fromHere);
  const result = { ...showKey(company.key), dismissed: !undo };
  context.output.result(result, () =>
    undo
      ? `${result.company} waits for a decision again.`
      : `${result.company} is dismissed: it no longer waits for a decision.`,
  );
  return exitCodes.done;
};

/** @throws ValidationError for a text that is no id of an advertiser. */
function parseGivenId(text: string): string {
  const id = parseAdvertiserId(text);
  if (id.kind === 'id') return id.advertiserId;
  throw new ValidationError(`${text.trim()} is ${id.reason} (${advertiserIdRemedy}).`);
}

interface Removed {
  readonly company: string;
  readonly by: 'domain' | 'name';
  readonly removed: number;
  readonly unknown: number;
}

/** Formats the result of a removal. `chosen`: the given advertisers; null: all. */
function removedText({ company, by, removed, unknown }: Removed, chosen: readonly string[] | null): string {
  if (removed > 0) return `${company}: ${removed} removed${chosen === null ? '' : `, ${unknown} not found`}.`;
  const advertisers = chosen === null ? 'any advertiser' : chosen.join(' or ');
  return `${company} is not mapped to ${advertisers} by its ${by}. Nothing was removed. List the mapping with: nightshift companies`;
}

/** Imports a mapping from a file. Exits 0 if all lines were mapped, 1 with findings, 2 if the file cannot be read. */
export const importCompanies: Command<[string], ImportOptions> = async (context, options, file) => {
  const { open, reading } = await openFile(context, file, options);
  const read = await readCompanyMapping(open(), reading);
  const {
    sources: { companies },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const { added } = await companies.map(accountId, read.entries, fromHere);
  const counts = { rows: read.rows, mapped: read.entries.length, added };
  const { refused, warnings } = read;
  context.output.result({ ...counts, refused, warnings }, () =>
    [
      `${counts.mapped} of ${counts.rows} ${read.unit}s mapped, ${added} of them new.`,
      ...remarksText(`Rejected (fix these ${read.unit}s and import the file again)`, reading.fileName, {
        ...read,
        remarks: refused,
      }),
      ...remarksText('Mapped with warnings', reading.fileName, { ...read, remarks: warnings }),
    ].join('\n'),
  );
  return refused.length === 0 ? exitCodes.done : exitCodes.someFailed;
};

function mappingJson({ companyKey, advertiserId, role, note, checkedAt }: ListedMapping) {
  return { ...showKey(companyKey), advertiserId, role, note, checkedAt };
}

function remarksText(
  title: string,
  fileName: string,
  { unit, remarks }: Pick<MappingFile, 'unit'> & { readonly remarks: readonly LineRemark[] },
): readonly string[] {
  if (remarks.length === 0) return [];
  return [`${title}:`, ...remarks.map(({ lineNo, text }) => `  ${fileName}, ${unit} ${lineNo}: ${text}`)];
}
